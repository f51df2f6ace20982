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

/** Says in every tab that the store has changed. */
export function tellOthers(): void {
  open()?.postMessage('changed');
  tellHere();
}

/** Calls back when the store has changed, in this tab or another. @returns ends it */
export function watchStore(listener: () => void): () => void {
  open();
  here.add(listener);
  return () => here.delete(listener);
}
