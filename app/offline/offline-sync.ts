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
import { readItem, writeItem, claimStore, type Account, type Secret } from './device-store.ts';
import { notifyTabs } from './broadcast.ts';

let last: Promise<unknown> = Promise.resolve();

/**
 * Runs a change of the outbox while no other tab and no worker makes one. In browsers without locks across tabs, the
 * server still saves each entry only once.
 */
async function oneAtATime<Result>(run: () => Promise<Result>): Promise<Result> {
  if ('locks' in navigator) return await navigator.locks.request('vialbook-outbox', run);
  const next = last.then(run, run);
  last = next.catch(() => undefined);
  return next;
}

/** The parts of a snapshot. Each is an item of its own, so that a damaged one does not affect the others. */
const PARTS = ['account', 'vials', 'history', 'schedules', 'today', 'nextSite'] as const;

/** The last snapshot, with the time of each part; null for missing parts. */
export type Seen = {
  [Part in (typeof PARTS)[number]]: { value: OfflineSnapshot[Part]; timestamp: number } | null;
};

const NO_REDIRECT: RequestInit = { redirect: 'manual', cache: 'no-store' };

async function askSecret(): Promise<Secret | null> {
  const answer = await fetch(SECRET_PATH, { ...NO_REDIRECT, method: 'POST' });
  return answer.ok ? ((await answer.json()) as Secret) : null;
}

/** Makes this browser's store belong to the signed-in user. @throws when the browser stores nothing, or offline */
export async function openStore(account: Account): Promise<boolean> {
  const open = await oneAtATime(() => claimStore(store, account, askSecret));
  notifyTabs();
  return open;
}

/** Loads a new snapshot from the server. If the user is signed out there, their data is removed here. */
export async function refreshSeen(): Promise<void> {
  const owner = await store.readOwner();
  if (owner === undefined) return;
  const answer = await fetch(SNAPSHOT_PATH, NO_REDIRECT);
  if (answer.type === 'opaqueredirect') await store.removeItems();
  if (!answer.ok) return notifyTabs();
  const snapshot = (await answer.json()) as OfflineSnapshot;
  if (snapshot.account.userId !== owner.userId) await store.wipe();
  else {
    const now = Date.now();
    for (const name of PARTS) await writeItem(store, owner, { name, value: snapshot[name], now });
  }
  notifyTabs();
}

export async function readSeen(): Promise<Seen> {
  const now = Date.now();
  const parts = await Promise.all(
    PARTS.map(async (name) => [name, await readItem(store, name, now)] as const),
  );
  return Object.fromEntries(parts) as Seen;
}

export const hasOwner = async (): Promise<boolean> => (await store.readOwner()) !== undefined;

export const readWaiting = (): Promise<Queued[]> => listEntries(store);

/** Sends the waiting entries. Only one tab or worker does so at a time. */
export async function sendWaiting(): Promise<Sent> {
  const sent = await oneAtATime(() => sendEntries(store, postEntry, Date.now));
  notifyTabs();
  return sent;
}

/** Has the worker send entries when the connection is back, even with no page open. Not every browser supports this. */
async function askForSync(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration();
  if (!registration || !('sync' in registration)) return;
  const { sync } = registration as { sync: { register(tag: string): Promise<void> } };
  await sync.register(SYNC_TAG);
}

/** Saves an entry, to be sent when there is a connection. @throws when this browser cannot store it */
export async function queueEntry(entry: Pick<OutboxEntry, 'kind' | 'about' | 'fields'>): Promise<void> {
  const now = new Date();
  await addEntry(store, { ...entry, id: crypto.randomUUID(), at: now.toISOString() }, now.getTime());
  // Asks the browser not to delete this when the disk is full.
  navigator.storage?.persist?.().catch(() => undefined);
  askForSync().catch(() => undefined);
  notifyTabs();
}

/** Queues a refused entry again, as its owner changed it. */
export async function requeueEntry({ place, entry }: Queued): Promise<void> {
  await oneAtATime(() => replaceEntry(store, { place, entry: { ...entry, problem: null } }, Date.now()));
  askForSync().catch(() => undefined);
  notifyTabs();
}

/** Deletes an entry without sending it. */
export async function dropEntry(place: number): Promise<void> {
  await oneAtATime(() => store.removeWaiting(place));
  notifyTabs();
}
