import { unpaused } from '#models/engine/budget.ts';
import { EngineError } from '#models/engine/errors.ts';
import { compileExpression } from '#models/engine/query/expression.ts';
import {
  compileFilter,
  compilePipeline,
  compileProjection,
  compileUpdate,
} from '#models/engine/query/index.ts';
import { encode } from '#models/engine/values/encode.ts';
import type { Document } from '#models/engine/values/types.ts';

/** The time every test takes place at. */
export const NOW = new Date('2024-02-29T12:30:45.678Z');

/** Whether a document matches a filter. */
export function matches(filter: Document, doc: Document): boolean {
  return compileFilter(filter)(doc);
}

/** The value of an expression, `undefined` when it is missing. */
export function evaluate(spec: unknown, root: Document = {}): unknown {
  return compileExpression(spec)(root);
}

/** A document after an update. */
export function updated(doc: Document, update: Document, o: { isUpsertInsert?: boolean } = {}): Document {
  return compileUpdate(update, o)(doc);
}

/** A document as a find with a projection gives it. */
export function projected(spec: Document, doc: Document): Document {
  return compileProjection(spec)(doc);
}

/** The result of a pipeline. */
export function aggregated(stages: Document[], docs: Document[]): Document[] {
  return [...unpaused(compilePipeline(stages)(docs))];
}

/** The code and message of the error something throws; anything but an {@link EngineError} fails the test. */
export function failure(act: () => unknown): { code: number; message: string } {
  try {
    act();
  } catch (error) {
    if (error instanceof EngineError) return { code: error.code, message: error.message };
    throw error;
  }
  throw new Error('nothing was thrown');
}

/** The code of the error something throws. */
export function codeOf(act: () => unknown): number {
  return failure(act).code;
}

/** A document's bytes, which tell types and order apart. */
export function bytes(doc: Document): string {
  return Buffer.from(encode(doc)).toString('hex');
}

/** The keys of a document in order, for what `toEqual` does not see. */
export function keysOf(doc: Document): string[] {
  return Object.keys(doc);
}
