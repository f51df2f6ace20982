import { EngineError, unknownHere } from '../../errors.ts';
import { showDocument, showValue } from '../../values/show.ts';
import { isDocument, typeNameOf, type Document } from '../../values/types.ts';
import { type Modifier, type ModifierContext, MODIFIERS } from './modifiers.ts';
import { identifierOf, insert, newObject, updatePath, type ObjectNode } from './tree.ts';

/** Keeps other operators away from the source of a `$rename`; it does nothing itself. */
const RESERVED: Modifier = { change: (value) => value };

function checkRenamePath(path: string, which: 'source' | 'destination'): string[] {
  const parts = updatePath(path);
  if (parts.some((part) => part === '$' || identifierOf(part) !== undefined)) {
    throw new EngineError('BadValue', `The ${which} field for $rename may not be dynamic: ${path}`);
  }
  return parts;
}

function isPrefix(a: readonly string[], b: readonly string[]): boolean {
  return a.length < b.length && a.every((part, i) => part === b[i]);
}

function addRename(root: ObjectNode, path: string, target: unknown): void {
  if (typeof target !== 'string') {
    throw new EngineError(
      'BadValue',
      `The 'to' field for $rename must be a string: ${path}: ${showValue(target)}`,
    );
  }
  const source = checkRenamePath(path, 'source');
  const destination = checkRenamePath(target, 'destination');
  if (path === target) {
    throw new EngineError(
      'BadValue',
      `The source and target field for $rename must differ: ${path}: "${target}"`,
    );
  }
  if (isPrefix(source, destination) || isPrefix(destination, source)) {
    throw new EngineError(
      'BadValue',
      `The source and target field for $rename must not be on the same path: ${path}: "${target}"`,
    );
  }
  checkDollarField(destination, target);
  insert(root, destination, { change: (value) => value, source });
  insert(root, source, RESERVED);
}

function checkDollarField(parts: readonly string[], path: string): void {
  const [first = ''] = parts;
  if (!first.startsWith('$')) return;
  throw new EngineError(
    'DollarPrefixedFieldName',
    `The dollar ($) prefixed field '${first}' in '${path}' is not allowed in the context of an update's replacement document. Consider using an aggregation pipeline with $replaceWith.`,
  );
}

function addOperator(root: ObjectNode, op: string, fields: unknown, c: ModifierContext): void {
  const read = MODIFIERS.get(op);
  if (!read && op !== '$rename') {
    throw unknownHere('FailedToParse', `Unknown modifier: ${op}`);
  }
  if (!isDocument(fields)) {
    throw new EngineError(
      'FailedToParse',
      `Modifiers operate on fields but we found type ${typeNameOf(fields)} instead. For example: {$mod: {<field>: ...}} not {${op}: ${showValue(fields)}}`,
    );
  }
  for (const path of Object.keys(fields)) {
    if (!read) {
      addRename(root, path, fields[path]);
      continue;
    }
    const parts = updatePath(path);
    const modifier = read(fields[path], path, c);
    if (modifier.create) checkDollarField(parts, path);
    insert(root, parts, modifier);
  }
}

function identifiersIn(update: Document): Set<string> {
  const paths = Object.values(update).flatMap((fields) => (isDocument(fields) ? Object.keys(fields) : []));
  return new Set(
    paths.flatMap((path) => path.split('.').map(identifierOf)).filter((id) => id !== undefined && id !== ''),
  ) as Set<string>;
}

/**
 * Reads an update with operators into a tree.
 * @param known identifiers that have an array filter
 * @throws EngineError FailedToParse, BadValue, ConflictingUpdateOperators and others, as the server
 */
export function parseOperators(update: Document, known: ReadonlySet<string>, c: ModifierContext): ObjectNode {
  const root = newObject();
  for (const op of Object.keys(update)) addOperator(root, op, update[op], c);
  const used = identifiersIn(update);
  for (const id of used) {
    if (!known.has(id)) {
      const path = Object.values(update)
        .flatMap((f) => (isDocument(f) ? Object.keys(f) : []))
        .find((p) => p.includes(`$[${id}]`));
      throw new EngineError(
        'BadValue',
        `No array filter found for identifier '${id}' in path '${path ?? ''}'`,
      );
    }
  }
  for (const id of known) {
    if (!used.has(id)) {
      throw new EngineError(
        'FailedToParse',
        `The array filter for identifier '${id}' was not used in the update ${showDocument(update)}`,
      );
    }
  }
  return root;
}
