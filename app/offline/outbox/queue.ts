import type { OutboxEntry } from '#app/domain/offline/entry.ts';
import { seal, unseal } from '#app/offline/store/encryption.ts';
import type { Owner, Shelf } from '#app/offline/store/store.ts';

/** An entry with its place in the line. */
export interface Queued {
  place: number;
  entry: OutboxEntry;
}

/** What waits never runs out of time. */
const item = (entry: OutboxEntry, now: number) => ({ value: entry, timestamp: now, expiresAt: null });

async function ownerOf(shelf: Shelf): Promise<Owner> {
  const owner = await shelf.readOwner();
  if (owner === undefined) throw new Error('Nobody is signed in on this device.');
  return owner;
}

/** Puts an entry of the store's owner at the end of the line. @throws Error when it cannot be kept */
export async function addEntry(
  shelf: Shelf,
  entry: Omit<OutboxEntry, 'userId' | 'problem'>,
  now: number,
): Promise<Queued> {
  const { key, userId } = await ownerOf(shelf);
  const whole: OutboxEntry = { ...entry, userId, problem: null };
  return { place: await shelf.addWaiting(await seal(key, item(whole, now))), entry: whole };
}

/** The owner's entries in their order. What cannot be read, or is somebody else's, is removed and counts as missing. */
export async function listEntries(shelf: Shelf): Promise<Queued[]> {
  const [owner, waiting] = await Promise.all([shelf.readOwner(), shelf.listWaiting()]);
  const found: Queued[] = [];
  for (const { place, sealed } of waiting) {
    const read = owner && (await unseal<OutboxEntry>(owner.key, sealed).catch(() => undefined));
    if (read?.value.userId === owner?.userId && read) found.push({ place, entry: read.value });
    else await shelf.removeWaiting(place);
  }
  return found;
}

/** Puts another version of an entry in its place. */
export async function replaceEntry(shelf: Shelf, { place, entry }: Queued, now: number): Promise<void> {
  const { key } = await ownerOf(shelf);
  await shelf.replaceWaiting(place, await seal(key, item(entry, now)));
}
