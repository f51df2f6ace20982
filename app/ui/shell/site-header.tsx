import { Link } from '@remix-run/react';
import { LinkButton } from '#app/ui/button.tsx';
import { Brand } from './brand.tsx';

/** Header of the pages that need no account. A signed-in reader finds the way back to the dashboard. */
export function SiteHeader({ signedIn = false }: { signedIn?: boolean }) {
  return (
    <header className="no-print border-b border-line bg-sheet">
      <div className="mx-auto flex max-w-6xl items-center gap-1 px-4 py-0.5 sm:gap-4 sm:py-2">
        <Brand to={signedIn ? '/dashboard' : '/'} />
        <nav aria-label="Site" className="ms-auto flex items-center sm:gap-2">
          <Link to="/calculator" className="btn btn-plain hidden sm:inline-flex">
            Calculator
          </Link>
          {signedIn ? (
            <LinkButton to="/dashboard">Dashboard</LinkButton>
          ) : (
            <>
              <Link to="/login" className="btn btn-plain px-2 text-sm whitespace-nowrap sm:px-4 sm:text-base">
                Sign in
              </Link>
              <LinkButton
                to="/register?plan=trial"
                className="px-2.5 text-sm whitespace-nowrap sm:px-4 sm:text-base"
              >
                Start free trial
              </LinkButton>
            </>
          )}
        </nav>
      </div>
    </header>
  );
}
