import { isDeepStrictEqual } from 'node:util';

/** A value as the generated documents hold them. */
export type Value = null | boolean | number | string | Value[] | { [name: string]: Value };
export type Doc = { [name: string]: Value };

type Operators = { [operator: string]: Value };

/** MongoDB's order of types, for those the model has. */
function rank(value: Value | undefined): number {
  if (value === undefined || value === null) return 1;
  if (typeof value === 'number') return 2;
  if (typeof value === 'string') return 3;
  if (Array.isArray(value)) return 5;
  return typeof value === 'boolean' ? 8 : 4;
}

function compareLists(a: Value[], b: Value[]): number {
  for (let i = 0; i < Math.min(a.length, b.length); i += 1) {
    const order = compare(a[i], b[i]);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

/** The order of two values; missing counts as null. */
export function compare(a: Value | undefined, b: Value | undefined): number {
  const types = rank(a) - rank(b);
  if (types !== 0) return types;
  if (typeof a === 'string' && typeof b === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b));
  if (Array.isArray(a) && Array.isArray(b)) return compareLists(a, b);
  if (typeof a === 'object' && typeof b === 'object' && a && b) {
    // Type of the first field's value, then its name, then its value, and so on.
    const pairs = (value: object) =>
      Object.entries(value).flatMap(([name, field]) => [rank(field as Value), name, field as Value]);
    return compareLists(pairs(a), pairs(b));
  }
  return Number(a ?? 0) - Number(b ?? 0);
}

/** What a path leads to: through arrays it leads to several values. */
function reach(value: Value | undefined, path: string[]): (Value | undefined)[] {
  const [name, ...rest] = path;
  if (name === undefined) return [value];
  if (Array.isArray(value)) {
    const inside = value.filter((item) => item !== null && typeof item === 'object' && !Array.isArray(item));
    const at = /^\d+$/.test(name) ? reach(value[Number(name)], rest) : [];
    return [...inside.flatMap((item) => reach(item, path)), ...at.filter((found) => found !== undefined)];
  }
  if (value === null || typeof value !== 'object') return [undefined];
  return reach(value[name], rest);
}

/** The values a condition is held against: those reached and, where one is an array, its elements. */
function candidates(doc: Doc, path: string): (Value | undefined)[] {
  return reach(doc, path.split('.')).flatMap((value) => (Array.isArray(value) ? [value, ...value] : [value]));
}

const sameType = (a: Value | undefined, b: Value) => rank(a) === rank(b) && (a !== undefined || b === null);

const TESTS: Record<string, (values: (Value | undefined)[], operand: Value) => boolean> = {
  $eq: (values, operand) =>
    values.some((value) => compare(value, operand) === 0 && rank(value) === rank(operand)),
  $gt: (values, operand) => values.some((value) => sameType(value, operand) && compare(value, operand) > 0),
  $gte: (values, operand) =>
    values.some((value) => rank(value) === rank(operand) && compare(value, operand) >= 0),
  $lt: (values, operand) => values.some((value) => sameType(value, operand) && compare(value, operand) < 0),
  $lte: (values, operand) =>
    values.some((value) => rank(value) === rank(operand) && compare(value, operand) <= 0),
  $in: (values, operand) => (operand as Value[]).some((one) => TESTS['$eq']?.(values, one)),
  $ne: (values, operand) => !TESTS['$eq']?.(values, operand),
  $nin: (values, operand) => !TESTS['$in']?.(values, operand),
};

function condition(doc: Doc, path: string, operator: string, operand: Value): boolean {
  const reached = reach(doc, path.split('.'));
  if (operator === '$exists') return reached.some((value) => value !== undefined) === operand;
  if (operator === '$size') return reached.some((value) => Array.isArray(value) && value.length === operand);
  if (operator === '$not') return !conditions(doc, path, operand as Operators);
  // An empty array leads nowhere, and so do paths through scalars in arrays: neither counts as missing.
  const through = reached.length === 0 ? [] : candidates(doc, path);
  return (
    TESTS[operator]?.(through.length > 0 || reached.length > 0 ? through : [undefined].slice(1), operand) ??
    false
  );
}

function conditions(doc: Doc, path: string, operators: Operators): boolean {
  return Object.entries(operators).every(([operator, operand]) => condition(doc, path, operator, operand));
}

function isOperators(value: Value): value is Operators {
  return (
    value !== null &&
    typeof value === 'object' &&
    !Array.isArray(value) &&
    Object.keys(value)[0]?.startsWith('$') === true
  );
}

/** Whether a document meets a filter. */
export function matches(doc: Doc, filter: Doc): boolean {
  return Object.entries(filter).every(([path, expected]) => {
    if (path === '$and') return (expected as Doc[]).every((part) => matches(doc, part));
    if (path === '$or') return (expected as Doc[]).some((part) => matches(doc, part));
    if (path === '$nor') return !(expected as Doc[]).some((part) => matches(doc, part));
    return isOperators(expected) ? conditions(doc, path, expected) : condition(doc, path, '$eq', expected);
  });
}

/** The value a document is sorted by; a missing one is null. */
const sortValue = (doc: Doc, path: string): Value => reach(doc, path.split('.'))[0] ?? null;

/** The documents that meet a filter, in an order that leaves no tie. */
export function select(
  docs: Doc[],
  query: { filter: Doc; sort?: Doc; skip?: number; limit?: number },
): Doc[] {
  const found = docs.filter((doc) => matches(doc, query.filter));
  const keys = Object.entries(query.sort ?? { _id: 1 });
  found.sort((a, b) => {
    for (const [path, direction] of keys) {
      const order = compare(sortValue(a, path), sortValue(b, path));
      if (order !== 0) return direction === 1 ? order : -order;
    }
    return 0;
  });
  const { skip = 0, limit = 0 } = query;
  return found.slice(skip, limit > 0 ? skip + limit : undefined);
}

/** Changes what a path leads to; throws where the path leads through something that is no document. */
function setPath(
  doc: Doc,
  path: string,
  change: (old: Value | undefined) => Value | undefined,
  creates = true,
): void {
  const names = path.split('.');
  const last = names.pop() as string;
  let at: Doc = doc;
  for (const name of names) {
    const next = at[name];
    if (next === undefined) {
      if (!creates) return;
      at[name] = {};
    } else if (next === null || typeof next !== 'object' || Array.isArray(next)) {
      throw new Error('not viable');
    }
    at = at[name] as Doc;
  }
  const value = change(at[last]);
  if (value === undefined) delete at[last];
  else at[last] = value;
}

const list = (value: Value | undefined): Value[] => {
  if (value !== undefined && !Array.isArray(value)) throw new Error('not an array');
  return value ?? [];
};

const number = (value: Value | undefined): number => {
  if (value !== undefined && typeof value !== 'number') throw new Error('not a number');
  return value ?? 0;
};

const CHANGES: Record<string, (old: Value | undefined, operand: Value) => Value | undefined> = {
  $set: (_old, operand) => operand,
  $inc: (old, operand) => number(old) + number(operand),
  $min: (old, operand) => (old === undefined || compare(operand, old) < 0 ? operand : old),
  $max: (old, operand) => (old === undefined || compare(operand, old) > 0 ? operand : old),
  $push: (old, operand) => [...list(old), operand],
  $addToSet: (old, operand) =>
    list(old).some((item) => compare(item, operand) === 0) ? list(old) : [...list(old), operand],
  $pull: (old, operand) =>
    old === undefined ? undefined : list(old).filter((item) => compare(item, operand) !== 0),
};

/** The document after an update; throws where the server refuses. */
export function changed(doc: Doc, update: Doc): Doc {
  const result = structuredClone(doc);
  for (const [operator, fields] of Object.entries(update)) {
    for (const [path, operand] of Object.entries(fields as Doc)) {
      if (operator === '$unset') {
        const parent = reach(result, path.split('.').slice(0, -1))[0];
        if (parent && typeof parent === 'object' && !Array.isArray(parent))
          setPath(result, path, () => undefined);
      } else {
        setPath(result, path, (old) => CHANGES[operator]?.(old, operand), operator !== '$pull');
      }
    }
  }
  return result;
}

/** A collection without indexes, plans, disks or sockets. */
export class ModelCollection {
  docs: Doc[] = [];

  insert(docs: Doc[]): number {
    const fresh = docs.filter(
      ({ _id }, at) =>
        !this.docs.some((doc) => doc['_id'] === _id) && docs.findIndex((doc) => doc['_id'] === _id) === at,
    );
    this.docs.push(...structuredClone(fresh));
    return fresh.length;
  }

  update(filter: Doc, update: Doc): { matched: number; modified: number } | 'refused' {
    const hits = this.docs.filter((doc) => matches(doc, filter));
    try {
      const after = new Map(hits.map((doc) => [doc, changed(doc, update)]));
      const modified = hits.filter((doc) => !isDeepStrictEqual(doc, after.get(doc))).length;
      this.docs = this.docs.map((doc) => after.get(doc) ?? doc);
      return { matched: hits.length, modified };
    } catch {
      return 'refused';
    }
  }

  remove(filter: Doc): number {
    const before = this.docs.length;
    this.docs = this.docs.filter((doc) => !matches(doc, filter));
    return before - this.docs.length;
  }
}
