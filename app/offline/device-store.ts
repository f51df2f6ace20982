import { type Sealed, deriveKey, randomBytes, seal, SEALING, unseal, type Item } from './encryption.ts';

/** The owner of the store, without personal data: that is in the encrypted items. */
export interface Owner {
  userId: string;
  /** The session whose secret the key is derived from. */
  sessionId: string;
  key: CryptoKey;
  salt: Uint8Array<ArrayBuffer>;
}

/** An encrypted entry that waits to be sent, with its place in the queue. */
interface Waiting {
  place: number;
  sealed: Sealed;
}

/** Flags that outlive the data. `sign-out-pending`: the server does not know of the sign-out yet. */
export type Flag = 'sign-out-pending';

/** Storage for encrypted data. Every method rejects if the browser allows no storage, or it is full. */
export interface DeviceStore {
  readOwner(): Promise<Owner | undefined>;
  /** In one transaction: sets the owner, replaces the waiting entries and removes all items. */
  changeOwner(owner: Owner, waiting: readonly Waiting[]): Promise<void>;
  readItem(name: string): Promise<Sealed | undefined>;
  writeItem(name: string, sealed: Sealed): Promise<void>;
  removeItem(name: string): Promise<void>;
  /** Removes all items; waiting entries stay. */
  removeItems(): Promise<void>;
  /** In the order they were added. */
  listWaiting(): Promise<Waiting[]>;
  addWaiting(sealed: Sealed): Promise<number>;
  /** Does nothing if the entry has been removed in the meantime. */
  replaceWaiting(place: number, sealed: Sealed): Promise<void>;
  removeWaiting(place: number): Promise<void>;
  /** Removes owner, items and waiting entries. Flags stay. */
  wipe(): Promise<void>;
  hasFlag(flag: Flag): Promise<boolean>;
  setFlag(flag: Flag, on: boolean): Promise<void>;
}

/** Who is signed in, according to the page from the server. */
export interface Account {
  userId: string;
  sessionId: string;
}

/** What the server returns for deriving a key: the owner, and a secret that is not stored. */
export interface Secret extends Account {
  email: string;
  secret: string;
}

/** Encrypts the waiting entries with another key. Unreadable ones are dropped. */
async function reseal(store: DeviceStore, from: Owner, key: CryptoKey): Promise<Waiting[]> {
  const resealed: Waiting[] = [];
  for (const { place, sealed } of await store.listWaiting()) {
    const item = await unseal(from.key, sealed).catch(() => null);
    if (item !== null) resealed.push({ place, sealed: await seal(key, item) });
  }
  return resealed;
}

/**
 * Makes the store belong to the signed-in user. Another user's store is wiped first. The same user's store from an earlier
 * session keeps its waiting entries, encrypted with the new session's key.
 * @param askSecret requests the secret from the server; null if nobody is signed in there after all
 * @returns whether the store is ready for them
 */
export async function claimStore(
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
  const waiting = isSame ? await reseal(store, before, key) : [];
  await store.changeOwner({ userId: secret.userId, sessionId: secret.sessionId, key, salt }, waiting);
  return true;
}

const DAY_MS = 86_400_000;
/** How long data is kept without being refreshed. */
export const ITEM_LIFE_MS = 30 * DAY_MS;

/** Encrypts and stores a value with the key of its owner. If the owner changes meanwhile, the new one cannot read it. */
export async function writeItem<Value>(
  store: DeviceStore,
  owner: Owner,
  { name, value, now }: { name: string; value: Value; now: number },
): Promise<void> {
  const item: Item<Value> = { value, timestamp: now, expiresAt: now + ITEM_LIFE_MS };
  await store.writeItem(name, await seal(owner.key, item));
}

/**
 * True once an item has expired. A clock that was set forward expires items early; the next refresh restores them.
 */
const isExpired = ({ expiresAt }: Item<unknown>, now: number) => expiresAt !== null && expiresAt <= now;

/**
 * Reads a value. An unreadable or expired one is removed and counts as missing.
 * @returns null if there is none
 */
export async function readItem<Value>(
  store: DeviceStore,
  name: string,
  now: number,
): Promise<Item<Value> | null> {
  const [owner, sealed] = await Promise.all([store.readOwner(), store.readItem(name)]);
  if (sealed === undefined) return null;
  const item = owner && (await unseal<Value>(owner.key, sealed).catch(() => undefined));
  if (item && !isExpired(item, now)) return item;
  await store.removeItem(name);
  return null;
}
