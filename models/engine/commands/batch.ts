import { EngineError } from '../errors.ts';
import type { WriteView } from '../storage/index.ts';
import { isDocument, type Document } from '../values/types.ts';
import { LIMITS } from '../wire/limits.ts';
import type { CommandContext } from './context.ts';
import { recallOutcome, recordOutcome } from './outcomes.ts';
import { writeErrorEntry } from './reply.ts';

/** What the statements of one insert, update or delete did so far. */
export interface BatchResult {
  n: number;
  nModified: number;
  upserted: Document[];
  writeErrors: Document[];
}

/** What one statement did; counted only when it did not fail. */
export interface Effect {
  n: number;
  nModified?: number;
  /** The new document's `_id`, when the statement inserted one by `upsert`. */
  upserted?: { _id: unknown };
}

/** One statement of a batch, by its place. */
export type Statement = (txn: WriteView, index: number) => Effect;

/** How long one write may hold the others up before the rest of a batch queues again. */
const SLICE_MS = 20;

/** @throws EngineError 16 when a batch is empty or too large. */
export function checkBatchSize(count: number): void {
  if (count >= 1 && count <= LIMITS.batchCount) return;
  throw new EngineError(
    'InvalidLength',
    `Write batch sizes must be between 1 and ${LIMITS.batchCount}. Got ${count} operations.`,
  );
}

/**
 * Runs a batch, each statement undone alone when it fails; the rest goes on unless the batch is ordered. A long batch is
 * written in slices so that others get their turn; each slice carries the record of how far a retryable batch has come.
 */
export async function runBatch(
  context: CommandContext,
  count: number,
  ordered: boolean,
  statement: Statement,
): Promise<BatchResult> {
  let at = 0;
  let result: BatchResult = { n: 0, nModified: 0, upserted: [], writeErrors: [] };
  while (at < count) {
    const step = await context.write((txn) => {
      const resumed = resume(recallOutcome(context, txn));
      const from = resumed ? resumed.at : at;
      const sofar = resumed ? resumed.result : copyOf(result);
      const next = runSlice(context, txn, { from, count, ordered, statement, result: sofar });
      if (next > from) recordOutcome(context, txn, { at: next, ...sofar });
      return { at: next, result: sofar };
    });
    at = step.at;
    result = step.result;
  }
  return result;
}

interface Slice {
  from: number;
  count: number;
  ordered: boolean;
  statement: Statement;
  result: BatchResult;
}

function runSlice(
  context: CommandContext,
  txn: WriteView,
  { from, count, ordered, statement, result }: Slice,
): number {
  const started = Date.now();
  for (let index = from; index < count; index += 1) {
    context.checkTime();
    try {
      const effect = txn.attempt(() => statement(txn, index));
      result.n += effect.n;
      result.nModified += effect.nModified ?? 0;
      if (effect.upserted) result.upserted.push({ index, ...effect.upserted });
    } catch (error) {
      if (!(error instanceof EngineError) || mustEndCommand(error)) throw error;
      result.writeErrors.push(writeErrorEntry(index, error));
      // In a transaction one failed statement is the end of it.
      if (ordered || context.request.transaction) return count;
    }
    if (Date.now() - started > SLICE_MS && !context.request.transaction) return index + 1;
  }
  return count;
}

/** Errors that speak of the whole command or transaction, not of one statement. */
function mustEndCommand(error: EngineError): boolean {
  return (
    error.labels.includes('TransientTransactionError') ||
    error.codeName === 'MaxTimeMSExpired' ||
    error.codeName === 'OutOfDiskSpace'
  );
}

function copyOf(result: BatchResult): BatchResult {
  return { ...result, upserted: [...result.upserted], writeErrors: [...result.writeErrors] };
}

function resume(state: Document | null): { at: number; result: BatchResult } | null {
  if (!state) return null;
  const documents = (value: unknown) => (Array.isArray(value) ? value.filter(isDocument) : []);
  return {
    at: Number(state['at']),
    result: {
      n: Number(state['n']),
      nModified: Number(state['nModified']),
      upserted: documents(state['upserted']),
      writeErrors: documents(state['writeErrors']),
    },
  };
}
