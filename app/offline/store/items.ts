import { seal, unseal, type Item } from './encryption.ts';
import type { Owner, DeviceStore } from './store.ts';

const DAY_MS = 86_400_000;
/** How long what was last seen is kept without being seen again. */
export const KEPT_MS = 30 * DAY_MS;

/** Seals a value under a name, for the owner that it is of: should another one come meanwhile, they cannot read it. */
export async function writeItem<Value>(
  store: DeviceStore,
  owner: Owner,
  { name, value, now }: { name: string; value: Value; now: number },
): Promise<void> {
  const item: Item<Value> = { value, timestamp: now, expiresAt: now + KEPT_MS };
  await store.writeItem(name, await seal(owner.key, item));
}

/**
 * True once an item's time is over. A clock that was set back makes nothing older; one that was set forward makes
 * things old at once, and the next look at the server brings them back.
 */
const isOver = ({ expiresAt }: Item<unknown>, now: number) => expiresAt !== null && expiresAt <= now;

/**
 * Reads a value. One that cannot be read, or whose time is over, is removed and counts as missing.
 * @returns null when there is none
 */
export async function readItem<Value>(
  store: DeviceStore,
  name: string,
  now: number,
): Promise<Item<Value> | null> {
  const [owner, sealed] = await Promise.all([store.readOwner(), store.readItem(name)]);
  if (sealed === undefined) return null;
  const item = owner && (await unseal<Value>(owner.key, sealed).catch(() => undefined));
  if (item && !isOver(item, now)) return item;
  await store.removeItem(name);
  return null;
}
