import { KeysLink } from './keys-link.tsx';
import type { NavEntry } from './nav-entries.ts';
import { NavItem } from './nav-item.tsx';

export function Sidebar({ entries }: { entries: readonly NavEntry[] }) {
  return (
    <nav aria-label="Dashboard" className="no-print hidden py-6 pe-5 lg:block">
      <div className="sticky top-6">
        <ul className="grid gap-1">
          {entries.map((entry) => (
            <li key={entry.to}>
              <NavItem entry={entry} />
            </li>
          ))}
        </ul>
        <KeysLink className="mt-4 px-3 text-sm">Keyboard shortcuts</KeysLink>
      </div>
    </nav>
  );
}
