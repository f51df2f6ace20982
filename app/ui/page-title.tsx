import type { ReactNode } from 'react';

interface PageTitleProps {
  children: string;
  actions?: ReactNode;
  /** Not a heading where it is only shown. */
  as?: 'h1' | 'p';
}

/** The page's one h1, with links that belong to the whole page at its right. */
export function PageTitle({ children, actions, as: Heading = 'h1' }: PageTitleProps) {
  return (
    <div className="page-title">
      <Heading className="min-w-0 py-1">{children}</Heading>
      {actions ? <div className="no-print flex flex-wrap items-center gap-x-4">{actions}</div> : null}
    </div>
  );
}
