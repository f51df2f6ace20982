import type { ReactNode } from 'react';
import { Link } from '@remix-run/react';

interface PageTitleProps {
  children: string;
  actions?: ReactNode;
  /** `p` where the title must not be a heading. */
  as?: 'h1' | 'p';
}

/** The page's only h1, with links for the whole page to its right. */
export function PageTitle({ children, actions, as: Heading = 'h1' }: PageTitleProps) {
  return (
    <div className="page-title">
      <Heading className="min-w-0 py-1">{children}</Heading>
      {actions ? <div className="no-print flex flex-wrap items-center gap-x-4">{actions}</div> : null}
    </div>
  );
}

export interface Tab<Key extends string> {
  tab: Key;
  to: string;
  label: string;
}

interface TabsProps<Key extends string> {
  /** Names the area to screen readers. */
  label: string;
  tabs: readonly Tab<Key>[];
  /** Null on a page that has no tab. */
  current: Key | null;
}

/** Links to the pages of an area, shown at the top of each. */
export function Tabs<Key extends string>({ label, tabs, current }: TabsProps<Key>) {
  return (
    <nav aria-label={label} className="tabs no-print">
      {tabs.map(({ tab, to, label: name }) => (
        <Link key={tab} to={to} prefetch="intent" aria-current={tab === current ? 'page' : undefined}>
          {name}
        </Link>
      ))}
    </nav>
  );
}
