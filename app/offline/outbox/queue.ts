import type { OutboxEntry } from '#app/domain/offline/entry.ts';
import { seal, unseal } from '#app/offline/store/encryption.ts';
import type { Owner, DeviceStore } from '#app/offline/store/store.ts';

/** An entry with its place in the line. */
export interface Queued {
  place: number;
  entry: OutboxEntry;
}

/** What waits never runs out of time. */
const item = (entry: OutboxEntry, now: number) => ({ value: entry, timestamp: now, expiresAt: null });

async function ownerOf(store: DeviceStore): Promise<Owner> {
  const owner = await store.readOwner();
  if (owner === undefined) throw new Error('Nobody is signed in on this device.');
  return owner;
}

/** Puts an entry of the store's owner at the end of the line. @throws Error when it cannot be kept */
export async function addEntry(
  store: DeviceStore,
  entry: Omit<OutboxEntry, 'userId' | 'problem'>,
  now: number,
): Promise<Queued> {
  const { key, userId } = await ownerOf(store);
  const whole: OutboxEntry = { ...entry, userId, problem: null };
  return { place: await store.addWaiting(await seal(key, item(whole, now))), entry: whole };
}

/** The owner's entries in their order. What cannot be read, or is somebody else's, is removed and counts as missing. */
export async function listEntries(store: DeviceStore): Promise<Queued[]> {
  const [owner, waiting] = await Promise.all([store.readOwner(), store.listWaiting()]);
  const found: Queued[] = [];
  for (const { place, sealed } of waiting) {
    const read = owner && (await unseal<OutboxEntry>(owner.key, sealed).catch(() => undefined));
    if (read?.value.userId === owner?.userId && read) found.push({ place, entry: read.value });
    else await store.removeWaiting(place);
  }
  return found;
}

/** Puts another version of an entry in its place. */
export async function replaceEntry(store: DeviceStore, { place, entry }: Queued, now: number): Promise<void> {
  const { key } = await ownerOf(store);
  await store.replaceWaiting(place, await seal(key, item(entry, now)));
}
