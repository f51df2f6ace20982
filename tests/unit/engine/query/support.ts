import { EngineError } from '#models/engine/errors.ts';
import { compileOperand, expressionContext } from '#models/engine/query/expression/compile.ts';
import {
  applyUpdate,
  compileFilter,
  compileProjection,
  runPipeline,
  type FilterOptions,
  type PipelineContext,
  type ProjectionOptions,
  type UpdateOptions,
} from '#models/engine/query/index.ts';
import { encode } from '#models/engine/values/codec.ts';
import type { Document } from '#models/engine/values/types.ts';

/** The time every test takes place at. */
export const NOW = new Date('2024-02-29T12:30:45.678Z');

/** Whether a document matches a filter. */
export function matches(filter: Document, doc: Document, o?: FilterOptions): boolean {
  return compileFilter(filter, o)(doc);
}

/** The value of an expression, `undefined` when it is missing. */
export function evaluate(spec: unknown, root: Document = {}, o: { variables?: Document } = {}): unknown {
  return compileOperand(spec, expressionContext({ now: NOW, ...o }))({ root, bindings: undefined });
}

/** A document after an update. */
export function updated(
  doc: Document,
  update: Document | Document[],
  o: Partial<UpdateOptions> = {},
): Document {
  return applyUpdate(doc, update, { now: NOW, ...o });
}

/** A document as a find with a projection gives it. */
export function projected(spec: Document, doc: Document, o?: ProjectionOptions): Document {
  return compileProjection(spec, o)(doc);
}

/** The result of a pipeline. */
export function aggregated(
  stages: Document[],
  docs: Document[],
  o: Partial<PipelineContext> = {},
): Document[] {
  return [...runPipeline(stages, docs, { now: NOW, ...o })];
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
