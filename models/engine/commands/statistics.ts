import type { Steps } from '../budget.ts';
import type { ReadView } from '../storage/index.ts';
import type { Document } from '../values/types.ts';
import { defineCommand, type Command } from './command.ts';
import type { CommandContext } from './context.ts';
import { field } from './fields.ts';
import { namespaceOf } from './namespaces.ts';
import { wholeNumber } from './numbers.ts';

function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}

/** Sizes of one collection in bytes divided by `scale`; zeros when there is none. */
export function* collectionStats(view: ReadView, ns: string, scale = 1): Steps<Document> {
  const { count, size, indexSizes } = yield* view.stats(ns);
  const scaled = (bytes: number) => wholeNumber(Math.floor(bytes / scale));
  return {
    size: scaled(size),
    count: wholeNumber(count),
    ...(count > 0 ? { avgObjSize: wholeNumber(Math.floor(size / count)) } : {}),
    numOrphanDocs: 0,
    storageSize: scaled(size),
    freeStorageSize: 0,
    capped: false,
    nindexes: view.collection(ns)?.indexes.length ?? 0,
    indexBuilds: [],
    totalIndexSize: scaled(sum(Object.values(indexSizes))),
    totalSize: scaled(size + sum(Object.values(indexSizes))),
    indexSizes: Object.fromEntries(Object.entries(indexSizes).map(([name, bytes]) => [name, scaled(bytes)])),
    scaleFactor: scale,
  };
}

/** Sizes of one database. */
function* databaseStats(context: CommandContext, view: ReadView, scale: number): Steps<Document> {
  const collections = [];
  for (const { ns, indexes } of view.listCollections(context.db))
    collections.push({ indexes: indexes.length, ...(yield* view.stats(ns)) });
  const objects = sum(collections.map(({ count }) => count));
  const dataSize = sum(collections.map(({ size }) => size));
  const indexSize = sum(collections.map(({ indexSizes }) => sum(Object.values(indexSizes))));
  return {
    db: context.db,
    collections: collections.length,
    views: 0,
    objects: wholeNumber(objects),
    avgObjSize: objects > 0 ? dataSize / objects : 0,
    dataSize: wholeNumber(Math.floor(dataSize / scale)),
    storageSize: wholeNumber(Math.floor(dataSize / scale)),
    indexes: sum(collections.map(({ indexes }) => indexes)),
    indexSize: wholeNumber(Math.floor(indexSize / scale)),
    totalSize: wholeNumber(Math.floor((dataSize + indexSize) / scale)),
    scaleFactor: scale,
  };
}

/** The bytes all documents and index entries of a database take. */
export function* databaseBytes(view: ReadView, db: string): Steps<number> {
  let bytes = 0;
  for (const { ns } of view.listCollections(db)) {
    const { size, indexSizes } = yield* view.stats(ns);
    bytes += size + sum(Object.values(indexSizes));
  }
  return bytes;
}

/** The commands that tell sizes. */
export const statisticsCommands: Command[] = [
  defineCommand(
    'collStats',
    { aliases: ['collstats'], reads: true },
    { collStats: field.any, collstats: field.any, scale: field.number },
    async (context, args) => {
      const ns = namespaceOf(context, args.collStats ?? args.collstats);
      return { ns, ...(await context.readSteps((view) => collectionStats(view, ns, args.scale ?? 1))) };
    },
  ),
  defineCommand(
    'dbStats',
    { aliases: ['dbstats'], reads: true },
    { dbStats: field.any, dbstats: field.any, scale: field.number, freeStorage: field.any },
    (context, args) => context.readSteps((view) => databaseStats(context, view, args.scale ?? 1)),
  ),
];
