import { Double, Int32, Long, ObjectId, Timestamp } from 'bson';
import { compare, compareBy, fraction, matches, rank, type Doc } from './bson-model.ts';

/**
 * What updates, upserts, projections, expressions and stages make of any values, written as plainly as MongoDB's manual says
 * it and without a line of the engine. A missing value is `undefined`.
 */

/** The server answers with an error. */
export class Refused extends Error {}

const isArray = (value: unknown): value is unknown[] => Array.isArray(value);
const isDoc = (value: unknown): value is Doc => value !== undefined && rank(value) === 3;
const isNumber = (value: unknown): boolean => value !== undefined && rank(value) === 1;
const isNone = (value: unknown): boolean => value === undefined || value === null;
const same = (a: unknown, b: unknown): boolean => compare(a, b) === 0;

type Kind = 'int' | 'long' | 'double';

const INT = 2n ** 31n;
const LONG = 2n ** 63n;
const fits = (whole: bigint, limit: bigint): boolean => whole >= -limit && whole < limit;

/** The type in which a number is stored. */
function kindOf(value: unknown): Kind {
  if (value instanceof Long) return 'long';
  if (value instanceof Int32) return 'int';
  const isWhole = Number.isInteger(value) && !Object.is(value, -0) && fits(BigInt(value as number), INT);
  return isWhole ? 'int' : 'double';
}

const widest = (kinds: readonly Kind[]): Kind =>
  kinds.includes('double') ? 'double' : kinds.includes('long') ? 'long' : 'int';

const asDouble = (value: unknown): number =>
  value instanceof Long
    ? Number(value.toString())
    : typeof value === 'number'
      ? value
      : (value as Double | Int32).value;

const asWhole = (value: unknown): bigint =>
  value instanceof Long ? BigInt(value.toString()) : BigInt(Math.trunc(asDouble(value)));

/** A whole number in a type; an int that does not fit becomes a long; undefined for what fits no long. */
function whole(value: bigint, kind: Kind): unknown {
  if (kind === 'int' && fits(value, INT)) return Number(value);
  return fits(value, LONG) ? Long.fromBigInt(value) : undefined;
}

function increased(before: unknown, by: unknown): unknown {
  if (!isNumber(by)) throw new Refused('$inc takes numbers');
  if (before === undefined) return by;
  if (!isNumber(before)) throw new Refused('$inc of what is no number');
  const kind = widest([kindOf(before), kindOf(by)]);
  if (kind === 'double') {
    const sum = asDouble(before) + asDouble(by);
    // -0 stays -0 when nothing is added.
    return kindOf(before) === 'double' && sum === asDouble(before) ? before : new Double(sum);
  }
  const sum = whole(asWhole(before) + asWhole(by), kind);
  if (sum === undefined) throw new Refused('beyond 64 bits');
  return sum;
}

function listOf(before: unknown): unknown[] {
  if (before !== undefined && !isArray(before)) throw new Refused('no array');
  return before ?? [];
}

const eachOf = (argument: unknown): unknown[] =>
  isDoc(argument) && '$each' in argument ? (argument['$each'] as unknown[]) : [argument];

function pushed(before: unknown, argument: unknown): unknown[] {
  const all = [...listOf(before), ...eachOf(argument)];
  const slice = isDoc(argument) ? (argument['$slice'] as number | undefined) : undefined;
  if (slice === undefined) return all;
  return slice < 0 ? all.slice(slice) : all.slice(0, slice);
}

function withMissing(before: unknown, argument: unknown): unknown[] {
  const all = [...listOf(before)];
  for (const one of eachOf(argument)) if (!all.some((other) => same(other, one))) all.push(one);
  return all;
}

/** What an operator makes of the value at its path; `undefined` is a field that is not there. */
const CHANGES: Record<string, (before: unknown, argument: unknown) => unknown> = {
  $set: (_before, argument) => argument,
  $setOnInsert: (_before, argument) => argument,
  $unset: () => undefined,
  $inc: increased,
  $min: (before, argument) => (before === undefined || compare(argument, before) < 0 ? argument : before),
  $max: (before, argument) => (before === undefined || compare(argument, before) > 0 ? argument : before),
  $push: pushed,
  $addToSet: withMissing,
  $pull(before, argument) {
    if (before === undefined) return undefined;
    return listOf(before).filter((one) =>
      isDoc(argument) ? !isDoc(one) || !matches(one, argument) : !same(one, argument),
    );
  },
};

/** A value after a change somewhere below it. */
function changedBelow(
  value: unknown,
  [name, ...rest]: readonly string[],
  change: (before: unknown) => unknown,
): unknown {
  if (name === undefined) return change(value);
  if (isArray(value) && /^\d+$/.test(name)) {
    const at = Number(name);
    const made = changedBelow(value[at], rest, change);
    if (made === undefined) return at < value.length ? value.with(at, null) : value;
    const filled = Array.from({ length: Math.max(value.length, at + 1) }, (_, i) => value[i] ?? null);
    return filled.with(at, made);
  }
  if (value !== undefined && !isDoc(value)) {
    // Nothing is to be removed there; whatever else would have to be put there.
    if (change === CHANGES['$unset']) return value;
    throw new Refused(`no way to ${name}`);
  }
  const { [name]: before, ...others } = value ?? {};
  const made = changedBelow(before, rest, change);
  if (made === undefined) return value && others;
  return { ...value, [name]: made };
}

const isAbove = (a: readonly string[], b: readonly string[]): boolean =>
  a.every((name, at) => name === b[at]);

/** The document after an update by operators; throws where the server refuses. */
export function updated(doc: Doc, update: Doc, isInsert = false): Doc {
  const steps = Object.entries(update)
    .flatMap(([op, fields]) =>
      Object.entries(fields as Doc).map(([path, argument]) => ({ op, path: path.split('.'), argument })),
    )
    .sort((a, b) => (a.path.join('\0') < b.path.join('\0') ? -1 : 1));
  for (const { op, argument } of steps)
    if (op === '$inc' && !isNumber(argument)) throw new Refused('$inc takes numbers');
  if (steps.some((a) => steps.some((b) => a !== b && isAbove(a.path, b.path)))) throw new Refused('conflict');
  return steps
    .filter(({ op }) => isInsert || op !== '$setOnInsert')
    .reduce((made, { op, path, argument }) => {
      const change = CHANGES[op] as (before: unknown, argument: unknown) => unknown;
      const bound = op === '$unset' ? (change as (before: unknown) => unknown) : undefined;
      return changedBelow(made, path, bound ?? ((before) => change(before, argument))) as Doc;
    }, doc);
}

/** What an upsert inserts that finds nothing: what the filter says equals something, changed by the update. */
export function upserted(filter: Doc, update: Doc): Doc {
  const equalities = Object.entries(filter).flatMap(([path, expected]): [string, unknown][] => {
    if (!isDoc(expected) || !Object.keys(expected)[0]?.startsWith('$')) return [[path, expected]];
    if ('$eq' in expected) return [[path, expected['$eq']]];
    const [first, ...others] = (expected['$in'] ?? []) as unknown[];
    return first !== undefined && others.every((one) => same(one, first)) ? [[path, first]] : [];
  });
  const inOrder = equalities.sort(([a], [b]) => (a === '_id' || (b !== '_id' && a < b) ? -1 : 1));
  const seed = inOrder.reduce(
    (made, [path, value]) => changedBelow(made, path.split('.'), () => value) as Doc,
    {} as Doc,
  );
  return updated(seed, update, true);
}

/** A document of which the paths are kept, or dropped; `_id` as is said. */
export function projected(doc: Doc, { _id, ...fields }: Record<string, boolean>): Doc {
  const names = Object.keys(fields);
  const isWanted = Object.values(fields)[0] ?? _id === true;
  const paths = names.map((name) => name.split('.'));
  const isIdNamed = isWanted ? _id !== false : _id === false;
  return kept(doc, isIdNamed ? [...paths, ['_id']] : paths, isWanted) as Doc;
}

function kept(value: unknown, paths: readonly string[][], isWanted: boolean): unknown {
  if (paths.some((path) => path.length === 0)) return isWanted ? value : undefined;
  if (isArray(value)) {
    const items = value.map((item) => kept(item, paths, isWanted));
    return isWanted ? items.filter((item) => item !== undefined) : items;
  }
  if (!isDoc(value)) return isWanted ? undefined : value;
  const entries = Object.entries(value).map(([name, inside]) => {
    const below = paths.filter(([first]) => first === name).map(([, ...rest]) => rest);
    return [name, below.length === 0 ? (isWanted ? undefined : inside) : kept(inside, below, isWanted)];
  });
  return Object.fromEntries(entries.filter(([, inside]) => inside !== undefined)) as Doc;
}

/** All values under a path: of every document in an array on it, and of every element of an array at its end. */
function valuesUnder(value: unknown, path: readonly string[]): unknown[] {
  const [name, ...rest] = path;
  if (name === undefined) return isArray(value) ? value : value === undefined ? [] : [value];
  if (isArray(value) && /^\d+$/.test(name)) return valuesUnder(value[Number(name)], rest);
  if (isArray(value)) return value.filter(isDoc).flatMap((item) => valuesUnder(item, path));
  return isDoc(value) ? valuesUnder(value[name], rest) : [];
}

/** The different values under a path, each as it is met first. */
export function different(docs: readonly Doc[], path: string): unknown[] {
  return withMissing([], { $each: docs.flatMap((doc) => valuesUnder(doc, path.split('.'))) });
}

/** What a path of an expression leads to; in arrays, to the values in their documents. */
function under(value: unknown, path: readonly string[]): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return value;
  if (isArray(value))
    return value.flatMap((item) => {
      const found = isDoc(item) ? under(item, path) : undefined;
      return found === undefined ? [] : [found];
    });
  return isDoc(value) ? under(value[name], rest) : undefined;
}

const isTrue = (value: unknown): boolean =>
  !isNone(value) && value !== false && !(isNumber(value) && same(value, 0));

function remainder(a: unknown, b: unknown): unknown {
  if (isNone(a) || isNone(b)) return null;
  if (!isNumber(a) || !isNumber(b) || same(b, 0)) throw new Refused('$mod');
  // A divisor that is a double counts as a whole number where an int holds it.
  const isWholeDivisor = kindOf(b) !== 'double' || (isWholeNumber(b) && fits(asWhole(b), INT));
  if (kindOf(a) === 'double' || !isWholeDivisor) return new Double(asDouble(a) % asDouble(b));
  return whole(asWhole(a) % asWhole(b), kindOf(a) === 'long' || kindOf(b) === 'long' ? 'long' : 'int');
}

const isWholeNumber = (value: unknown): boolean => Number.isInteger(asDouble(value));

/** From a date: the milliseconds since another one, or the date so many milliseconds before. */
function difference(a: unknown, b: unknown): unknown {
  if (isNone(a) || isNone(b)) return null;
  if (!(a instanceof Date)) throw new Refused('$subtract');
  if (b instanceof Date) return Long.fromNumber(a.getTime() - b.getTime());
  return new Date(a.getTime() - Number(asWhole(b)));
}

/** A date by a format, in UTC; of ids and timestamps the second that is in them. */
function dateText(value: unknown, format: string): string | null {
  if (isNone(value)) return null;
  const date =
    value instanceof ObjectId
      ? value.getTimestamp()
      : value instanceof Timestamp
        ? new Date(value.t * 1000)
        : value;
  if (!(date instanceof Date)) throw new Refused('$dateToString');
  const iso = date.toISOString();
  const parts: Record<string, string> = {
    ...{ Y: iso.slice(0, 4), m: iso.slice(5, 7), d: iso.slice(8, 10), H: iso.slice(11, 13) },
    ...{ M: iso.slice(14, 16), S: iso.slice(17, 19), L: iso.slice(20, 23), '%': '%' },
  };
  return format.replace(/%(.)/g, (_, part: string) => parts[part] ?? '');
}

/** The value of an expression. */
export function evaluated(expression: unknown, doc: Doc): unknown {
  if (typeof expression === 'string' && expression.startsWith('$'))
    return under(doc, expression.slice(1).split('.'));
  if (!isDoc(expression)) return expression;
  const [op = '', argument] = Object.entries(expression)[0] ?? [];
  if (!op.startsWith('$')) {
    const entries = Object.entries(expression).map(([name, inside]) => [name, evaluated(inside, doc)]);
    return Object.fromEntries(entries.filter(([, inside]) => inside !== undefined));
  }
  if (op === '$dateToString') {
    const { date, format } = argument as { date: unknown; format: string };
    return dateText(evaluated(date, doc), format);
  }
  const [first, ...others] = argument as unknown[];
  const a = evaluated(first, doc);
  if (op === '$cond') return evaluated(isTrue(a) ? others[0] : others[1], doc);
  const b = evaluated(others[0], doc);
  if (op === '$mod') return remainder(a, b);
  if (op === '$subtract') return difference(a, b);
  // Here a missing value differs from null.
  return (a === undefined) === (b === undefined) && same(a, b);
}

/** The sum of numbers as exactly as their widest type holds it. */
function total(numbers: readonly unknown[]): unknown {
  const kind = widest(numbers.map(kindOf));
  const sum = exactSum(numbers);
  if (typeof sum === 'number') return new Double(sum);
  const { over, under: below } = sum;
  const exact = kind === 'double' ? undefined : whole(over, kind);
  return exact ?? new Double(Number(over) / Number(below));
}

function exactSum(numbers: readonly unknown[]): number | { over: bigint; under: bigint } {
  const parts = numbers.map(fraction);
  if (parts.some(({ special }) => special !== undefined))
    return numbers.reduce<number>((sum, one) => sum + asDouble(one), 0);
  return parts.reduce<{ over: bigint; under: bigint }>(
    (sum, part) => {
      if (part.special !== undefined) return sum;
      return { over: sum.over * part.under + part.over * sum.under, under: sum.under * part.under };
    },
    { over: 0n, under: 1n },
  );
}

const extreme =
  (sign: 1 | -1) =>
  (values: readonly unknown[]): unknown =>
    values
      .filter((one) => !isNone(one))
      .reduce((best, one) => (best === undefined || sign * compare(one, best) < 0 ? one : best), undefined) ??
    null;

const ACCUMULATORS: Record<string, (values: readonly unknown[]) => unknown> = {
  $sum: (values) => total(values.filter(isNumber)),
  $avg(values) {
    const numbers = values.filter(isNumber);
    if (numbers.length === 0) return null;
    const sum = exactSum(numbers);
    const all = typeof sum === 'number' ? sum : Number(sum.over) / Number(sum.under);
    return new Double(all / numbers.length);
  },
  $min: extreme(1),
  $max: extreme(-1),
};

function grouped(docs: readonly Doc[], { _id, ...fields }: Doc): Doc[] {
  const fieldsOfId = isDoc(_id) && Object.keys(_id)[0]?.startsWith('$') !== true ? Object.entries(_id) : [];
  if (fieldsOfId.some(([, one]) => isNumber(one) || typeof one === 'boolean'))
    throw new Refused('it looks like a projection');
  const [only, ...others] = fieldsOfId;
  const groups: { id: unknown; members: Doc[] }[] = [];
  for (const doc of docs) {
    const id =
      only && others.length === 0
        ? { [only[0]]: evaluated(only[1], doc) ?? null }
        : (evaluated(_id, doc) ?? null);
    const group = groups.find((other) => same(other.id, id));
    if (group) group.members.push(doc);
    else groups.push({ id, members: [doc] });
  }
  return groups.map(({ id, members }) => {
    const made = Object.entries(fields).map(([name, spec]) => {
      const [op = '', expression] = Object.entries(spec as Doc)[0] ?? [];
      return [name, ACCUMULATORS[op]?.(members.map((doc) => evaluated(expression, doc)))];
    });
    return { _id: id, ...Object.fromEntries(made) } as Doc;
  });
}

/** What stages make of documents, one after the other. Groups have no order. */
export function staged(docs: readonly Doc[], stages: readonly Doc[]): Doc[] {
  return stages.reduce<Doc[]>(
    (left, stage) => {
      const [[name, spec] = ['', null]] = Object.entries(stage);
      switch (name) {
        case '$match':
          return left.filter((doc) => matches(doc, spec as Doc));
        case '$sort':
          return [...left].sort(compareBy(spec as Record<string, 1 | -1>));
        case '$skip':
          return left.slice(spec as number);
        case '$limit':
          return left.slice(0, spec as number);
        default:
          return grouped(left, spec as Doc);
      }
    },
    [...docs],
  );
}
