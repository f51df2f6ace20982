import type { ReactNode } from 'react';

/** The page's one h1, with links that belong to the whole page at its right. */
export function PageTitle({ children, actions }: { children: string; actions?: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 py-2">
      <h1 className="py-1">{children}</h1>
      {actions ? <div className="no-print flex flex-wrap items-center gap-x-4">{actions}</div> : null}
    </div>
  );
}
