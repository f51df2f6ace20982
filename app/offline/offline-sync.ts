import type { OfflineSnapshot } from '#app/domain/offline/snapshot.ts';
import type { OutboxEntry } from '#app/domain/offline/entry.ts';
import {
  postEntry,
  addEntry,
  listEntries,
  replaceEntry,
  type Queued,
  sendEntries,
  type Sent,
} from './outbox.ts';
import { SECRET_PATH, SNAPSHOT_PATH, SYNC_TAG } from './paths.ts';
import { browserStore as store } from './browser-store.ts';
import { readItem, writeItem, ownStore, type Account, type Secret } from './device-store.ts';
import { tellOthers } from './broadcast.ts';

let last: Promise<unknown> = Promise.resolve();

/**
 * Runs what changes the outbox while no other tab and no worker does. Where there are no locks across tabs the server
 * still writes each entry once.
 */
async function oneAtATime<Result>(run: () => Promise<Result>): Promise<Result> {
  if ('locks' in navigator) return await navigator.locks.request('vialbook-outbox', run);
  const next = last.then(run, run);
  last = next.catch(() => undefined);
  return next;
}

/** The parts of what was last seen; each is an item of its own, so that one that is damaged takes no other along. */
const PARTS = ['account', 'vials', 'history', 'schedules', 'today', 'nextSite'] as const;

/** What was last seen, with the time of each part; null for what is missing. */
export type Seen = {
  [Part in (typeof PARTS)[number]]: { value: OfflineSnapshot[Part]; timestamp: number } | null;
};

const NO_SECONDS: RequestInit = { redirect: 'manual', cache: 'no-store' };

async function askSecret(): Promise<Secret | null> {
  const answer = await fetch(SECRET_PATH, { ...NO_SECONDS, method: 'POST' });
  return answer.ok ? ((await answer.json()) as Secret) : null;
}

/** Makes this browser's store that of whoever is signed in. @throws when the browser keeps nothing, or nobody answers */
export async function openStore(account: Account): Promise<boolean> {
  const open = await oneAtATime(() => ownStore(store, account, askSecret));
  tellOthers();
  return open;
}

/** Looks at the server and keeps what it shows. Nothing of somebody who is signed out there stays readable here. */
export async function refreshSeen(): Promise<void> {
  const owner = await store.readOwner();
  if (owner === undefined) return;
  const answer = await fetch(SNAPSHOT_PATH, NO_SECONDS);
  if (answer.type === 'opaqueredirect') await store.removeItems();
  if (!answer.ok) return tellOthers();
  const snapshot = (await answer.json()) as OfflineSnapshot;
  if (snapshot.account.userId !== owner.userId) await store.wipe();
  else {
    const now = Date.now();
    for (const name of PARTS) await writeItem(store, owner, { name, value: snapshot[name], now });
  }
  tellOthers();
}

/** Everything that was last seen. */
export async function readSeen(): Promise<Seen> {
  const now = Date.now();
  const parts = await Promise.all(
    PARTS.map(async (name) => [name, await readItem(store, name, now)] as const),
  );
  return Object.fromEntries(parts) as Seen;
}

export const hasOwner = async (): Promise<boolean> => (await store.readOwner()) !== undefined;

export const readWaiting = (): Promise<Queued[]> => listEntries(store);

/** Sends what waits. Of all tabs and the worker one does. */
export async function sendWaiting(): Promise<Sent> {
  const sent = await oneAtATime(() => sendEntries(store, postEntry, Date.now));
  tellOthers();
  return sent;
}

/** Has the worker send when the connection is back, even if no page is open then. Not every browser can. */
async function askForSync(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration();
  if (!registration || !('sync' in registration)) return;
  const { sync } = registration as { sync: { register(tag: string): Promise<void> } };
  await sync.register(SYNC_TAG);
}

/** Writes an entry down, to be sent when there is a connection. @throws when this browser cannot keep it */
export async function writeDown(entry: Pick<OutboxEntry, 'kind' | 'about' | 'fields'>): Promise<void> {
  const now = new Date();
  await addEntry(store, { ...entry, id: crypto.randomUUID(), at: now.toISOString() }, now.getTime());
  // Asks the browser not to clear this away when the disk is full.
  navigator.storage?.persist?.().catch(() => undefined);
  askForSync().catch(() => undefined);
  tellOthers();
}

/** Sends an entry again, as its owner changed it. */
export async function writeAnew({ place, entry }: Queued): Promise<void> {
  await oneAtATime(() => replaceEntry(store, { place, entry: { ...entry, problem: null } }, Date.now()));
  askForSync().catch(() => undefined);
  tellOthers();
}

/** Gives an entry up. */
export async function dropEntry(place: number): Promise<void> {
  await oneAtATime(() => store.removeWaiting(place));
  tellOthers();
}
