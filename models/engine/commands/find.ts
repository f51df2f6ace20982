import { PAUSE, type Pause, type Pausing, type Steps } from '../budget.ts';
import { EngineError } from '../errors.ts';
import { compileProjection } from '../query/index.ts';
import type { Found, Query } from '../storage/index.ts';
import { encode } from '../values/encode.ts';
import { Long, type Document } from '../values/types.ts';
import { defineCommand, type Command } from './command.ts';
import type { CommandContext } from './context.ts';
import { DEFAULT_BATCH, type CursorSource } from './cursors.ts';
import { field, required, type Arguments } from './fields.ts';
import { namespaceOf } from './namespaces.ts';

/** Arguments of `find`. */
export const FIND_TABLE = {
  find: required(field.any),
  filter: field.document,
  sort: field.document,
  projection: field.document,
  hint: field.stringOrDocument,
  skip: field.count,
  limit: field.count,
  batchSize: field.count,
  singleBatch: field.bool,
  collation: field.simpleCollation,
  allowDiskUse: field.bool,
};

type FindArguments = Arguments<typeof FIND_TABLE>;

/** The part of a query that all read commands share. */
export function queryOf(parts: { filter?: Document; hint?: string | Document }): Query {
  return { filter: parts.filter ?? {}, ...(parts.hint !== undefined ? { hint: parts.hint } : {}) };
}

/** The store query of a `find`. */
export function findQuery(args: FindArguments): Query {
  return {
    ...queryOf(args),
    ...(args.sort ? { sort: args.sort } : {}),
    ...(args.skip ? { skip: args.skip } : {}),
    ...(args.limit ? { limit: args.limit } : {}),
  };
}

function* find(context: CommandContext, args: FindArguments): Steps<Document> {
  const ns = namespaceOf(context, args.find);
  const query = findQuery(args);
  const project = projector(args);
  const { view, close } = context.longView();
  const source = openSource(() => view.search(ns, query), project, close);
  const owner = context.cursorOwner(ns);
  const { cursors } = context.engine;
  const { budget } = context.request;
  const batchSize = args.batchSize ?? DEFAULT_BATCH;
  return { cursor: yield* cursors.start(source, owner, budget, batchSize, args.singleBatch ?? false) };
}

function openSource(
  open: () => Pausing<Found>,
  project: (found: Found) => Uint8Array,
  close: () => void,
): CursorSource {
  try {
    return { documents: mapLazily(open(), project), close };
  } catch (error) {
    close();
    throw error;
  }
}

export function* mapLazily<A, B>(values: Pausing<A>, map: (value: A) => B): Generator<B | Pause> {
  for (const value of values) yield value === PAUSE ? PAUSE : map(value as A);
}

function projector(args: FindArguments): (found: Found) => Uint8Array {
  const { projection } = args;
  if (!projection || Object.keys(projection).length === 0) return (found) => found.bytes;
  const project = compileProjection(projection);
  return (found) => encode(project(found.doc));
}

function cursorId(value: unknown): bigint {
  if (value instanceof Long) return value.toBigInt();
  if (typeof value === 'number') return BigInt(Math.trunc(value));
  throw new EngineError('TypeMismatch', "Field 'getMore' must be of type long");
}

function* getMore(
  context: CommandContext,
  args: { getMore: unknown; collection: string; batchSize?: number },
): Steps<Document> {
  const { budget } = context.request;
  const ns = `${context.db}.${args.collection}`;
  const batchSize = args.batchSize ? args.batchSize : Number.POSITIVE_INFINITY;
  const id = cursorId(args.getMore);
  return { cursor: yield* context.engine.cursors.next(id, context.cursorOwner(ns), budget, batchSize) };
}

function killCursors(context: CommandContext, args: { killCursors: unknown; cursors: unknown[] }): Document {
  const ns = `${context.db}.${String(args.killCursors)}`;
  const killed: Long[] = [];
  const notFound: Long[] = [];
  for (const value of args.cursors) {
    const id = cursorId(value);
    (context.engine.cursors.kill(id, ns) ? killed : notFound).push(Long.fromBigInt(id));
  }
  return { cursorsKilled: killed, cursorsNotFound: notFound, cursorsAlive: [], cursorsUnknown: [] };
}

async function count(context: CommandContext, args: Arguments<typeof COUNT_TABLE>): Promise<Document> {
  const ns = namespaceOf(context, args.count);
  return { n: await context.readSteps((view) => view.countSteps(ns, countQuery(args))) };
}

/** The store query of a `count`. */
export function countQuery(args: Arguments<typeof COUNT_TABLE>): Query {
  const limit = Math.abs(args.limit ?? 0);
  return { ...queryOf({ ...args, filter: args.query ?? {} }), skip: args.skip ?? 0, limit };
}

/** Arguments of `count`. */
export const COUNT_TABLE = {
  count: required(field.any),
  query: field.document,
  limit: field.number,
  skip: field.count,
  hint: field.stringOrDocument,
  collation: field.simpleCollation,
  fields: field.any,
};

/** Arguments of `distinct`. */
export const DISTINCT_TABLE = {
  distinct: required(field.any),
  key: required(field.string),
  query: field.document,
  collation: field.simpleCollation,
  hint: field.stringOrDocument,
};

async function distinct(context: CommandContext, args: Arguments<typeof DISTINCT_TABLE>): Promise<Document> {
  const ns = namespaceOf(context, args.distinct);
  if (args.key.includes('\0'))
    throw new EngineError('BadValue', 'Key field cannot contain an embedded null byte');
  const query = queryOf({ ...args, filter: args.query ?? {} });
  return { values: await context.readSteps((view) => view.distinct(ns, args.key, query)) };
}

/** The commands that read one collection. */
export const readCommands: Command[] = [
  defineCommand('find', { endsWithClient: true, transaction: 'statement' }, FIND_TABLE, (context, args) =>
    context.run(find(context, args)),
  ),
  defineCommand(
    'getMore',
    { endsWithClient: true, transaction: 'statement' },
    {
      getMore: required(field.any),
      collection: required(field.string),
      batchSize: field.count,
      term: field.any,
      lastKnownCommittedOpTime: field.any,
    },
    (context, args) => context.run(getMore(context, args)),
  ),
  defineCommand(
    'killCursors',
    { transaction: 'later' },
    { killCursors: required(field.string), cursors: required(field.array) },
    killCursors,
  ),
  defineCommand('count', { endsWithClient: true }, COUNT_TABLE, count),
  defineCommand('distinct', { endsWithClient: true, transaction: 'statement' }, DISTINCT_TABLE, distinct),
];
