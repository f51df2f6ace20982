import { EngineError } from '../errors.ts';
import type { IndexInfo } from '../storage/index.ts';
import { isDocument, type Document } from '../values/types.ts';
import { defineCommand, type Command } from './command.ts';
import type { CommandContext } from './context.ts';
import { field, required } from './fields.ts';
import { namespaceOf, writableNamespaceOf } from './namespaces.ts';

/** One index as `listIndexes` returns it. */
export function describeIndex(index: IndexInfo): Document {
  const isId = index.name === '_id_';
  return {
    v: index.v ?? 2,
    key: index.key,
    name: index.name,
    ...(index.unique && !isId ? { unique: true } : {}),
    ...(index.expireAfterSeconds !== undefined ? { expireAfterSeconds: index.expireAfterSeconds } : {}),
  };
}

async function createIndexes(
  context: CommandContext,
  args: { createIndexes: unknown; indexes: Document[] },
): Promise<Document> {
  const ns = writableNamespaceOf(context, args.createIndexes);
  if (args.indexes.length === 0)
    throw new EngineError('BadValue', 'Must specify at least one index to create');
  const specs = args.indexes;
  if (specs.some(({ name }) => name === undefined))
    throw new EngineError(40414, "BSON field 'createIndexes.indexes.name' is missing but a required field");
  return context.change(function* (txn) {
    const existed = txn.collection(ns) !== null;
    const { before, after } = yield* txn.createIndexesSteps(ns, specs);
    return {
      numIndexesBefore: existed ? before : Math.max(1, before),
      numIndexesAfter: after,
      createdCollectionAutomatically: !existed,
      ...(before === after ? { note: 'all indexes already exist' } : {}),
    };
  });
}

function listIndexes(context: CommandContext, args: { listIndexes: unknown; cursor?: Document }): Document {
  const ns = namespaceOf(context, args.listIndexes);
  const info = context.read((view) => view.collection(ns));
  if (!info) throw new EngineError('NamespaceNotFound', `ns does not exist: ${ns}`);
  return context.page(ns, info.indexes.map(describeIndex), args.cursor);
}

async function dropIndexes(
  context: CommandContext,
  args: { dropIndexes: unknown; index: unknown },
): Promise<Document> {
  const ns = writableNamespaceOf(context, args.dropIndexes);
  const { index } = args;
  const isNames = Array.isArray(index) && index.every((name): name is string => typeof name === 'string');
  if (typeof index !== 'string' && !isDocument(index) && !isNames) {
    throw new EngineError(
      'TypeMismatch',
      "BSON field 'dropIndexes.index' is the wrong type, expected types '[string, object, array]'",
    );
  }
  return context.write((txn) => {
    const nIndexesWas = txn.dropIndexes(ns, index);
    return { nIndexesWas, ...(index === '*' ? { msg: 'non-_id indexes dropped for collection' } : {}) };
  });
}

/** The commands that manage indexes. */
export const indexCommands: Command[] = [
  defineCommand(
    'createIndexes',
    {},
    {
      createIndexes: required(field.any),
      indexes: required(field.documents),
      commitQuorum: field.any,
      ignoreUnknownIndexOptions: field.any,
    },
    createIndexes,
  ),
  defineCommand('listIndexes', {}, { listIndexes: required(field.any), cursor: field.document }, listIndexes),
  defineCommand(
    'dropIndexes',
    {},
    { dropIndexes: required(field.any), index: required(field.any) },
    dropIndexes,
  ),
];
