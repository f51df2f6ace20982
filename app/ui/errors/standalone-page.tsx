import type { ReactNode } from 'react';
import { Brand } from '#app/ui/shell/brand.tsx';

/** A page outside both shells: the way home above, one message below. */
export function StandalonePage({ children }: { children: ReactNode }) {
  return (
    <>
      <header className="no-print border-b border-line bg-sheet">
        <div className="mx-auto max-w-6xl px-4 py-0.5 sm:py-2">
          <Brand to="/" />
        </div>
      </header>
      <main>{children}</main>
    </>
  );
}
