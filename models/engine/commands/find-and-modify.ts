import type { Steps } from '../budget.ts';
import { EngineError } from '../errors.ts';
import { compileProjection } from '../query/index.ts';
import type { WriteView } from '../storage/index.ts';
import type { Document } from '../values/types.ts';
import { defineCommand, type Command } from './command.ts';
import type { CommandContext } from './context.ts';
import { field, required, type Arguments } from './fields.ts';
import { queryOf } from './find.ts';
import { writableNamespaceOf } from './namespaces.ts';
import { recallOutcome, recordOutcome } from './outcomes.ts';
import { changeOne, compileChange, insertUpsert } from './write.ts';

/** Arguments of `findAndModify`. */
const FIND_AND_MODIFY_TABLE = {
  findAndModify: required(field.any),
  query: field.document,
  sort: field.document,
  remove: field.bool,
  update: field.update,
  new: field.bool,
  fields: field.document,
  upsert: field.bool,
  collation: field.simpleCollation,
  hint: field.stringOrDocument,
  bypassDocumentValidation: field.bool,
};

type FindAndModify = Arguments<typeof FIND_AND_MODIFY_TABLE>;

function checkArguments(args: FindAndModify): void {
  const refuse = (message: string) => {
    throw new EngineError('FailedToParse', message);
  };
  if (args.remove && args.update) refuse('Cannot specify both an update and remove=true');
  if (args.remove && args.upsert) refuse('Cannot specify both upsert=true and remove=true');
  if (args.remove && args.new)
    refuse("Cannot specify both new=true and remove=true; 'remove' always returns the deleted document");
  if (!args.remove && !args.update) refuse('Either an update or remove=true must be specified');
}

async function findAndModify(context: CommandContext, args: FindAndModify): Promise<Document> {
  checkArguments(args);
  const ns = writableNamespaceOf(context, args.findAndModify);
  return context.change(function* (txn) {
    const known = recallOutcome(context, txn);
    if (known) return known;
    const reply = yield* modify(context, txn, ns, args);
    recordOutcome(context, txn, reply);
    return reply;
  });
}

function* modify(context: CommandContext, txn: WriteView, ns: string, args: FindAndModify): Steps<Document> {
  const query = queryOf({ ...args, filter: args.query ?? {} });
  const found = yield* txn.findOneSteps(ns, { ...query, ...(args.sort ? { sort: args.sort } : {}) });
  const project = compileProjection(args.fields ?? {});
  if (args.remove) {
    if (!found) return { lastErrorObject: { n: 0 }, value: null };
    const value = project(found.doc);
    txn.remove(ns, found);
    return { lastErrorObject: { n: 1 }, value };
  }
  const change = compileChange(args.update as Document);
  if (found) {
    const before = found.doc;
    const { doc } = changeOne(txn, ns, found, change);
    return { lastErrorObject: { n: 1, updatedExisting: true }, value: project(args.new ? doc : before) };
  }
  if (!args.upsert) return { lastErrorObject: { n: 0, updatedExisting: false }, value: null };
  const doc = insertUpsert(txn, ns, query, change, context.now);
  return {
    lastErrorObject: { n: 1, updatedExisting: false, upserted: doc['_id'] },
    value: args.new ? project(doc) : null,
  };
}

/** `findAndModify`, which returns the document it changed. */
export const findAndModifyCommands: Command[] = [
  defineCommand(
    'findAndModify',
    { retryable: true, transaction: 'statement' },
    FIND_AND_MODIFY_TABLE,
    findAndModify,
  ),
];
