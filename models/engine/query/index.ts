import { Aggregator, update as updateInPlace } from 'mingo';
import { EngineError } from '../errors.ts';
import { isDocument, type Document } from '../values/types.ts';
import { decode, encode } from '../values/codec.ts';
import type { Collation } from './collation.ts';
import { compareValues } from './compare.ts';
import { compileDocument } from './filter/compile.ts';

export { collationKey, compareWithCollation, type Collation } from './collation.ts';
export { compareValues, equalValues, typeRank } from './compare.ts';

/** A predicate over documents. */
export type Matcher = (doc: Document) => boolean;

export interface FilterOptions {
  collation?: Collation;
  now?: Date;
  /** The command's `let`, for `$expr`. */
  variables?: Document;
}

/** What a filter says of necessity about one path; `exact` when it says nothing more. */
export interface Bound {
  points?: unknown[];
  min?: unknown;
  max?: unknown;
  minInclusive?: boolean;
  maxInclusive?: boolean;
  exact: boolean;
}

export interface UpdateOptions {
  filter?: Document;
  arrayFilters?: Document[];
  isUpsertInsert?: boolean;
  now: Date;
  collation?: Collation;
  variables?: Document;
}

export interface PipelineContext {
  now: Date;
  collation?: Collation;
  variables?: Document;
  find(collection: string, filter: Document): Iterable<Document>;
}

export function compileFilter(filter: Document, _o: FilterOptions = {}): Matcher {
  const predicate = compileDocument(filter, { collation: _o.collation, expression: () => () => true });
  return (doc) => predicate.onDocument(doc);
}

export function indexBounds(filter: Document): Map<string, Bound> {
  const bounds = new Map<string, Bound>();
  for (const [path, value] of Object.entries(filter)) {
    if (!path.startsWith('$') && !isDocument(value)) bounds.set(path, { points: [value], exact: false });
  }
  return bounds;
}

export function isReplacement(update: Document | Document[]): boolean {
  return !Array.isArray(update) && !Object.keys(update)[0]?.startsWith('$');
}

export function applyUpdate(doc: Document, update: Document | Document[], o: UpdateOptions): Document {
  const copy = decode(encode(doc));
  if (Array.isArray(update)) {
    const [changed] = runPipeline(update, [copy], { now: o.now, find: () => [] });
    return changed ?? copy;
  }
  if (isReplacement(update)) return { ...('_id' in copy ? { _id: copy['_id'] } : {}), ...update };
  const { $setOnInsert, ...others } = update;
  if (o.isUpsertInsert && isDocument($setOnInsert)) Object.assign(copy, $setOnInsert);
  updateInPlace(copy, others as never, o.arrayFilters as never, o.filter as never);
  return copy;
}

export function upsertSeed(filter: Document): Document {
  return Object.fromEntries(
    Object.entries(filter).filter(([key, v]) => !key.startsWith('$') && !isDocument(v)),
  );
}

export function compileProjection(spec: Document): (doc: Document) => Document {
  if (Object.keys(spec).length === 0) return (doc) => doc;
  return (doc) => new Aggregator([{ $project: spec }]).run([doc])[0] as Document;
}

export function compileSort(spec: Document, collation?: Collation): (a: Document, b: Document) => number {
  const keys = Object.entries(spec);
  return (a, b) => {
    for (const [path, direction] of keys) {
      const diff = compareValues(a[path], b[path], collation);
      if (diff !== 0) return direction === -1 ? -diff : diff;
    }
    return 0;
  };
}

export function validatePipeline(stages: Document[]): void {
  for (const stage of stages) {
    const [name = ''] = Object.keys(stage);
    if (!name.startsWith('$')) throw new EngineError(40324, `Unrecognized pipeline stage name: '${name}'`);
  }
}

export function runPipeline(
  stages: Document[],
  input: Iterable<Document>,
  ctx: PipelineContext,
): Iterable<Document> {
  const aggregator = new Aggregator(stages as never[], {
    collectionResolver: (name: string) => [...ctx.find(name, {})] as never[],
  });
  return aggregator.stream([...input] as never[]) as unknown as Iterable<Document>;
}
