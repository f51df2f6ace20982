const NAME = 'vialbook-offline';

const here = new Set<() => void>();
let channel: BroadcastChannel | null = null;

function open(): BroadcastChannel | null {
  if (channel === null && 'BroadcastChannel' in globalThis) {
    channel = new BroadcastChannel(NAME);
    channel.onmessage = () => tellHere();
  }
  return channel;
}

function tellHere(): void {
  for (const listener of here) listener();
}

/** Tells every tab, including this one, that the store has changed. */
export function tellOthers(): void {
  open()?.postMessage('changed');
  tellHere();
}

/** Calls back when the store changes in this tab or another. @returns stops watching */
export function watchStore(listener: () => void): () => void {
  open();
  here.add(listener);
  return () => here.delete(listener);
}
