import type { Steps } from '../budget.ts';
import { unsupported } from '../errors.ts';
import type { ReadView } from '../storage/index.ts';
import type { Document } from '../values/types.ts';
import { defineCommand, type Command } from './command.ts';
import type { CommandContext } from './context.ts';
import { field } from './fields.ts';
import { namespaceOf } from './namespaces.ts';
import { wholeNumber } from '../values/numbers.ts';

function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}

/** Sizes of one collection in bytes; zeros if it does not exist. */
function* collectionStats(view: ReadView, ns: string): Steps<Document> {
  const { count, size, indexSizes } = yield* view.stats(ns);
  const indexBytes = sum(Object.values(indexSizes));
  return {
    size: wholeNumber(size),
    count: wholeNumber(count),
    ...(count > 0 ? { avgObjSize: wholeNumber(Math.floor(size / count)) } : {}),
    storageSize: wholeNumber(size),
    nindexes: view.collection(ns)?.indexes.length ?? 0,
    totalIndexSize: wholeNumber(indexBytes),
    totalSize: wholeNumber(size + indexBytes),
    indexSizes: Object.fromEntries(
      Object.entries(indexSizes).map(([name, bytes]) => [name, wholeNumber(bytes)]),
    ),
  };
}

/** Sizes of one database. */
function* databaseStats(context: CommandContext, view: ReadView): Steps<Document> {
  const collections = [];
  for (const { ns, indexes } of view.listCollections(context.db))
    collections.push({ indexes: indexes.length, ...(yield* view.stats(ns)) });
  const objects = sum(collections.map(({ count }) => count));
  const dataSize = sum(collections.map(({ size }) => size));
  const indexSize = sum(collections.map(({ indexSizes }) => sum(Object.values(indexSizes))));
  return {
    db: context.db,
    collections: collections.length,
    objects: wholeNumber(objects),
    avgObjSize: objects > 0 ? dataSize / objects : 0,
    dataSize: wholeNumber(dataSize),
    storageSize: wholeNumber(dataSize),
    indexes: sum(collections.map(({ indexes }) => indexes)),
    indexSize: wholeNumber(indexSize),
    totalSize: wholeNumber(dataSize + indexSize),
  };
}

/** The size in bytes of all documents and index entries of a database. */
export function* databaseBytes(view: ReadView, db: string): Steps<number> {
  let bytes = 0;
  for (const { ns } of view.listCollections(db)) {
    const { size, indexSizes } = yield* view.stats(ns);
    bytes += size + sum(Object.values(indexSizes));
  }
  return bytes;
}

function checkScale({ scale = 1 }: { scale?: number }): void {
  if (scale !== 1) throw unsupported('a scale of sizes');
}

/** The commands that report sizes. */
export const statisticsCommands: Command[] = [
  defineCommand('collStats', {}, { collStats: field.any, scale: field.number }, async (context, args) => {
    checkScale(args);
    const ns = namespaceOf(context, args.collStats);
    return { ns, ...(await context.readSteps((view) => collectionStats(view, ns))) };
  }),
  defineCommand(
    'dbStats',
    {},
    { dbStats: field.any, freeStorage: field.any, scale: field.number },
    (context, args) => {
      checkScale(args);
      return context.readSteps((view) => databaseStats(context, view));
    },
  ),
];
