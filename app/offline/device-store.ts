import { type Sealed, deriveKey, randomBytes, seal, SEALING, unseal, type Item } from './encryption.ts';

/** Whose store it is. Names nobody by itself: address and everything else are in sealed items. */
export interface Owner {
  userId: string;
  /** The sign-in whose secret made the key. */
  sessionId: string;
  key: CryptoKey;
  salt: Uint8Array<ArrayBuffer>;
}

/** Something that waits to be sent, by its place in the line. */
interface Waiting {
  place: number;
  sealed: Sealed;
}

/** Signs that outlive the data: a sign-out that the server does not know of yet. */
export type Flag = 'sign-out-pending';

/** Where sealed things are put down. Every method rejects when the browser gives no storage, or no more. */
export interface DeviceStore {
  readOwner(): Promise<Owner | undefined>;
  /** At once: the new owner, what waits sealed for them, and no items of before. */
  changeOwner(owner: Owner, waiting: readonly Waiting[]): Promise<void>;
  readItem(name: string): Promise<Sealed | undefined>;
  writeItem(name: string, sealed: Sealed): Promise<void>;
  removeItem(name: string): Promise<void>;
  /** Removes all items; what waits stays. */
  removeItems(): Promise<void>;
  /** In the order in which it was added. */
  listWaiting(): Promise<Waiting[]>;
  addWaiting(sealed: Sealed): Promise<number>;
  /** Does nothing when it is gone meanwhile. */
  replaceWaiting(place: number, sealed: Sealed): Promise<void>;
  removeWaiting(place: number): Promise<void>;
  /** Removes owner, items and what waits. Flags stay. */
  wipe(): Promise<void>;
  hasFlag(flag: Flag): Promise<boolean>;
  setFlag(flag: Flag, on: boolean): Promise<void>;
}

/** Who is signed in, as the page that the server made says. */
export interface Account {
  userId: string;
  sessionId: string;
}

/** What the server gives once for a key: whose it is, and the secret that is kept nowhere. */
export interface Secret extends Account {
  email: string;
  secret: string;
}

/** What waits, sealed anew for another key. What cannot be read is left behind. */
async function sealAnew(store: DeviceStore, from: Owner, key: CryptoKey): Promise<Waiting[]> {
  const resealed: Waiting[] = [];
  for (const { place, sealed } of await store.listWaiting()) {
    const item = await unseal(from.key, sealed).catch(() => null);
    if (item !== null) resealed.push({ place, sealed: await seal(key, item) });
  }
  return resealed;
}

/**
 * Makes the store that of whoever is signed in. Another person's is wiped before anything else happens; the same
 * person's, from a sign-in that is over, keeps what waits to be sent, under the key of the new one.
 * @param askSecret asks the server, which makes one for the asking; null when nobody is signed in there after all
 * @returns whether there is a store for them
 */
export async function ownStore(
  store: DeviceStore,
  account: Account,
  askSecret: () => Promise<Secret | null>,
): Promise<boolean> {
  const before = await store.readOwner();
  if (before?.userId === account.userId && before.sessionId === account.sessionId) return true;
  if (before !== undefined && before.userId !== account.userId) await store.wipe();
  const secret = await askSecret();
  if (secret === null || secret.userId !== account.userId) return false;
  const salt = randomBytes(SEALING.saltBytes);
  const key = await deriveKey(secret.email, secret.secret, salt);
  const isSame = before?.userId === secret.userId;
  const waiting = isSame ? await sealAnew(store, before, key) : [];
  await store.changeOwner({ userId: secret.userId, sessionId: secret.sessionId, key, salt }, waiting);
  return true;
}

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
