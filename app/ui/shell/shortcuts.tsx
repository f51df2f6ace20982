import { useSyncExternalStore, useEffect, useRef } from 'react';
import { useLocation, useNavigate } from '@remix-run/react';
import { Dialog } from '#app/ui/dialog.tsx';
import { useHydrated } from '#app/ui/hydration.ts';
import { helpHref, isHelpShown, withoutHelp } from './page-frame.tsx';

/** One key, or two in sequence, and what they do. */
interface Shortcut {
  keys: string;
  label: string;
  /** The page it opens; without one it acts on the current page. */
  to?: string;
}

const HELP_KEY = '?';
const SEARCH_KEY = '/';

/** First key of the pairs that open a page. */
const GO = 'g';

const go = (key: string, label: string, to: string): Shortcut => ({ keys: `${GO} ${key}`, label, to });

export const SHORTCUTS: readonly Shortcut[] = [
  { keys: HELP_KEY, label: 'Show this list' },
  { keys: SEARCH_KEY, label: 'Go to search, or to the first field on the page' },
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

/** What a key does after the previous one: help, search, open a page, or nothing. */
export function meaningOf(key: string, previous: string | null): 'help' | 'search' | { to: string } | null {
  if (previous === GO) {
    const to = SHORTCUTS.find(({ keys }) => keys === `${GO} ${key}`)?.to;
    return to === undefined ? null : { to };
  }
  if (key === HELP_KEY) return 'help';
  return key === SEARCH_KEY ? 'search' : null;
}

/** Stores in this browser whether shortcuts are on: people who dictate or have a tremor turn them off. */
const KEY = 'vialbook-shortcuts';
const listeners = new Set<() => void>();

function areShortcutsOn(): boolean {
  try {
    return localStorage.getItem(KEY) !== 'off';
  } catch {
    // Without storage the choice can't be saved, so shortcuts stay on.
    return true;
  }
}

function chooseShortcuts(isOn: boolean): void {
  try {
    if (isOn) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, 'off');
  } catch {
    return;
  }
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const useShortcutsOn = (): boolean => useSyncExternalStore(subscribe, areShortcutsOn, () => true);

/** Two keys form a pair within this time, in ms. */
const PAIR_MS = 1000;

const FIELDS = 'input, select, textarea, [contenteditable="true"]';

/** True for a key typed into a field, or one that the browser uses. */
function isTyped(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return true;
  return event.target instanceof Element && event.target.closest(FIELDS) !== null;
}

function goToFirstField(): void {
  const fields = 'main input[type="search"], main input:not([type="hidden"])';
  document.querySelector<HTMLElement>(fields)?.focus();
}

function useKeys(): void {
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const previous = useRef<{ key: string; at: number } | null>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (isTyped(event) || !areShortcutsOn() || document.querySelector('dialog:modal')) return;
      const before = previous.current;
      const isPair = before !== null && event.timeStamp - before.at < PAIR_MS;
      previous.current = { key: event.key, at: event.timeStamp };
      const meaning = meaningOf(event.key, isPair ? before.key : null);
      if (meaning === null) return;
      event.preventDefault();
      previous.current = null;
      if (meaning === 'search') goToFirstField();
      else if (meaning === 'help') navigate(helpHref(pathname, search), { preventScrollReset: true });
      else navigate(meaning.to);
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [navigate, pathname, search]);
}

/** The switch for shortcuts; without scripts there are none. */
function Choice() {
  const isOn = useShortcutsOn();
  if (!useHydrated()) return <p className="text-soft">Keyboard shortcuts need JavaScript.</p>;
  return (
    <label className="choice">
      <input
        type="checkbox"
        name="shortcuts"
        checked={isOn}
        onChange={(event) => chooseShortcuts(event.target.checked)}
      />
      Use shortcuts in this browser
    </label>
  );
}

function Keys({ keys }: { keys: string }) {
  return keys.split(' ').map((key, index) => (
    // A pair of keys never changes, so the index is a stable key.
    <span key={index}>
      {index > 0 ? <span className="text-soft"> then </span> : null}
      <kbd className="key">{key}</kbd>
    </span>
  ));
}

/** Keyboard shortcuts, and their list, which `?help=keys` opens over any page. */
export function Shortcuts() {
  const { pathname, search } = useLocation();
  useKeys();
  if (!isHelpShown(search)) return null;
  return (
    <Dialog id="keys" title="Keyboard shortcuts" closeHref={withoutHelp(pathname, search)}>
      <dl className="keys">
        {SHORTCUTS.map(({ keys, label }) => (
          <div key={keys}>
            <dt>
              <Keys keys={keys} />
            </dt>
            <dd>{label}</dd>
          </div>
        ))}
      </dl>
      <Choice />
    </Dialog>
  );
}
