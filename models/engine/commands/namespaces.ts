import { EngineError } from '../errors.ts';
import { checkNamespace } from '../storage/index.ts';
import { typeNameOf } from '../values/types.ts';
import type { CommandContext } from './context.ts';

const LONGEST_DATABASE_NAME = 63;

/** @throws EngineError 73 for an invalid database name. */
export function checkDatabaseName(name: string): void {
  if (name === '' || Buffer.byteLength(name) > LONGEST_DATABASE_NAME || /[/\\. "$\0]/.test(name)) {
    throw new EngineError('InvalidNamespace', `Invalid database name: '${name}'`);
  }
}

/** The namespace of a collection name, as sent, in the context's database. */
export function namespaceOf(context: CommandContext, collection: unknown): string {
  if (typeof collection !== 'string') {
    throw new EngineError('BadValue', `collection name has invalid type ${typeNameOf(collection)}`);
  }
  const ns = `${context.db}.${collection}`;
  if (!collection.startsWith('$cmd')) checkNamespace(ns);
  return ns;
}

/** As `namespaceOf`, for commands that change data: refuses the server's own collections. */
export function writableNamespaceOf(context: CommandContext, collection: unknown): string {
  const ns = namespaceOf(context, collection);
  if (ns.slice(ns.indexOf('.') + 1).startsWith('system.')) {
    throw new EngineError('InvalidNamespace', `cannot write to '${ns}'`);
  }
  return ns;
}
