import { Link } from '@remix-run/react';
import { Icon } from '#app/ui/icon.tsx';
import type { NavEntry } from './nav-entries.ts';
import { LOCKED_BADGE, NavItem, useIsCurrent } from './nav-item.tsx';

function BarItem({ entry }: { entry: NavEntry }) {
  const current = useIsCurrent(entry);
  const words = (
    <>
      <Icon name={entry.locked ? 'lock' : entry.icon} />
      <span>{entry.label}</span>
      {entry.locked ? <span className="bar-item-note">{LOCKED_BADGE}</span> : null}
    </>
  );
  if (entry.locked) return <span className="bar-item bar-item-locked">{words}</span>;
  return (
    <Link to={entry.to} className="bar-item" aria-current={current ? 'page' : undefined}>
      {words}
    </Link>
  );
}

/** The phone's navigation. What has no place in the row is behind "More", with its description. */
export function BottomBar({ entries }: { entries: readonly NavEntry[] }) {
  const row = entries.filter((entry) => entry.onBar);
  const rest = entries.filter((entry) => !entry.onBar);
  return (
    <nav aria-label="Quick navigation" className="bottom-bar no-print">
      <ul className="flex flex-1">
        {row.map((entry) => (
          <li key={entry.to} className="grid min-w-0 flex-1">
            <BarItem entry={entry} />
          </li>
        ))}
      </ul>
      {rest.length > 0 ? (
        <details className="bar-more">
          <summary className="bar-item">
            <Icon name="more" />
            <span>More</span>
          </summary>
          <ul className="bar-sheet">
            {rest.map((entry) => (
              <li key={entry.to}>
                <NavItem entry={entry} />
              </li>
            ))}
          </ul>
        </details>
      ) : null}
    </nav>
  );
}
