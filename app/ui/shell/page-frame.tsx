import type { ReactNode } from 'react';

export const MAIN_ID = 'main';

/** First thing in the tab order; seen when focused. */
export function SkipLink() {
  return (
    <a
      href={`#${MAIN_ID}`}
      className="btn btn-primary sr-only focus:not-sr-only focus:fixed focus:top-2 focus:start-2 focus:z-50"
    >
      Skip to content
    </a>
  );
}

/** The research-only / 18+ notice: a line that is always there, never a wall. */
export function ResearchLine({ children }: { children: ReactNode }) {
  return (
    <p role="note" className="border-b border-line py-1.5 text-sm leading-snug text-soft">
      {children}
    </p>
  );
}
