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
] as const;

const DATA = [
  {
    to: '/dashboard/profile/access-log',
    label: 'Access log',
    text: 'Who changed or looked at this account.',
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

/** Further pages and files of the profile: what locks the account, or what the owner can do with their data. */
export function ProfileLinks({ about }: { about: 'security' | 'data' }) {
  const links: readonly ProfileLink[] = about === 'security' ? SECURITY : DATA;
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
