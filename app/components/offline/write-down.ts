import type { OutboxEntry } from '#app/domain/offline/index.ts';

/** Writes an entry down on this device, and sends it at once where there is a connection. @throws when it is not kept */
export async function writeDown(entry: Pick<OutboxEntry, 'kind' | 'about' | 'fields'>): Promise<void> {
  const keeper = await import('#app/offline/keeper.ts');
  await keeper.writeDown(entry);
  if (!navigator.onLine) return;
  const { written } = await keeper.sendWaiting();
  if (written > 0) await keeper.refreshSeen();
}
