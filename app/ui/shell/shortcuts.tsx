import { useLocation, useNavigate } from '@remix-run/react';
import { useEffect, useRef } from 'react';
import { Dialog } from '#app/ui/dialog.tsx';
import { useHydrated } from '#app/ui/use-hydrated.ts';
import { areShortcutsOn, chooseShortcuts, useShortcutsOn } from './shortcut-choice.ts';
import { helpHref, isHelpShown, withoutHelp } from './help-address.ts';
import { meaningOf, SHORTCUTS } from './shortcut-keys.ts';

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
