import type { ReactNode } from 'react';
import { MAIN_ID, ResearchLine, SkipLink } from './page-frame.tsx';
import { SiteFooter } from './site-footer.tsx';
import { SiteHeader } from './site-header.tsx';

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
  return (
    <div className="flex min-h-dvh flex-col">
      <SkipLink />
      <SiteHeader signedIn={signedIn} />
      <main id={MAIN_ID} className="mx-auto w-full max-w-6xl px-4 pb-16">
        <ResearchLine>{notice}</ResearchLine>
        {children}
      </main>
      <SiteFooter />
      {toasts}
    </div>
  );
}
