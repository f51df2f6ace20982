import { EngineError } from '../errors.ts';
import { compareValues, type Collation } from '../query/index.ts';
import type { Query, ReadView } from '../storage/index.ts';
import { isDocument, type Document } from '../values/types.ts';
import { field, readFields, required } from './fields.ts';

const COLLATION_TABLE = {
  locale: required(field.string),
  strength: field.number,
  caseLevel: field.bool,
  caseFirst: field.string,
  numericOrdering: field.bool,
  alternate: field.string,
  maxVariable: field.string,
  normalization: field.bool,
  backwards: field.bool,
  version: field.string,
};

/** Options whose other values change the order of strings in a way that is not implemented. */
const ONLY: [keyof typeof COLLATION_TABLE, unknown[]][] = [
  ['strength', [undefined, 1, 2, 3]],
  ['caseFirst', [undefined, 'off']],
  ['alternate', [undefined, 'non-ignorable']],
  ['backwards', [undefined, false]],
];

/**
 * The collation of a command. The simple one is kept: it overrides a collection's own.
 * @throws EngineError 2 for an unknown locale, 115 for an option that is not supported, and as `readFields`.
 */
export function collationOf(spec: Document | undefined): Collation | undefined {
  if (!spec) return undefined;
  const args = readFields('collation', spec, COLLATION_TABLE);
  for (const [name, allowed] of ONLY) {
    if (allowed.includes(args[name])) continue;
    throw new EngineError(
      'CommandNotSupported',
      `collation option ${name}: ${String(args[name])} is not supported`,
    );
  }
  const { locale, strength, caseLevel, numericOrdering } = args;
  const collation: Collation = {
    locale,
    ...(strength !== undefined ? { strength: strength as 1 | 2 | 3 } : {}),
    ...(caseLevel !== undefined ? { caseLevel } : {}),
    ...(numericOrdering !== undefined ? { numericOrdering } : {}),
  };
  // Made once now, so that a locale nobody knows is refused before anything is read or written.
  if (locale !== 'simple') compareValues('a', 'b', collation);
  return collation;
}

/** A query that says by which collation it compares: its own, or the collection's. */
export function withCollation(view: ReadView, ns: string, query: Query): Query {
  if (query.collation) return query;
  const own = view.collection(ns)?.options['collation'];
  return isDocument(own) ? { ...query, collation: own as unknown as Collation } : query;
}
