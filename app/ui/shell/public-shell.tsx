import { Link } from '@remix-run/react';
import type { ReactNode } from 'react';
import { LinkButton } from '#app/ui/button.tsx';
import { startOf, useSite } from '#app/ui/site.ts';
import { Brand, KeysLink, MAIN_ID, ResearchLine, SkipLink } from './page-frame.tsx';

const LINKS = [
  { to: '/calculator', label: 'Calculator' },
  { to: '/terms', label: 'Terms of Service' },
  { to: '/privacy', label: 'Privacy Policy' },
  { to: '/sources', label: 'Sources' },
  { to: '/api/docs', label: 'API' },
];

interface PublicShellProps {
  /** The research-only / 18+ line. */
  notice: string;
  signedIn?: boolean;
  /** Toasts, above everything. */
  toasts?: ReactNode;
  children: ReactNode;
}

/** Landing, public calculator, sign-in, legal texts. */
export function PublicShell({ notice, signedIn, toasts, children }: PublicShellProps) {
  const start = startOf(useSite());
  return (
    <div className="flex min-h-dvh flex-col">
      <SkipLink />
      <header className="no-print border-b border-line bg-sheet">
        <div className="mx-auto flex max-w-6xl flex-wrap items-center gap-1 px-3 py-0.5 sm:gap-4 sm:px-4 sm:py-2">
          <Brand to={signedIn ? '/dashboard' : '/'} />
          <nav aria-label="Site" className="ms-auto flex flex-wrap items-center sm:gap-2">
            <Link to="/calculator" className="btn btn-plain hidden sm:inline-flex">
              Calculator
            </Link>
            {signedIn ? (
              <LinkButton to="/dashboard">Dashboard</LinkButton>
            ) : (
              <>
                <Link
                  to="/login"
                  className="btn btn-plain px-2 text-sm whitespace-nowrap sm:px-4 sm:text-base"
                >
                  Sign in
                </Link>
                {start === null ? null : (
                  <LinkButton
                    to={start.href}
                    className="px-2.5 text-sm whitespace-nowrap sm:px-4 sm:text-base"
                  >
                    {start.label}
                  </LinkButton>
                )}
              </>
            )}
          </nav>
        </div>
      </header>
      <main id={MAIN_ID} className="mx-auto w-full max-w-6xl px-4 pb-16">
        <ResearchLine>{notice}</ResearchLine>
        {children}
      </main>
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
      {toasts}
    </div>
  );
}

interface AuthPageProps {
  title: string;
  children: ReactNode;
  /** Alternatives: a link to the other form, or back. */
  footer?: ReactNode;
}

/** A narrow sheet with one form. */
export function AuthPage({ title, children, footer }: AuthPageProps) {
  return (
    <div className="mx-auto max-w-md py-6 sm:py-10">
      <div className="sheet p-5 sm:p-8">
        <h1 className="mb-5">{title}</h1>
        {children}
      </div>
      {footer ? <div className="mt-4 px-1">{footer}</div> : null}
    </div>
  );
}
