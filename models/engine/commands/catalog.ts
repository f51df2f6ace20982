import type { Steps } from '../budget.ts';
import { EngineError } from '../errors.ts';
import { compileFilter, equalValues } from '../query/index.ts';
import type { CollectionInfo, ReadView } from '../storage/index.ts';
import { Binary, type Document } from '../values/types.ts';
import { defineCommand, type Command } from './command.ts';
import type { CommandContext } from './context.ts';
import { field, required, type Arguments } from './fields.ts';
import { describeIndex } from './indexes.ts';
import { namespaceOf, writableNamespaceOf } from './namespaces.ts';
import { wholeNumber } from '../values/numbers.ts';
import { databaseBytes } from './statistics.ts';

function* listDatabases(view: ReadView, args: { filter?: Document; nameOnly?: boolean }): Steps<Document> {
  const accept = compileFilter(args.filter ?? {});
  const databases: Document[] = [];
  let total = 0;
  for (const name of view.listDatabases()) {
    const bytes = args.nameOnly ? 0 : yield* databaseBytes(view, name);
    const database = args.nameOnly ? { name } : { name, sizeOnDisk: wholeNumber(bytes), empty: false };
    if (!accept(database)) continue;
    databases.push(database);
    total += bytes;
  }
  if (args.nameOnly) return { databases };
  return {
    databases,
    totalSize: wholeNumber(total),
    totalSizeMb: wholeNumber(Math.floor(total / 1_048_576)),
  };
}

function describeCollection(info: CollectionInfo, nameOnly: boolean): Document {
  if (nameOnly) return { name: info.name, type: 'collection' };
  const uuid = new Binary(Buffer.from(info.uuid), Binary.SUBTYPE_UUID);
  const idIndex = info.indexes[0];
  return {
    name: info.name,
    type: 'collection',
    options: info.options,
    info: { readOnly: false, uuid },
    ...(idIndex ? { idIndex: describeIndex(idIndex) } : {}),
  };
}

function listCollections(
  context: CommandContext,
  args: { filter?: Document; nameOnly?: boolean; cursor?: Document },
): Document {
  const accept = compileFilter(args.filter ?? {});
  const nameOnly = args.nameOnly ?? false;
  const all = context.read((view) => view.listCollections(context.db));
  // The filter may use any field, so it is applied to the whole description.
  const documents = all
    .filter((info) => accept(describeCollection(info, false)))
    .map((info) => describeCollection(info, nameOnly));
  return context.page(`${context.db}.$cmd.listCollections`, documents, args.cursor);
}

const CREATE_TABLE = {
  create: required(field.any),
  collation: field.simpleCollation,
};

async function create(context: CommandContext, args: Arguments<typeof CREATE_TABLE>): Promise<Document> {
  const ns = writableNamespaceOf(context, args.create);
  const { create: _create, ...options } = args;
  await context.write((txn) => {
    const existing = txn.collection(ns);
    if (!existing) txn.createCollection(ns, options);
    else if (!equalValues(existing.options, options)) {
      throw new EngineError('NamespaceExists', `Collection ${ns} already exists.`);
    }
  });
  return {};
}

async function drop(context: CommandContext, args: { drop: unknown }): Promise<Document> {
  const ns = namespaceOf(context, args.drop);
  return context.write((txn) => {
    const info = txn.collection(ns);
    // Since 7.0, dropping a missing collection succeeds.
    if (!info) return {};
    txn.dropCollection(ns);
    return { nIndexesWas: info.indexes.length, ns };
  });
}

/** The commands that list, create and drop databases and collections. */
export const catalogCommands: Command[] = [
  defineCommand(
    'listDatabases',
    { adminOnly: true },
    {
      listDatabases: field.any,
      filter: field.document,
      nameOnly: field.bool,
      authorizedDatabases: field.any,
    },
    (context, args) => context.readSteps((view) => listDatabases(view, args)),
  ),
  defineCommand(
    'listCollections',
    {},
    {
      listCollections: field.any,
      filter: field.document,
      nameOnly: field.bool,
      cursor: field.document,
      authorizedCollections: field.any,
    },
    listCollections,
  ),
  defineCommand('create', { transaction: 'statement' }, CREATE_TABLE, create),
  defineCommand('drop', {}, { drop: required(field.any) }, drop),
  defineCommand('dropDatabase', {}, { dropDatabase: field.any }, async (context) => {
    const dropped = await context.write((txn) => txn.dropDatabase(context.db));
    return dropped.length > 0 ? { dropped: context.db } : {};
  }),
];
