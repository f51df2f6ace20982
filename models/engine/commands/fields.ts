import { EngineError, unknownHere, unsupported } from '../errors.ts';
import { isDocument, isNumeric, typeNameOf, type Document } from '../values/types.ts';
import { toNumber } from '../values/numbers.ts';

/** How one argument of a command is read. `read` receives a value that is neither missing nor null. */
export interface Field<T> {
  read(value: unknown, path: string): T;
  required: boolean;
}

/** The arguments of a command by name. */
export type FieldTable = Record<string, Field<unknown>>;

/** The arguments that a table reads: required fields are present, the others may be `undefined`. */
export type Arguments<F extends FieldTable> = {
  [K in keyof F as F[K] extends Required_<unknown> ? K : never]: F[K] extends Field<infer T> ? T : never;
} & {
  [K in keyof F as F[K] extends Required_<unknown> ? never : K]?: F[K] extends Field<infer T> ? T : never;
};

type Required_<T> = Field<T> & { required: true };
type Optional_<T> = Field<T> & { required: false };

function optional<T>(read: (value: unknown, path: string) => T): Optional_<T> {
  return { read, required: false };
}

/** A required field: its absence is error 40414. */
export function required<T>(field: Field<T>): Required_<T> {
  return { read: (value, path) => field.read(value, path), required: true };
}

/** The server's message for a wrong type (14). */
export function typeMismatch(path: string, value: unknown, expected: string): EngineError {
  const types = expected.includes(',') ? `types '[${expected}]'` : `type '${expected}'`;
  return new EngineError(
    'TypeMismatch',
    `BSON field '${path}' is the wrong type '${typeNameOf(value)}', expected ${types}`,
  );
}

function readNumber(value: unknown, path: string): number {
  if (!isNumeric(value)) throw typeMismatch(path, value, 'long, int, decimal, double');
  // NaN counts as 0, as on the server.
  return Math.trunc(toNumber(value)) || 0;
}

function readDocument(value: unknown, path: string): Document {
  if (!isDocument(value)) throw typeMismatch(path, value, 'object');
  return value;
}

function readDocuments(value: unknown, path: string): Document[] {
  if (!Array.isArray(value)) throw typeMismatch(path, value, 'array');
  return value.map((item, index) => readDocument(item, `${path}.${index}`));
}

/** The kinds of arguments. */
export const field = {
  any: optional((value) => value),
  document: optional(readDocument),
  documents: optional(readDocuments),
  array: optional((value, path): unknown[] => {
    if (!Array.isArray(value)) throw typeMismatch(path, value, 'array');
    return value as unknown[];
  }),
  string: optional((value, path) => {
    if (typeof value !== 'string') throw typeMismatch(path, value, 'string');
    return value;
  }),
  /** true, false or any number, as the server's "safe" booleans. */
  bool: optional((value, path) => {
    if (typeof value === 'boolean') return value;
    if (!isNumeric(value)) throw typeMismatch(path, value, 'bool, long, int, decimal, double');
    return toNumber(value) !== 0;
  }),
  number: optional(readNumber),
  /** Not negative (51024). */
  count: optional((value, path) => {
    const number = readNumber(value, path);
    const name = path.slice(path.lastIndexOf('.') + 1);
    if (number < 0)
      throw new EngineError(51024, `BSON field '${name}' value must be >= 0, actual value '${number}'`);
    return number;
  }),
  stringOrDocument: optional((value, path): string | Document => {
    if (typeof value === 'string' || isDocument(value)) return value;
    throw typeMismatch(path, value, 'string, object');
  }),
  /** Strings are always compared byte by byte; any other collation is refused. */
  simpleCollation: optional((value, path) => {
    const collation = readDocument(value, path);
    if (collation['locale'] !== 'simple') throw unsupported('a collation other than simple');
    return collation;
  }),
  /** An update: operators or a whole document. */
  update: optional((value, path): Document => {
    if (Array.isArray(value)) throw unsupported('an update by a pipeline');
    return readDocument(value, path);
  }),
};

/** Arguments every command takes; the dispatcher reads those it needs. */
const GENERIC = new Set([
  '$db',
  '$clusterTime',
  '$readPreference',
  '$audit',
  '$client',
  '$configServerState',
  '$oplogQueryData',
  '$queryOptions',
  '$replData',
  '$topologyTime',
  'lsid',
  'txnNumber',
  'autocommit',
  'startTransaction',
  'readConcern',
  'writeConcern',
  'maxTimeMS',
  'maxTimeMSOpOnly',
  'comment',
  'clientOperationKey',
  'allowImplicitCollectionCreation',
]);

/**
 * Reads the arguments of `owner` (a command's name, or a path inside one).
 * @throws EngineError 40415 for an unknown field, 40414 for a missing one, 14 for a wrong type.
 */
export function readFields<F extends FieldTable>(owner: string, body: Document, table: F): Arguments<F> {
  const values: Document = {};
  for (const [name, value] of Object.entries(body)) {
    const known = Object.hasOwn(table, name) ? table[name] : undefined;
    if (known) {
      const read = value === null || value === undefined ? undefined : known.read(value, `${owner}.${name}`);
      if (read !== undefined) values[name] = read;
    } else if (!GENERIC.has(name)) {
      throw unknownHere(40415, `BSON field '${owner}.${name}' is an unknown field`);
    }
  }
  for (const [name, { required: isRequired }] of Object.entries(table)) {
    if (isRequired && values[name] === undefined) {
      throw new EngineError(40414, `BSON field '${owner}.${name}' is missing but a required field`);
    }
  }
  return values as Arguments<F>;
}
