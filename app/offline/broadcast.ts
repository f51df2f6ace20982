const NAME = 'vialbook-offline';

const listeners = new Set<() => void>();
let channel: BroadcastChannel | null = null;

function open(): BroadcastChannel | null {
  if (channel === null && 'BroadcastChannel' in globalThis) {
    channel = new BroadcastChannel(NAME);
    channel.onmessage = () => notifyThisTab();
  }
  return channel;
}

function notifyThisTab(): void {
  for (const listener of listeners) listener();
}

/** Tells every tab, including this one, that the store has changed. */
export function notifyTabs(): void {
  open()?.postMessage('changed');
  notifyThisTab();
}

/** Calls back when the store changes in this tab or another. @returns stops watching */
export function watchStore(listener: () => void): () => void {
  open();
  listeners.add(listener);
  return () => listeners.delete(listener);
}
