import { isSliceOver, PAUSE, tryAtOnce, type Steps } from '../budget.ts';
import { CODES, EngineError } from '../errors.ts';
import type { Choice, ReadView, WriteView } from '../storage/index.ts';
import { isDocument, type Document } from '../values/types.ts';
import { LIMITS } from '../wire/limits.ts';
import type { CommandContext } from './context.ts';
import { recallOutcome, recordOutcome } from './outcomes.ts';
import { writeErrorEntry } from './reply.ts';

/** The results so far of the statements of one insert, update or delete. */
export interface BatchResult {
  n: number;
  nModified: number;
  upserted: Document[];
  writeErrors: Document[];
}

/** The effect of one statement; counted only if it succeeded. */
export interface Effect {
  n: number;
  nModified?: number;
  /** The new document's `_id`, when the statement inserted one by `upsert`. */
  upserted?: { _id: unknown };
}

/** The statements of a batch, by index. */
export interface Statements {
  count: number;
  /** Stops after the first failure. */
  ordered: boolean;
  /** Runs one statement, on the documents chosen beforehand if there are any. */
  run(txn: WriteView, index: number, choice: Choice | null): Steps<Effect>;
  /** Finds the documents that a statement will change. */
  choose?(view: ReadView, index: number): Steps<Choice>;
}

/** How long one write may delay others before the rest of a batch queues again, in ms. */
const SLICE_MS = 20;
/** How long a statement may take within a group, in ms. */
const STATEMENT_MS = 5;

/** Thrown for a statement that takes longer, which is then undone. */
class TakesLong extends Error {}

/** @throws EngineError 16 when a batch is empty or too large. */
export function checkBatchSize(count: number): void {
  if (count >= 1 && count <= LIMITS.batchCount) return;
  throw new EngineError(
    'InvalidLength',
    `Write batch sizes must be between 1 and ${LIMITS.batchCount}. Got ${count} operations.`,
  );
}

/**
 * Runs a batch. A failed statement is undone on its own; the rest continues unless the batch is ordered. A long batch is
 * written in slices so that others get their turn; each slice records how far a retryable batch has come.
 *
 * A statement that takes long is undone and run by itself: the documents it will change are found first, on a snapshot,
 * while others write; then they are checked again and changed in one write, while others can read. The only statement of
 * a batch runs by itself from the start: it is undone along with its write and needs no part of its own.
 */
export async function runBatch(context: CommandContext, statements: Statements): Promise<BatchResult> {
  const result = { n: 0, nModified: 0, upserted: [], writeErrors: [] };
  if (context.request.transaction) return context.change((txn) => runInTransaction(txn, statements, result));
  let progress: Progress = { at: 0, result, isLong: false };
  while (progress.at < statements.count) {
    const before = progress;
    progress =
      progress.isLong || statements.count === 1
        ? await runAlone(context, statements, before)
        : await context.change((txn) => runSlice(context, txn, statements, before));
  }
  return progress.result;
}

interface Progress {
  /** The next statement. */
  at: number;
  result: BatchResult;
  /** It was started and takes long. */
  isLong: boolean;
}

/** How far the batch has come, including what an earlier attempt has done. */
function resumed(context: CommandContext, txn: WriteView, { at, result }: Progress): Progress {
  const stored = resume(recallOutcome(context, txn));
  return stored && stored.at > at
    ? { ...stored, isLong: false }
    : { at, result: copyOf(result), isLong: false };
}

function note(context: CommandContext, txn: WriteView, { at, result }: Progress): void {
  recordOutcome(context, txn, { at, ...result });
}

function addEffect(result: BatchResult, index: number, effect: Effect): void {
  result.n += effect.n;
  result.nModified += effect.nModified ?? 0;
  if (effect.upserted) result.upserted.push({ index, ...effect.upserted });
}

/** Records a failed statement. @returns where to continue */
function addFailure(
  { count, ordered }: Statements,
  result: BatchResult,
  index: number,
  error: unknown,
): number {
  if (!(error instanceof EngineError) || ENDINGS.has(error.code)) throw error;
  result.writeErrors.push(writeErrorEntry(index, error));
  return ordered ? count : index + 1;
}

/** Runs a batch up to its first failure, even an unordered one: the whole transaction is then aborted. */
function* runInTransaction(txn: WriteView, statements: Statements, result: BatchResult): Steps<BatchResult> {
  for (let index = 0; index < statements.count; index += 1) {
    try {
      addEffect(result, index, yield* statements.run(txn, index, null));
    } catch (error) {
      addFailure(statements, result, index, error);
      return result;
    }
    if (isSliceOver()) yield PAUSE;
  }
  return result;
}

function* runSlice(
  context: CommandContext,
  txn: WriteView,
  statements: Statements,
  before: Progress,
): Steps<Progress> {
  const progress = resumed(context, txn, before);
  const from = progress.at;
  const until = performance.now() + SLICE_MS;
  while (progress.at < statements.count && performance.now() < until) {
    const index = progress.at;
    try {
      const effect = txn.attempt(() => soon(statements.run(txn, index, null)));
      addEffect(progress.result, index, effect);
      progress.at += 1;
    } catch (error) {
      if (error instanceof TakesLong) {
        progress.isLong = true;
        break;
      }
      progress.at = addFailure(statements, progress.result, index, error);
    }
    if (isSliceOver()) yield PAUSE;
  }
  if (progress.at > from) note(context, txn, progress);
  return progress;
}

function soon(steps: Steps<Effect>): Effect {
  const done = tryAtOnce(steps, STATEMENT_MS);
  if (!done) throw new TakesLong();
  return done.value;
}

async function runAlone(
  context: CommandContext,
  statements: Statements,
  before: Progress,
): Promise<Progress> {
  const index = before.at;
  const choose = before.isLong ? statements.choose?.bind(statements) : undefined;
  const choice = choose ? await context.readSteps((view) => choose(view, index)) : null;
  let failure: unknown;
  try {
    return await context.change(function* (txn) {
      const progress = resumed(context, txn, before);
      if (progress.at > index) return progress;
      const steps = statements.run(txn, index, choice);
      try {
        addEffect(progress.result, index, before.isLong ? yield* steps : soon(steps));
      } catch (error) {
        failure = error;
        throw error;
      }
      progress.at += 1;
      note(context, txn, progress);
      return progress;
    });
  } catch (error) {
    if (failure === undefined || (error !== failure && (error as Error).cause !== failure)) throw error;
    if (failure instanceof TakesLong) return { ...before, isLong: true };
    const result = copyOf(before.result);
    const progress = { at: addFailure(statements, result, index, failure), result, isLong: false };
    if (context.request.retryNumber !== null) await context.write((txn) => note(context, txn, progress));
    return progress;
  }
}

/** Error codes that concern the whole command rather than one statement. */
const ENDINGS = new Set<number>([
  CODES.WriteConflict,
  CODES.MaxTimeMSExpired,
  CODES.Interrupted,
  CODES.InterruptedAtShutdown,
  CODES.ClientDisconnect,
  CODES.OutOfDiskSpace,
]);

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
