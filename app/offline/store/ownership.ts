import { deriveKey, randomBytes, seal, SEALING, unseal } from './encryption.ts';
import type { Owner, DeviceStore, Waiting } from './store.ts';

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
