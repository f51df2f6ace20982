import { useSyncExternalStore } from 'react';

/** Whether single keys act, as chosen in this browser: who dictates or has a restless hand turns them off. */
const KEY = 'vialbook-shortcuts';
const listeners = new Set<() => void>();

export function areShortcutsOn(): boolean {
  try {
    return localStorage.getItem(KEY) !== 'off';
  } catch {
    // Storage may be switched off; then the choice lasts as long as the page, which is not at all.
    return true;
  }
}

export function chooseShortcuts(isOn: boolean): void {
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

export const useShortcutsOn = (): boolean => useSyncExternalStore(subscribe, areShortcutsOn, () => true);
