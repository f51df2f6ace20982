import { useSyncExternalStore, useEffect, useRef } from 'react';
import { useLocation, useNavigate } from '@remix-run/react';
import { Dialog } from '#app/ui/dialog.tsx';
import { useHydrated } from '#app/ui/hydration.ts';
import { helpHref, isHelpShown, withoutHelp } from './keys-link.tsx';

/** A key, or two one after the other, and what it does. */
interface Shortcut {
  keys: string;
  label: string;
  /** Where it leads; the others act on the page. */
  to?: string;
}

const HELP_KEY = '?';
const SEARCH_KEY = '/';

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

/** Whether single keys act, as chosen in this browser: who dictates or has a restless hand turns them off. */
const KEY = 'vialbook-shortcuts';
const listeners = new Set<() => void>();

function areShortcutsOn(): boolean {
  try {
    return localStorage.getItem(KEY) !== 'off';
  } catch {
    // Storage may be switched off; then the choice lasts as long as the page, which is not at all.
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

/** Two keys belong together when they come within this time, in ms. */
const PAIR_MS = 1000;

const FIELDS = 'input, select, textarea, [contenteditable="true"]';

/** A key that somebody types, or that means something to the browser. */
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

/** Without scripts no key does anything, so there is nothing to choose either. */
function Choice() {
  const isOn = useShortcutsOn();
  if (!useHydrated()) return <p className="text-soft">These keys need JavaScript, which is off here.</p>;
  return (
    <label className="choice">
      <input type="checkbox" checked={isOn} onChange={(event) => chooseShortcuts(event.target.checked)} />
      Use these keys in this browser
    </label>
  );
}

function Keys({ keys }: { keys: string }) {
  return keys.split(' ').map((key, index) => (
    // A place in a fixed pair of keys: its number is its name.
    <span key={index}>
      {index > 0 ? <span className="text-soft"> then </span> : null}
      <kbd className="key">{key}</kbd>
    </span>
  ));
}

/** The keys of the pages, and their list at `?help=keys` over any page. */
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
