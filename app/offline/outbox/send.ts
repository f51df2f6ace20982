import type { Answer, OutboxEntry } from '#app/domain/offline/entry.ts';
import type { DeviceStore } from '#app/offline/store/store.ts';
import { listEntries, replaceEntry } from './queue.ts';

/** What came of sending: how many were written and refused, and whether the rest has to wait, and why. */
export interface Sent {
  written: number;
  refused: number;
  stopped: null | 'later' | 'signed-out' | 'other-user';
}

/** What else an answer means for the store: nothing of somebody signed out stays readable, nothing of another person at all. */
async function clearAfter(store: DeviceStore, stopped: Sent['stopped']): Promise<void> {
  if (stopped === 'signed-out') await store.removeItems();
  if (stopped === 'other-user') await store.wipe();
}

/**
 * Sends what waits, one after the other in the order it was written down. A refused entry stays for its owner to decide
 * about, and the ones behind it go on; without an answer everything from there on waits. Two may never run at once.
 */
export async function sendEntries(
  store: DeviceStore,
  send: (entry: OutboxEntry) => Promise<Answer>,
  now: () => number,
): Promise<Sent> {
  const sent: Sent = { written: 0, refused: 0, stopped: null };
  for (const { place, entry } of await listEntries(store)) {
    if (entry.problem !== null) continue;
    const answer = await send(entry);
    if (answer.kind === 'written') {
      await store.removeWaiting(place);
      sent.written += 1;
    } else if (answer.kind === 'refused') {
      await replaceEntry(store, { place, entry: { ...entry, problem: answer.problem } }, now());
      sent.refused += 1;
    } else {
      await clearAfter(store, answer.kind);
      return { ...sent, stopped: answer.kind };
    }
  }
  return sent;
}
