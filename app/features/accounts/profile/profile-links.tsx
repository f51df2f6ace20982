import { Link } from '@remix-run/react';

const SECURITY = [
  {
    to: '/dashboard/profile/email',
    label: 'Change email',
    text: 'The new address is confirmed by a mail to it.',
  },
  {
    to: '/dashboard/profile/second-factor',
    label: 'Two-step sign-in',
    text: 'A code of your phone beside the password.',
  },
  {
    to: '/dashboard/profile/tokens',
    label: 'API tokens',
    text: 'For scripts and other programs.',
  },
] as const;

const REMINDERS = [
  {
    to: '/dashboard/profile/notifications',
    label: 'Notifications',
    text: 'Where you are reminded, how early, and how discreetly.',
  },
] as const;

const DATA = [
  {
    to: '/upgrade',
    label: 'Plan and billing',
    text: 'What you have, until when, and how it is paid.',
  },
  {
    to: '/dashboard/profile/access-log',
    label: 'Access log',
    text: 'Who changed or looked at this account.',
  },
  {
    to: '/dashboard/import',
    label: 'Import',
    text: 'Bring in an export or a table of doses; undo it for 7 days.',
  },
  {
    to: '/dashboard/profile/data',
    label: 'Download all data',
    text: 'One JSON file with everything that is stored about you.',
    file: true,
  },
  {
    to: '/dashboard/profile/delete',
    label: 'Delete account',
    text: 'Everything goes after 48 hours, in which you can change your mind.',
  },
] as const;

interface ProfileLink {
  to: string;
  label: string;
  text: string;
  /** A file, not a page. */
  file?: boolean;
}

const LINKS = { security: SECURITY, reminders: REMINDERS, data: DATA } as const;

/** Further pages and files of the profile: what locks the account, or what the owner can do with their data. */
export function ProfileLinks({ about }: { about: keyof typeof LINKS }) {
  const links: readonly ProfileLink[] = LINKS[about];
  return (
    <ul className="grid gap-1">
      {links.map(({ to, label, text, file }) => (
        <li key={to} className="flex flex-wrap items-center gap-x-4">
          <Link to={to} reloadDocument={file} className="inline-flex min-h-11 items-center font-semibold">
            {label}
          </Link>
          <span className="text-soft">{text}</span>
        </li>
      ))}
    </ul>
  );
}
