import { Link, useLocation } from '@remix-run/react';
import { Icon, type IconName } from '#app/ui/icon.tsx';
import { KeysLink } from './page-frame.tsx';

export interface NavEntry {
  to: string;
  label: string;
  description: string;
  icon: IconName;
  /** A premium entry shown to a free user: greyed out, not a link. */
  locked?: boolean;
  /** Its place on the phone's bar; entries without one are behind "More". */
  onBar?: number;
}

const CALCULATOR: NavEntry = {
  to: '/dashboard/calculator',
  label: 'Calculator',
  description: 'dose calculations',
  icon: 'calculator',
  onBar: 1,
};

const VIALS: NavEntry = {
  to: '/dashboard/vials',
  label: 'Vials',
  description: 'what you have',
  icon: 'vial',
  onBar: 2,
};

const PREMIUM: readonly NavEntry[] = [
  { to: '/dashboard/tracking', label: 'Tracking', description: 'injection sites', icon: 'pin', onBar: 4 },
  {
    to: '/dashboard/schedule',
    label: 'Schedule',
    description: 'dose reminders',
    icon: 'calendar',
    onBar: 3,
  },
  { to: '/dashboard/analytics', label: 'Analytics', description: 'progress insights', icon: 'chart' },
  { to: '/dashboard/vendors', label: 'Vendors', description: 'supplier and inventory', icon: 'truck' },
];

const REFERRALS: NavEntry = {
  to: '/dashboard/referrals',
  label: 'Referrals',
  description: 'earn free premium',
  icon: 'gift',
};

const PROFILE: NavEntry = {
  to: '/dashboard/profile',
  label: 'Profile',
  description: 'account settings',
  icon: 'person',
};

/**
 * The entries of the navigation; for free users the premium areas are locked entries. Nobody refers anybody to a server that
 * sells nothing.
 */
export function dashboardEntries(premium: boolean, isSelling: boolean): NavEntry[] {
  const areas = premium ? PREMIUM : PREMIUM.map((entry) => ({ ...entry, locked: true }));
  return [CALCULATOR, VIALS, ...areas, ...(isSelling ? [REFERRALS] : []), PROFILE];
}

const LOCKED_BADGE = 'Pro Only';
const LOCKED_TEXT = 'Premium users only';

/** Pages that belong to an entry although their address does not begin with its own. */
const ENTRY_OF: Readonly<Record<string, string>> = {
  '/dashboard': '/dashboard/calculator',
  '/dashboard/lots': '/dashboard/vials',
  '/dashboard/supplies': '/dashboard/vials',
  '/dashboard/schedule/adherence': '/dashboard/analytics',
  '/dashboard/ceilings': '/dashboard/profile',
  '/dashboard/proposals': '/dashboard/profile',
};

/** Tells whether the current page is an entry's, or one below it. */
function useCurrent(): (entry: NavEntry) => boolean {
  const path = useLocation().pathname.replace(/(.)\/$/, '$1');
  const owner = ENTRY_OF[path];
  return ({ to }) => (owner === undefined ? path === to || path.startsWith(`${to}/`) : to === owner);
}

/** A line of the sidebar or of the phone's "More": icon, name and description. */
function NavItem({ entry }: { entry: NavEntry }) {
  const current = useCurrent()(entry);
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

function BarItem({ entry }: { entry: NavEntry }) {
  const current = useCurrent()(entry);
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

/** The phone's navigation. Entries that are not on the bar are behind "More", with their descriptions. */
export function BottomBar({ entries }: { entries: readonly NavEntry[] }) {
  const isCurrent = useCurrent();
  const row = entries
    .filter(({ onBar }) => onBar !== undefined)
    .sort((a, b) => (a.onBar ?? 0) - (b.onBar ?? 0));
  const rest = entries.filter(({ onBar }) => onBar === undefined);
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
          <summary className="bar-item" aria-current={rest.some(isCurrent) ? 'true' : undefined}>
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
