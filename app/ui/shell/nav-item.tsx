import { Link, useLocation } from '@remix-run/react';
import { Icon } from '#app/ui/icon.tsx';
import type { NavEntry } from './nav-entries.ts';

export const LOCKED_BADGE = 'Pro Only';
export const LOCKED_TEXT = 'Premium users only';

/** True when the entry's page, or one below it, is the one being read. */
export function useIsCurrent({ to, alsoOn = [] }: NavEntry): boolean {
  const path = useLocation().pathname.replace(/(.)\/$/, '$1');
  return path === to || path.startsWith(`${to}/`) || alsoOn.includes(path);
}

/** A line of the sidebar or of the phone's "More": icon, name, what it is for. */
export function NavItem({ entry }: { entry: NavEntry }) {
  const current = useIsCurrent(entry);
  const words = (
    <>
      <Icon name={entry.locked ? 'lock' : entry.icon} />
      <span className="min-w-0 flex-1">
        <span className="flex items-center gap-2 font-semibold">
          {entry.label}
          {entry.locked ? <span className="tag ms-auto font-normal">{LOCKED_BADGE}</span> : null}
        </span>
        <span className="block text-sm text-soft">
          {entry.description}
          {entry.locked ? <span className="block">{LOCKED_TEXT}</span> : null}
        </span>
      </span>
    </>
  );
  if (entry.locked) return <span className="nav-item nav-item-locked">{words}</span>;
  return (
    <Link to={entry.to} className="nav-item" aria-current={current ? 'page' : undefined}>
      {words}
    </Link>
  );
}
