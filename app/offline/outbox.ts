import type { OutboxEntry, Answer, Problem } from '#app/domain/offline/entry.ts';
import { seal, unseal } from './encryption.ts';
import type { Owner, DeviceStore } from './device-store.ts';
import { OUTBOX_PATH } from './paths.ts';

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

const TIMEOUT_MS = 30_000;

/** Answers after which the same entry may be taken at another time. */
const isPassing = (status: number) => status >= 500 || status === 408 || status === 429;

interface Refusal extends Partial<Problem> {
  error?: string;
}

interface Outcome {
  done?: boolean;
  warnings?: { code: string; message: string }[];
  askedAmount?: string;
}

/** The question that has to be answered before a dose is written. */
function questionOf({ warnings = [], askedAmount }: Outcome): Answer {
  const message = warnings.map((warning) => warning.message).join(' ');
  const confirm = warnings.map(({ code }) => code);
  const asked = askedAmount === undefined ? {} : { askedAmount };
  return { kind: 'refused', problem: { code: 'QUESTION', message, fields: {}, confirm, ...asked } };
}

/** What an answer of the server says about an entry. One that makes no sense counts as none. */
export async function readAnswer(answer: Response): Promise<Answer> {
  // Whoever is not signed in is sent to the sign-in page.
  if (answer.type === 'opaqueredirect' || answer.status === 401) return { kind: 'signed-out' };
  const body = (await answer.json().catch(() => null)) as (Refusal & Outcome) | null;
  if (body === null || isPassing(answer.status) || answer.headers.has('Retry-After'))
    return { kind: 'later' };
  if (answer.ok) return body.done === true ? { kind: 'written' } : questionOf(body);
  if (body.error === 'FORBIDDEN') return { kind: 'other-user' };
  const { error = 'REFUSED', message = 'The server did not accept this entry.', fields = {} } = body;
  return { kind: 'refused', problem: { code: error, message, fields, confirm: [] } };
}

/** Sends an entry with the session of this browser. */
export async function postEntry({ userId, id, kind, at, fields }: OutboxEntry): Promise<Answer> {
  try {
    const answer = await fetch(OUTBOX_PATH, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ userId, id, kind, at, fields }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return await readAnswer(answer);
  } catch {
    return { kind: 'later' };
  }
}

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
