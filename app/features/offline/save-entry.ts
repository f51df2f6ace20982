import type { OutboxEntry } from '#app/domain/offline/entry.ts';
import type * as Keeper from '#app/offline/offline-sync.ts';

async function sendNow({ sendWaiting, refreshSeen }: typeof Keeper): Promise<void> {
  const { written } = await sendWaiting();
  if (written > 0) await refreshSeen();
}

/** Writes an entry down on this device, and sends it at once where there is a connection. @throws when it is not kept */
export async function writeDown(entry: Pick<OutboxEntry, 'kind' | 'about' | 'fields'>): Promise<void> {
  const keeper = await import('#app/offline/offline-sync.ts');
  await keeper.writeDown(entry);
  // It is kept: whatever fails from here on is tried again, and must not make anybody write it down twice.
  if (navigator.onLine) await sendNow(keeper).catch(() => undefined);
}
