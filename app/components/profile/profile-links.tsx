import { Link } from '@remix-run/react';

const LINKS = [
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

/** What else the owner can do with their data, each a page or a file of its own. */
export function ProfileLinks() {
  return (
    <ul className="grid gap-1">
      {LINKS.map(({ to, label, text, ...link }) => (
        <li key={to} className="flex flex-wrap items-center gap-x-4">
          <Link
            to={to}
            reloadDocument={'file' in link}
            className="inline-flex min-h-11 items-center font-semibold"
          >
            {label}
          </Link>
          <span className="text-soft">{text}</span>
        </li>
      ))}
    </ul>
  );
}
