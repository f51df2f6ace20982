import type { NavEntry } from './nav-entries.ts';
import { NavItem } from './nav-item.tsx';

export function Sidebar({ entries }: { entries: readonly NavEntry[] }) {
  return (
    <nav aria-label="Dashboard" className="no-print hidden py-6 pr-5 lg:block">
      <ul className="sticky top-6 grid gap-1">
        {entries.map((entry) => (
          <li key={entry.to}>
            <NavItem entry={entry} />
          </li>
        ))}
      </ul>
    </nav>
  );
}
