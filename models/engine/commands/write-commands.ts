import { PAUSE, type Steps } from '../budget.ts';
import { EngineError } from '../errors.ts';
import type { Choice, Found, Query, WriteView } from '../storage/index.ts';
import type { Document } from '../values/types.ts';
import { checkBatchSize, runBatch, type BatchResult, type Effect } from './batch.ts';
import { defineCommand, type Command } from './command.ts';
import type { CommandContext } from './context.ts';
import { field, readFields, required, type Arguments } from './fields.ts';
import { queryOf } from './find.ts';
import { writableNamespaceOf } from './namespaces.ts';
import { changeOne, checkMulti, compileChange, insertUpsert, preparedInsert } from './write.ts';

const INSERT_TABLE = {
  insert: required(field.any),
  documents: required(field.documents),
  ordered: field.bool,
  bypassDocumentValidation: field.bool,
};

/** `n` and any errors of a batch. */
function batchReply(result: BatchResult, more: Document = {}): Document {
  return {
    n: result.n,
    ...more,
    ...(result.writeErrors.length > 0 ? { writeErrors: result.writeErrors } : {}),
  };
}

async function insert(context: CommandContext, args: Arguments<typeof INSERT_TABLE>): Promise<Document> {
  const ns = writableNamespaceOf(context, args.insert);
  const { documents } = args;
  checkBatchSize(documents.length);
  const result = await runBatch(context, {
    count: documents.length,
    ordered: args.ordered ?? true,
    // oxlint-disable-next-line require-yield
    *run(txn, index) {
      txn.insert(ns, preparedInsert(documents[index] as Document, context.now, index));
      return { n: 1 };
    },
  });
  return batchReply(result);
}

const UPDATE_TABLE = {
  update: required(field.any),
  updates: required(field.documents),
  ordered: field.bool,
  bypassDocumentValidation: field.bool,
};

/** Arguments of one statement of `update`. */
export const UPDATE_STATEMENT_TABLE = {
  q: required(field.document),
  u: required(field.update),
  multi: field.bool,
  upsert: field.bool,
  collation: field.simpleCollation,
  hint: field.stringOrDocument,
};

type UpdateStatement = Arguments<typeof UPDATE_STATEMENT_TABLE>;

async function update(context: CommandContext, args: Arguments<typeof UPDATE_TABLE>): Promise<Document> {
  const ns = writableNamespaceOf(context, args.update);
  checkBatchSize(args.updates.length);
  const statements = args.updates.map((sent, index) =>
    readFields(`update.updates.${index}`, sent, UPDATE_STATEMENT_TABLE),
  );
  checkNotMany(
    context,
    statements.some(({ multi }) => multi === true),
  );
  const statement = (index: number) => statements[index] as UpdateStatement;
  const result = await runBatch(context, {
    count: statements.length,
    ordered: args.ordered ?? true,
    run: (txn, index, choice) => runUpdate(context, txn, ns, statement(index), choice),
    choose: (view, index) => view.choose(ns, updateQuery(statement(index))),
  });
  const upserted = result.upserted.length > 0 ? { upserted: result.upserted } : {};
  return batchReply(result, { nModified: result.nModified, ...upserted });
}

function updateQuery(statement: UpdateStatement): Query {
  return { ...queryOf({ ...statement, filter: statement.q }), limit: statement.multi ? 0 : 1 };
}

function* runUpdate(
  context: CommandContext,
  txn: WriteView,
  ns: string,
  statement: UpdateStatement,
  choice: Choice | null,
): Steps<Effect> {
  checkMulti(statement.u, statement.multi ?? false);
  const query = updateQuery(statement);
  const change = compileChange(statement.u);
  let nModified = 0;
  const n = yield* eachMatch(txn, ns, query, choice, (found) => {
    if (changeOne(txn, ns, found, change).modified) nModified += 1;
  });
  if (n > 0 || !statement.upsert) return { n, nModified };
  const doc = insertUpsert(txn, ns, query, change, context.now);
  return { n: 1, upserted: { _id: doc['_id'] } };
}

/**
 * Changes every matching document: those chosen beforehand, or those found now. A write view collects its matches before it
 * returns the first, so no document is visited twice.
 * @returns how many matched
 */
function* eachMatch(
  txn: WriteView,
  ns: string,
  query: Query,
  choice: Choice | null,
  change: (found: Found) => void,
): Steps<number> {
  let n = 0;
  for (const found of choice ? txn.recheck(ns, query, choice) : txn.search(ns, query)) {
    if (found === PAUSE) {
      yield PAUSE;
      continue;
    }
    change(found);
    n += 1;
  }
  // The chosen documents have been changed by another write in the meantime.
  if (n === 0 && choice) return yield* eachMatch(txn, ns, query, null, change);
  return n;
}

/** Retryable writes must affect one document each. */
function checkNotMany(context: CommandContext, isMany: boolean): void {
  if (isMany && context.request.retryNumber !== null) {
    throw new EngineError('InvalidOptions', 'Cannot use retryable writes with multi=true');
  }
}

const DELETE_TABLE = {
  delete: required(field.any),
  deletes: required(field.documents),
  ordered: field.bool,
};

/** Arguments of one statement of `delete`. */
export const DELETE_STATEMENT_TABLE = {
  q: required(field.document),
  limit: required(field.number),
  collation: field.simpleCollation,
  hint: field.stringOrDocument,
};

async function remove(context: CommandContext, args: Arguments<typeof DELETE_TABLE>): Promise<Document> {
  const ns = writableNamespaceOf(context, args.delete);
  checkBatchSize(args.deletes.length);
  const statements = args.deletes.map((sent, index) =>
    readFields(`delete.deletes.${index}`, sent, DELETE_STATEMENT_TABLE),
  );
  for (const { limit } of statements) {
    if (limit !== 0 && limit !== 1)
      throw new EngineError(
        'FailedToParse',
        `The limit field in delete objects must be 0 or 1. Got ${limit}`,
      );
  }
  checkNotMany(
    context,
    statements.some(({ limit }) => limit === 0),
  );
  const queryFor = (index: number): Query => {
    const statement = statements[index] as Arguments<typeof DELETE_STATEMENT_TABLE>;
    return { ...queryOf({ ...statement, filter: statement.q }), limit: statement.limit };
  };
  const result = await runBatch(context, {
    count: statements.length,
    ordered: args.ordered ?? true,
    *run(txn, index, choice) {
      return { n: yield* eachMatch(txn, ns, queryFor(index), choice, (found) => txn.remove(ns, found)) };
    },
    choose: (view, index) => view.choose(ns, queryFor(index)),
  });
  return batchReply(result);
}

const WRITE = { retryable: true, transaction: 'statement' } as const;

/** The commands that change documents in batches. */
export const writeCommands: Command[] = [
  defineCommand('insert', WRITE, INSERT_TABLE, insert),
  defineCommand('update', { ...WRITE, endsWithClient: true }, UPDATE_TABLE, update),
  defineCommand('delete', { ...WRITE, endsWithClient: true }, DELETE_TABLE, remove),
];
