import { Link } from '@remix-run/react';

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
