import type { ReactNode } from 'react';
import { Link } from '@remix-run/react';

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

/** A page of an area. */
export interface Tab<Key extends string> {
  tab: Key;
  to: string;
  label: string;
}

interface TabsProps<Key extends string> {
  /** Names the area to screen readers. */
  label: string;
  tabs: readonly Tab<Key>[];
  /** Null on a page that is none of them. */
  current: Key | null;
}

/** The pages of an area as links, on top of each of them. */
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
