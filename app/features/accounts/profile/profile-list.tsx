import { Link } from '@remix-run/react';
import type { ReactNode } from 'react';
import { PageTitle } from '#app/ui/page-head.tsx';

// In a file of their own, because every page below the profile loads these and few of them need a schema.

const PROFILE = '/dashboard/profile';
const PASSWORD_PATH = `${PROFILE}/password`;

interface ProfileLink {
  to: string;
  label: string;
  text: string;
  /** A file, not a page. */
  file?: boolean;
}

const LINKS = {
  profile: [
    {
      to: `${PROFILE}/units`,
      label: 'Units and syringe',
      text: 'mg or mcg, kg or lb, and your syringe.',
    },
    {
      to: `${PROFILE}/notifications`,
      label: 'Notifications',
      text: 'Reminders, quiet hours, push and email.',
    },
    { to: '/dashboard/ceilings', label: 'Limits', text: 'The most of a compound you want to take.' },
    {
      to: `${PROFILE}/security`,
      label: 'Security',
      text: 'Password, two steps, passkeys, sessions.',
    },
    {
      to: `${PROFILE}/your-data`,
      label: 'Your data',
      text: 'Import, export, access log, deletion.',
    },
    {
      to: `${PROFILE}/developer`,
      label: 'Developer',
      text: 'API tokens, webhooks, proposals, ntfy.',
    },
  ],
  security: [
    {
      to: PASSWORD_PATH,
      label: 'Password',
      text: 'Change it and sign out everywhere else.',
    },
    {
      to: `${PROFILE}/email`,
      label: 'Change email',
      text: 'We will mail a confirmation link to the new address.',
    },
    {
      to: `${PROFILE}/second-factor`,
      label: 'Two-step sign-in',
      text: 'A code from your phone in addition to the password.',
    },
  ],
  developer: [
    { to: `${PROFILE}/tokens`, label: 'API tokens', text: 'For scripts and other programs.' },
    {
      to: `${PROFILE}/webhooks`,
      label: 'Webhooks',
      text: 'Tell your own programs about doses and stock.',
    },
    {
      to: '/dashboard/proposals',
      label: 'Proposals',
      text: 'What an assistant would like to log. Nothing is logged before you accept it.',
    },
    {
      to: `${PROFILE}/notifications/ntfy`,
      label: 'ntfy',
      text: 'Reminders through a push server of your own.',
    },
  ],
  'your-data': [
    {
      to: `${PROFILE}/access-log`,
      label: 'Access log',
      text: 'Who viewed or changed this account.',
    },
    {
      to: '/dashboard/import',
      label: 'Import',
      text: 'Import an export or a table of doses. You can undo it for 7 days.',
    },
    {
      to: '/dashboard/export',
      label: 'Export',
      text: 'Calculations, vials, schedules and more as CSV, JSON or PDF.',
    },
    {
      to: `${PROFILE}/data`,
      label: 'Download all data',
      text: 'One JSON file with everything we store about you.',
      file: true,
    },
    {
      to: `${PROFILE}/delete`,
      label: 'Delete account',
      text: 'Everything is deleted after 48 hours. Until then you can change your mind.',
    },
  ],
} satisfies Record<string, readonly ProfileLink[]>;

/** The parts whose page is nothing but their list, by the end of its address, with its title. */
export const PROFILE_PARTS = { 'your-data': 'Your data', developer: 'Developer' } as const;
export type ProfilePart = keyof typeof PROFILE_PARTS;

interface ProfileLinksProps {
  about: keyof typeof LINKS;
  /** False where this account has no password. */
  hasPasswords?: boolean;
}

/** Links to the pages and files of one part of the profile, a row each. */
export function ProfileLinks({ about, hasPasswords = true }: ProfileLinksProps) {
  const all: readonly ProfileLink[] = LINKS[about];
  const links = hasPasswords ? all : all.filter(({ to }) => to !== PASSWORD_PATH);
  return (
    <ul className="sheet divide-y divide-line">
      {links.map(({ to, label, text, file }) => (
        <li key={to} className="relative flex items-center gap-3 px-4 py-3">
          <div className="min-w-0 flex-1">
            <Link to={to} reloadDocument={file} className="font-semibold after:absolute after:inset-0">
              {label}
            </Link>
            <p className="text-sm text-soft">{text}</p>
          </div>
          <span aria-hidden="true" className="text-xl text-soft">
            ›
          </span>
        </li>
      ))}
    </ul>
  );
}

/** The pages that lead to others below the profile. */
const ABOVE = {
  profile: { to: PROFILE, label: 'Back to your profile' },
  units: { to: `${PROFILE}/units`, label: 'Back to Units and syringe' },
  security: { to: `${PROFILE}/security`, label: 'Back to Security' },
  'your-data': { to: `${PROFILE}/your-data`, label: 'Back to Your data' },
  developer: { to: `${PROFILE}/developer`, label: 'Back to Developer' },
};

/** The title of a page below the profile, with a link to the page above it. */
export function ProfileTitle({
  children,
  above = 'profile',
}: {
  children: string;
  above?: keyof typeof ABOVE;
}) {
  const { to, label } = ABOVE[above];
  const back = (
    <Link to={to} className="inline-flex min-h-11 items-center">
      {label}
    </Link>
  );
  return <PageTitle actions={back}>{children}</PageTitle>;
}

interface ProfileSubPageProps {
  title: string;
  above?: keyof typeof ABOVE;
  children: ReactNode;
}

/** A page below the profile whose content is one sheet. */
export function ProfileSubPage({ title, above = 'profile', children }: ProfileSubPageProps) {
  return (
    <div className="max-w-2xl">
      <ProfileTitle above={above}>{title}</ProfileTitle>
      <div className="sheet grid gap-4 p-5">{children}</div>
    </div>
  );
}
