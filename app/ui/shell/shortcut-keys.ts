/** A key, or two one after the other, and what it does. */
export interface Shortcut {
  keys: string;
  label: string;
  /** Where it leads; the others act on the page. */
  to?: string;
}

export const HELP_KEY = '?';
export const SEARCH_KEY = '/';

/** First of two keys that go somewhere. */
const GO = 'g';

const go = (key: string, label: string, to: string): Shortcut => ({ keys: `${GO} ${key}`, label, to });

export const SHORTCUTS: readonly Shortcut[] = [
  { keys: HELP_KEY, label: 'Show this list' },
  { keys: SEARCH_KEY, label: 'Go to the search, or to the first field of the page' },
  { keys: 'Esc', label: 'Close a dialog' },
  go('c', 'Calculator', '/dashboard/calculator'),
  go('v', 'Vials', '/dashboard/vials'),
  go('s', 'Schedule: today', '/dashboard/schedule'),
  go('l', 'Log a dose', '/dashboard/schedule/log'),
  go('t', 'Tracking', '/dashboard/tracking'),
  go('a', 'Analytics', '/dashboard/analytics'),
  go('o', 'Vendors and orders', '/dashboard/vendors'),
  go('e', 'Export', '/dashboard/export'),
  go('p', 'Profile', '/dashboard/profile'),
];

/** What a key means after the one before it: the help, the search, a place, or nothing. */
export function meaningOf(key: string, previous: string | null): 'help' | 'search' | { to: string } | null {
  if (previous === GO) {
    const to = SHORTCUTS.find(({ keys }) => keys === `${GO} ${key}`)?.to;
    return to === undefined ? null : { to };
  }
  if (key === HELP_KEY) return 'help';
  return key === SEARCH_KEY ? 'search' : null;
}
