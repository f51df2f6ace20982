import { unsupported } from '../../errors.ts';
import { exactLong } from '../../values/integers.ts';
import { showValue } from '../../values/show.ts';
import { isDocument, isNumeric, setField, typeNameOf, typeOf, type Document } from '../../values/types.ts';
import { compareValues, typeRank } from '../compare.ts';
import { compileOperand, isExpressionDocument } from '../expression/compile.ts';
import { check, type Expr, type ExprContext } from '../expression/types.ts';
import type { GroupField } from './group-field.ts';
import { grouping, outputFields } from './group.ts';
import type { BuildStage } from './types.ts';

function checkOptions(
  spec: unknown,
  known: readonly string[],
  stage: string,
  codes: [number, number],
): Document {
  check(
    isDocument(spec),
    codes[0],
    () => `Argument to ${stage} stage must be an object, but found type: ${typeNameOf(spec)}.`,
  );
  for (const key of Object.keys(spec)) {
    check(known.includes(key), codes[1], () => `Unrecognized option to ${stage}: ${key}.`);
  }
  return spec;
}

function groupByOf(spec: Document, stage: string, code: number, c: ExprContext): Expr {
  const by = spec['groupBy'];
  check(
    (typeof by === 'string' && by.startsWith('$')) || isExpressionDocument(by),
    code,
    () =>
      `The ${stage} 'groupBy' field must be defined as a $-prefixed path or an expression, but found: ${showValue(by)}.`,
  );
  return compileOperand(by, c);
}

function rankOf(value: unknown): number {
  return typeRank(typeOf(value));
}

function constantOf(spec: unknown, c: ExprContext): unknown {
  return compileOperand(spec, c)({ root: {}, bindings: undefined });
}

function boundariesOf(spec: Document, c: ExprContext): unknown[] {
  const list = spec['boundaries'];
  check(
    Array.isArray(list),
    40200,
    () => `The $bucket 'boundaries' field must be an array, but found type: ${typeNameOf(list)}.`,
  );
  const values = list.map((item) => constantOf(item, c));
  check(
    values.length >= 2,
    40192,
    () => `The $bucket 'boundaries' field must have at least 2 values, but found ${values.length} value(s).`,
  );
  for (let i = 1; i < values.length; i++) {
    check(
      rankOf(values[i - 1]) === rankOf(values[i]),
      40193,
      () =>
        `All values in the the 'boundaries' option to $bucket must have the same type. Found conflicting types ${typeNameOf(values[i - 1])} and ${typeNameOf(values[i])}.`,
    );
    check(
      compareValues(values[i - 1], values[i], c.collation) < 0,
      40194,
      () =>
        `The 'boundaries' option to $bucket must be sorted, but elements ${i - 1} and ${i} are not in ascending order (${showValue(values[i - 1])} is not less than ${showValue(values[i])}).`,
    );
  }
  return values;
}

/** `$bucket`: groups by the interval between given boundaries. */
export const bucketStage: BuildStage = (given, { expressions: c }) => {
  const spec = checkOptions(given, ['groupBy', 'boundaries', 'default', 'output'], '$bucket', [40201, 40197]);
  check(
    Object.hasOwn(spec, 'groupBy') && Object.hasOwn(spec, 'boundaries'),
    40198,
    () => "$bucket requires 'groupBy' and 'boundaries' to be specified.",
  );
  const by = groupByOf(spec, '$bucket', 40202, c);
  const boundaries = boundariesOf(spec, c);
  const other = Object.hasOwn(spec, 'default') ? constantOf(spec['default'], c) : undefined;
  const [lowest] = boundaries;
  const highest = boundaries.at(-1);
  check(
    other === undefined ||
      compareValues(other, lowest, c.collation) < 0 ||
      compareValues(other, highest, c.collation) >= 0,
    40199,
    () =>
      "The $bucket 'default' field must be less than the lowest boundary or greater than or equal to the highest boundary.",
  );
  const key: Expr = (scope) => {
    const value = by(scope) ?? null;
    const next = boundaries.findIndex((boundary) => compareValues(value, boundary, c.collation) < 0);
    if (next > 0) return boundaries[next - 1];
    check(
      other !== undefined,
      40066,
      () => '$switch could not find a matching branch for an input, and no default was specified.',
    );
    return other;
  };
  const group = grouping(key, outputFields(spec['output'], 40196, '$bucket', c), c);
  return (input, bindings) =>
    [...group(input, bindings)].sort((a, b) => compareValues(a['_id'], b['_id'], c.collation));
};

interface Keyed {
  doc: Document;
  key: unknown;
}

/** Where each bucket ends: as even as possible, but equal keys stay together. */
function cutEvenly(
  sorted: readonly Keyed[],
  buckets: number,
  equal: (a: unknown, b: unknown) => boolean,
): Keyed[][] {
  const result: Keyed[][] = [];
  let start = 0;
  const size = Math.max(1, Math.round(sorted.length / buckets));
  while (start < sorted.length && result.length < buckets) {
    let end = result.length === buckets - 1 ? sorted.length : Math.min(sorted.length, start + size);
    while (end < sorted.length && equal((sorted[end - 1] as Keyed).key, (sorted[end] as Keyed).key)) end++;
    result.push(sorted.slice(start, end));
    start = end;
  }
  return result;
}

function bucketDocument(
  bucket: readonly Keyed[],
  next: readonly Keyed[] | undefined,
  fields: GroupField[],
): Document {
  const min = (bucket[0] as Keyed).key;
  const id = { min, max: (next?.[0] ?? (bucket.at(-1) as Keyed)).key };
  const doc: Document = { _id: id };
  for (const field of fields) {
    const accumulator = field.make({ root: id, bindings: undefined });
    for (const { doc: root } of bucket) accumulator.add(field.input({ root, bindings: undefined }));
    setField(doc, field.name, accumulator.result() ?? null);
  }
  return doc;
}

/** `$bucketAuto`: groups into a number of buckets of about the same size. */
export const bucketAutoStage: BuildStage = (given, { expressions: c }) => {
  const spec = checkOptions(
    given,
    ['groupBy', 'buckets', 'output', 'granularity'],
    '$bucketAuto',
    [40240, 40245],
  );
  check(
    Object.hasOwn(spec, 'groupBy') && Object.hasOwn(spec, 'buckets'),
    40246,
    () => "$bucketAuto requires 'groupBy' and 'buckets' to be specified.",
  );
  if (Object.hasOwn(spec, 'granularity')) throw unsupported("$bucketAuto with 'granularity'");
  const by = groupByOf(spec, '$bucketAuto', 40239, c);
  const wanted = spec['buckets'];
  check(
    isNumeric(wanted),
    40241,
    () => `The $bucketAuto 'buckets' field must be a numeric value, but found type: ${typeNameOf(wanted)}.`,
  );
  const buckets = Number(exactLong(wanted) ?? 0n);
  check(
    buckets > 0,
    40243,
    () => `The $bucketAuto 'buckets' field must be greater than 0, but found: ${showValue(wanted)}.`,
  );
  const fields = outputFields(spec['output'], 40244, '$bucketAuto', c);
  const order = (a: unknown, b: unknown): number => compareValues(a, b, c.collation);
  return (input, bindings) => {
    const keyed = Array.from(input, (doc) => ({ doc, key: by({ root: doc, bindings }) ?? null }));
    keyed.sort((a, b) => order(a.key, b.key));
    const cut = cutEvenly(keyed, buckets, (a, b) => order(a, b) === 0);
    return cut.map((bucket, i) => bucketDocument(bucket, cut[i + 1], fields));
  };
};
