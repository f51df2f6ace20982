import type { Budget } from '../budget.ts';
import { EngineError } from '../errors.ts';
import type { CompactReport, Store, WriteView } from '../storage/index.ts';
import { decode } from '../values/decode.ts';
import { encode } from '../values/encode.ts';
import { isDocument, Long, type Document } from '../values/types.ts';
import type { CommandContext } from './context.ts';
import { SESSION_TIMEOUT_MINUTES } from './sessions.ts';

/** The key of the outcome of a session's last retryable write or transaction. */
function outcomeKey(session: string): string {
  return `t${session}`;
}

/**
 * What an earlier attempt of this write has already done; null for a first attempt.
 * @throws EngineError 225 when the session has moved on to a later write.
 */
export function recallOutcome(context: CommandContext, txn: WriteView): Document | null {
  const { session, retryNumber } = context.request;
  if (!session || retryNumber === null) return null;
  const stored = txn.getMeta(outcomeKey(session.id));
  if (!stored) return null;
  const { number, state } = decode(stored);
  const known = number instanceof Long ? number.toBigInt() : -1n;
  if (known > retryNumber) {
    throw new EngineError(
      'TransactionTooOld',
      `Retryable write with txnNumber ${retryNumber} is prohibited on session ${session.id} because a newer one with txnNumber ${known} has already started.`,
    );
  }
  if (known < retryNumber) return null;
  if (isDocument(state)) return state;
  throw notAWrite(retryNumber);
}

/** Stores the outcome of a retryable write, together with the write itself. Does nothing for other writes. */
export function recordOutcome(context: CommandContext, txn: WriteView, state: Document): void {
  const { session, retryNumber } = context.request;
  if (!session || retryNumber === null) return;
  txn.putMeta(
    outcomeKey(session.id),
    encode({ number: Long.fromBigInt(retryNumber), at: context.now, state }),
  );
}

/** The error for a write with the number of a transaction. */
export function notAWrite(number: bigint): EngineError {
  const message = `Cannot retry a retryable write that has been converted into a transaction: ${number}`;
  return new EngineError('IncompleteTransactionHistory', message);
}

/** Stores that a transaction was committed, together with what it has written. */
export function recordCommit(txn: WriteView, session: string, number: bigint, at: Date): void {
  txn.putMeta(outcomeKey(session), encode({ number: Long.fromBigInt(number), at, isCommitted: true }));
}

/** Whether the store says that a transaction was committed, once that is on disk. */
export function storedCommit(store: Store, session: string, number: bigint): Promise<boolean> {
  return store.write((txn) => {
    const stored = txn.getMeta(outcomeKey(session));
    if (!stored) return false;
    const { number: last, isCommitted } = decode(stored);
    return isCommitted === true && last instanceof Long && last.toBigInt() === number;
  });
}

const SWEEP_SLICE = 500;
const SESSION_TIMEOUT_MS = SESSION_TIMEOUT_MINUTES * 60_000;
/** A client retries a write at once, or within its server selection timeout. */
const LONGEST_RETRY_MS = 2 * 60_000;

/** Removes the outcomes of ended sessions, which will not retry anything. */
export async function forgetOutcomes(store: Store, sessions: string[]): Promise<void> {
  const known = store.read((view) => sessions.filter((id) => view.getMeta(outcomeKey(id)) !== null));
  if (known.length > 0) await store.write((txn) => known.forEach((id) => txn.removeMeta(outcomeKey(id))));
}

/**
 * Compacts the store. An outcome may contain a document that has since been removed, so outcomes that can no longer be
 * requested are removed first.
 */
export async function compactStore(store: Store, budget?: Budget): Promise<CompactReport> {
  await sweepOutcomes(store, new Date(), LONGEST_RETRY_MS);
  return store.compact(budget);
}

/** Removes the stored outcomes of sessions that ended long ago, a slice at a time. Returns how many. */
export async function sweepOutcomes(
  store: Store,
  now: Date,
  keptMs: number = SESSION_TIMEOUT_MS,
): Promise<number> {
  const oldest = now.getTime() - keptMs;
  const isOld = (value: Uint8Array) => (decode(value)['at'] as Date).getTime() < oldest;
  let removed = 0;
  for (let slice = SWEEP_SLICE; slice === SWEEP_SLICE; removed += slice) {
    slice = await store.write((txn) => txn.sweepMeta(outcomeKey(''), isOld, SWEEP_SLICE));
  }
  return removed;
}
