import { EngineError } from '../errors.ts';
import { typeNameOf } from '../values/types.ts';
import type { CommandContext } from './context.ts';

const LONGEST_DATABASE_NAME = 63;
const LONGEST_NAMESPACE = 255;

/** @throws EngineError 73 when no database can have this name. */
export function checkDatabaseName(name: string): void {
  if (name === '' || Buffer.byteLength(name) > LONGEST_DATABASE_NAME || /[/\\. "$\0]/.test(name)) {
    throw new EngineError('InvalidNamespace', `Invalid database name: '${name}'`);
  }
}

/** @throws EngineError 73 when no collection can have this name. */
export function checkNamespace(ns: string): void {
  const name = ns.slice(ns.indexOf('.') + 1);
  const isBad =
    name === '' ||
    name.includes('\0') ||
    name.startsWith('.') ||
    (name.includes('$') && !name.startsWith('$cmd'));
  if (isBad) throw new EngineError('InvalidNamespace', `Invalid namespace specified '${ns}'`);
  if (Buffer.byteLength(ns) > LONGEST_NAMESPACE) {
    throw new EngineError(
      'InvalidNamespace',
      `Fully qualified namespace is too long. Namespace: ${ns} Max: ${LONGEST_NAMESPACE}`,
    );
  }
}

/** The namespace made of the context's database and a collection name as sent. */
export function namespaceOf(context: CommandContext, collection: unknown): string {
  if (typeof collection !== 'string') {
    throw new EngineError('BadValue', `collection name has invalid type ${typeNameOf(collection)}`);
  }
  const ns = `${context.db}.${collection}`;
  checkNamespace(ns);
  return ns;
}

/** As `namespaceOf`, for commands that change data: what belongs to the server is refused. */
export function writableNamespaceOf(context: CommandContext, collection: unknown): string {
  const ns = namespaceOf(context, collection);
  if (ns.slice(ns.indexOf('.') + 1).startsWith('system.')) {
    throw new EngineError('InvalidNamespace', `cannot write to '${ns}'`);
  }
  return ns;
}
