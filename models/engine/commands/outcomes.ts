import { EngineError } from '../errors.ts';
import type { WriteView } from '../storage/index.ts';
import { decode, encode } from '../values/codec.ts';
import { Long, type Document } from '../values/types.ts';
import type { CommandContext, Engine } from './context.ts';
import { SESSION_TIMEOUT_MINUTES } from './sessions.ts';
import { outcomeKey } from './transactions.ts';

/**
 * What this very write did already, when it is a second attempt; null for a first one.
 * @throws EngineError 225 when the session has gone on to a later write.
 */
export function recallOutcome(context: CommandContext, txn: WriteView): Document | null {
  const { session, retryNumber } = context.request;
  if (!session || retryNumber === null) return null;
  const stored = txn.getMeta(outcomeKey(session.id));
  if (!stored) return null;
  const { number, state, committed } = decode(stored);
  const known = number instanceof Long ? number.toBigInt() : -1n;
  if (known > retryNumber) {
    throw new EngineError(
      'TransactionTooOld',
      `Retryable write with txnNumber ${retryNumber} is prohibited on session ${session.id} because a newer one with txnNumber ${known} has already started.`,
    );
  }
  if (known < retryNumber) return null;
  if (committed) throw new EngineError(217, 'the number belongs to a transaction');
  return state as Document;
}

/** Stores what a retryable write has done, together with the write. Does nothing for other writes. */
export function recordOutcome(context: CommandContext, txn: WriteView, state: Document): void {
  const { session, retryNumber } = context.request;
  if (!session || retryNumber === null) return;
  txn.putMeta(
    outcomeKey(session.id),
    encode({ number: Long.fromBigInt(retryNumber), at: context.now, state }),
  );
}

/** Removes stored outcomes of sessions that have long ended. Returns how many. */
export function sweepOutcomes(engine: Engine, now: Date, limit = 1000): Promise<number> {
  const oldest = now.getTime() - SESSION_TIMEOUT_MINUTES * 60_000;
  return engine.store.write((txn) =>
    txn.sweepMeta('t', (value) => (decode(value)['at'] as Date).getTime() < oldest, limit),
  );
}
