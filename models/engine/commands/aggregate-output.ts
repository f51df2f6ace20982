import { EngineError } from '../errors.ts';
import { applyUpdate, equalValues, runPipeline } from '../query/index.ts';
import type { Found, ReadView, WriteView } from '../storage/index.ts';
import { isDocument, type Document } from '../values/types.ts';
import type { CommandContext } from './context.ts';
import { field, readFields, required } from './fields.ts';
import { checkDatabaseName, checkNamespace } from './namespaces.ts';
import { preparedInsert } from './write.ts';

type WhenMatched = 'replace' | 'keepExisting' | 'merge' | 'fail' | Document[];

/** What a pipeline's last stage writes, and where. */
export type Output =
  | { kind: 'out'; ns: string }
  | {
      kind: 'merge';
      ns: string;
      on: string[];
      whenMatched: WhenMatched;
      whenNotMatched: 'insert' | 'discard' | 'fail';
      variables: Document;
    };

function targetOf(context: CommandContext, target: unknown): string {
  const { db, coll } = isDocument(target) ? target : { db: context.db, coll: target };
  const database = db ?? context.db;
  if (typeof database !== 'string' || typeof coll !== 'string') {
    throw new EngineError('TypeMismatch', 'the output of a pipeline must name a collection');
  }
  checkDatabaseName(database);
  checkNamespace(`${database}.${coll}`);
  return `${database}.${coll}`;
}

const MERGE_TABLE = {
  into: required(field.stringOrDocument),
  on: field.any,
  let: field.document,
  whenMatched: field.any,
  whenNotMatched: field.string,
};
const WHEN_MATCHED = ['replace', 'keepExisting', 'merge', 'fail'] as const;
const WHEN_NOT_MATCHED = ['insert', 'discard', 'fail'] as const;

function oneOf<T extends string>(value: unknown, allowed: readonly T[], name: string): T {
  const found = allowed.find((item) => item === value);
  if (found === undefined)
    throw new EngineError(
      'BadValue',
      `Enumeration value '${String(value)}' for field '${name}' is not a valid value.`,
    );
  return found;
}

function mergeOutput(context: CommandContext, sent: unknown): Output {
  const spec = typeof sent === 'string' ? { into: sent } : sent;
  if (!isDocument(spec)) throw new EngineError(51182, '$merge only supports a string or object argument');
  const args = readFields('$merge', spec, MERGE_TABLE);
  const on = Array.isArray(args.on) ? args.on : [args.on ?? '_id'];
  if (on.length === 0 || !on.every((path): path is string => typeof path === 'string')) {
    throw new EngineError(51186, '$merge "on" must be a string or an array of strings');
  }
  const whenMatched = args.whenMatched ?? 'merge';
  return {
    kind: 'merge',
    ns: targetOf(context, args.into),
    on,
    whenMatched: Array.isArray(whenMatched)
      ? field.documents.read(whenMatched, '$merge.whenMatched')
      : oneOf(whenMatched, WHEN_MATCHED, '$merge.whenMatched'),
    whenNotMatched: oneOf(args.whenNotMatched ?? 'insert', WHEN_NOT_MATCHED, '$merge.whenNotMatched'),
    variables: args.let ?? {},
  };
}

/**
 * The output stage of a pipeline, or null.
 * @throws EngineError 40601 when it is not the last stage, 263 inside a transaction.
 */
export function outputOf(context: CommandContext, pipeline: Document[]): Output | null {
  const at = pipeline.findIndex((stage) => '$out' in stage || '$merge' in stage);
  if (at < 0) return null;
  const stage = pipeline[at] as Document;
  const name = Object.keys(stage)[0] ?? '';
  if (at !== pipeline.length - 1)
    throw new EngineError(40601, `${name} can only be the final stage in the pipeline`);
  if (context.request.transaction) {
    throw new EngineError('OperationNotSupportedInTransaction', `${name} cannot be used in a transaction`);
  }
  return name === '$out'
    ? { kind: 'out', ns: targetOf(context, stage['$out']) }
    : mergeOutput(context, stage['$merge']);
}

/** Runs the pipeline and writes its documents in one statement: all of them or none. */
export async function runOutput(
  context: CommandContext,
  output: Output,
  results: (view: ReadView) => Iterable<Document>,
): Promise<void> {
  await context.write((txn) => {
    const documents = [...context.timed(results(txn))];
    if (output.kind === 'out') replaceAll(context, txn, output.ns, documents);
    else documents.forEach((doc, index) => mergeOne(context, txn, output, doc, index));
  });
}

/** `$out` keeps the target's indexes and options; only its documents are replaced. */
function replaceAll(context: CommandContext, txn: WriteView, ns: string, documents: Document[]): void {
  for (const found of txn.find(ns, { filter: {} })) txn.remove(ns, found);
  if (!txn.collection(ns)) txn.createCollection(ns);
  documents.forEach((doc, index) => txn.insert(ns, preparedInsert(doc, context.now, index)));
}

type Merge = Extract<Output, { kind: 'merge' }>;

function mergeOne(context: CommandContext, txn: WriteView, merge: Merge, doc: Document, index: number): void {
  checkUniqueOn(txn, merge);
  const incoming = preparedInsert(doc, context.now, index);
  const filter = Object.fromEntries(merge.on.map((path) => [path, { $eq: valueAt(incoming, path) }]));
  const found = txn.findOne(merge.ns, { filter });
  if (found) mergeMatched(context, txn, merge, found, incoming, Object.hasOwn(doc, '_id'));
  else if (merge.whenNotMatched === 'insert') txn.insert(merge.ns, incoming);
  else if (merge.whenNotMatched === 'fail')
    throw new EngineError(13113, '$merge could not find a matching document in the target collection');
}

function valueAt(doc: Document, path: string): unknown {
  let value: unknown = doc;
  for (const part of path.split('.')) value = isDocument(value) ? value[part] : undefined;
  if (value === undefined || value === null || Array.isArray(value)) {
    throw new EngineError(
      51132,
      `$merge write error: 'on' field '${path}' cannot be missing, null, undefined or an array`,
    );
  }
  return value;
}

function mergeMatched(
  context: CommandContext,
  txn: WriteView,
  merge: Merge,
  found: Found,
  incoming: Document,
  hasId: boolean,
): void {
  const { whenMatched } = merge;
  if (whenMatched === 'keepExisting') return;
  // The insert meets the document that was found, and says so in the words of a duplicate key.
  if (whenMatched === 'fail') return txn.insert(merge.ns, incoming);
  const stored = found.doc;
  const own = hasId ? incoming : { ...incoming, _id: stored['_id'] };
  if (!equalValues(own['_id'], stored['_id'])) {
    throw new EngineError(
      'ImmutableField',
      '$merge failed to update the matching document, did you attempt to modify the _id or the shard key?',
    );
  }
  txn.replace(merge.ns, found, mergedDocument(context, merge, stored, own));
}

function mergedDocument(
  context: CommandContext,
  merge: Merge,
  stored: Document,
  incoming: Document,
): Document {
  if (merge.whenMatched === 'replace') return incoming;
  if (merge.whenMatched === 'merge') return { ...stored, ...incoming };
  const [given] = [
    ...runPipeline([{ $replaceWith: { given: merge.variables } }], [incoming], {
      now: context.now,
      find: () => [],
    }),
  ];
  const variables = { new: incoming, ...(isDocument(given?.['given']) ? given['given'] : {}) };
  return applyUpdate(stored, merge.whenMatched as Document[], { now: context.now, variables });
}

/** @throws EngineError 51183 when no unique index holds the `on` fields. */
function checkUniqueOn(txn: WriteView, merge: Merge): void {
  const wanted = [...merge.on].sort().join();
  if (wanted === '_id') return;
  const indexes = txn.collection(merge.ns)?.indexes ?? [];
  const isHeld = indexes.some(
    ({ unique, key, partialFilterExpression }) =>
      unique && !partialFilterExpression && Object.keys(key).sort().join() === wanted,
  );
  if (!isHeld) throw new EngineError(51183, 'Cannot find index to verify that join fields will be unique');
}
