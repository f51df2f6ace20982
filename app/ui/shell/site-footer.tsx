import { Link } from '@remix-run/react';
import { KeysLink } from './keys-link.tsx';

const LINKS = [
  { to: '/calculator', label: 'Calculator' },
  { to: '/terms', label: 'Terms of Service' },
  { to: '/privacy', label: 'Privacy Policy' },
  { to: '/api/docs', label: 'API' },
];

export function SiteFooter() {
  return (
    <footer className="no-print mt-auto border-t border-line">
      <div className="mx-auto flex max-w-6xl flex-wrap items-center gap-x-6 px-4 py-3 text-sm text-soft">
        <span className="me-auto">Vialbook. A research reference, not medical advice.</span>
        {LINKS.map(({ to, label }) => (
          <Link key={to} to={to} className="footer-link">
            {label}
          </Link>
        ))}
        <KeysLink>Keyboard</KeysLink>
      </div>
    </footer>
  );
}
