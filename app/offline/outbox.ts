import type { OutboxEntry, Answer, Problem } from '#app/domain/offline/entry.ts';
import { seal, unseal } from './encryption.ts';
import type { Owner, DeviceStore } from './device-store.ts';
import { OUTBOX_PATH } from './paths.ts';

/** An entry with its place in the queue. */
export interface Queued {
  place: number;
  entry: OutboxEntry;
}

/** Waiting entries never expire. */
const item = (entry: OutboxEntry, now: number) => ({ value: entry, timestamp: now, expiresAt: null });

async function ownerOf(store: DeviceStore): Promise<Owner> {
  const owner = await store.readOwner();
  if (owner === undefined) throw new Error('Nobody is signed in on this device.');
  return owner;
}

/** Adds an entry of the store's owner to the end of the queue. @throws Error when it cannot be stored */
export async function addEntry(
  store: DeviceStore,
  entry: Omit<OutboxEntry, 'userId' | 'problem'>,
  now: number,
): Promise<Queued> {
  const { key, userId } = await ownerOf(store);
  const whole: OutboxEntry = { ...entry, userId, problem: null };
  return { place: await store.addWaiting(await seal(key, item(whole, now))), entry: whole };
}

/** The owner's entries in order. Entries that are unreadable or someone else's are removed. */
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

/** Replaces an entry, keeping its place. */
export async function replaceEntry(store: DeviceStore, { place, entry }: Queued, now: number): Promise<void> {
  const { key } = await ownerOf(store);
  await store.replaceWaiting(place, await seal(key, item(entry, now)));
}

const TIMEOUT_MS = 30_000;

/** Temporary failures: the same entry may be accepted later. */
const isPassing = (status: number) => status >= 500 || status === 408 || status === 429;

interface Refusal extends Partial<Problem> {
  error?: string;
}

interface Outcome {
  done?: boolean;
  warnings?: { code: string; message: string }[];
  askedAmount?: string;
}

/** The question to answer before a dose is saved. */
function questionOf({ warnings = [], askedAmount }: Outcome): Answer {
  const message = warnings.map((warning) => warning.message).join(' ');
  const confirm = warnings.map(({ code }) => code);
  const amount = askedAmount === undefined ? {} : { askedAmount };
  return { kind: 'refused', problem: { code: 'QUESTION', message, fields: {}, confirm, ...amount } };
}

/** Interprets the server's response to an entry. An unreadable one counts as none. */
export async function readAnswer(answer: Response): Promise<Answer> {
  // Signed-out users are redirected to the sign-in page.
  if (answer.type === 'opaqueredirect' || answer.status === 401) return { kind: 'signed-out' };
  const body = (await answer.json().catch(() => null)) as (Refusal & Outcome) | null;
  if (body === null || isPassing(answer.status) || answer.headers.has('Retry-After'))
    return { kind: 'later' };
  if (answer.ok) return body.done === true ? { kind: 'written' } : questionOf(body);
  if (body.error === 'FORBIDDEN') return { kind: 'other-user' };
  const { error = 'REFUSED', message = 'The server did not accept this entry.', fields = {} } = body;
  return { kind: 'refused', problem: { code: error, message, fields, confirm: [] } };
}

/** Sends an entry with this browser's session. */
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

/** The result of sending: how many entries were saved and refused, and why the rest has to wait, if it has to. */
export interface Sent {
  written: number;
  refused: number;
  stopped: null | 'later' | 'signed-out' | 'other-user';
}

/** Removes the items of a user who was signed out, and everything if someone else is signed in. */
async function clearAfter(store: DeviceStore, stopped: Sent['stopped']): Promise<void> {
  if (stopped === 'signed-out') await store.removeItems();
  if (stopped === 'other-user') await store.wipe();
}

/**
 * Sends the waiting entries one by one, in order. A refused entry stays for its owner to decide, and the next ones are still
 * sent; without an answer, that entry and the rest wait. Must not run twice at the same time.
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
