import { Link } from '@remix-run/react';

const LINKS = [
  { to: '/calculator', label: 'Calculator' },
  { to: '/terms', label: 'Terms of Service' },
  { to: '/privacy', label: 'Privacy Policy' },
];

export function SiteFooter() {
  return (
    <footer className="no-print mt-auto border-t border-line">
      <div className="mx-auto flex max-w-6xl flex-wrap items-center gap-x-6 px-4 py-3 text-sm text-soft">
        <span className="mr-auto">Vialbook. A research reference, not medical advice.</span>
        {LINKS.map(({ to, label }) => (
          <Link key={to} to={to} className="inline-flex min-h-11 items-center">
            {label}
          </Link>
        ))}
      </div>
    </footer>
  );
}
