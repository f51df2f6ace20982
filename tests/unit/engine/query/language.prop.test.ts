import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeDouble } from '#models/engine/values/arithmetic.ts';
import { BSONRegExp, type Document } from '#models/engine/values/types.ts';
import { compare, compareBy, rank } from '#tests/integration/engine/conformance/bson-model.ts';
import { scalar as anyScalar } from '../values/arbitrary.ts';
import { aggregated, bytes, projected, updated } from './support.ts';

/**
 * Updates, projections and stages over all BSON types, held against what MongoDB's manual says of them, written as plainly
 * as that and without a line of the engine.
 */
const numRuns = Number(process.env['CONFORMANCE_RUNS'] ?? 300);

const scalar = anyScalar;
const inner = fc.record({ x: scalar, y: scalar }, { requiredKeys: [], noNullPrototype: true });
const element = fc.oneof({ weight: 3, arbitrary: scalar }, inner);
const list = fc.array(element, { maxLength: 4 });
const value = fc.oneof({ weight: 4, arbitrary: scalar }, inner, list);
const int = fc.integer({ min: -9, max: 9 });
const fields = { k: value, l: list, n: int, o: inner, v: value };
const doc = fc
  .record(fields, { requiredKeys: [], noNullPrototype: true })
  .map((rest): Document => ({ _id: 1, ...rest }));

const same = (a: unknown, b: unknown): boolean => compare(a, b) === 0;
const isDoc = (one: unknown): one is Document => rank(one) === 3;
const shown = (docs: readonly Document[]): string[] => docs.map(bytes);

describe('updates', () => {
  /** What an operator makes of the value at its path; `undefined` is a field that is not there. */
  const OPERATORS: Record<string, (before: unknown, argument: never) => unknown> = {
    $set: (_before, argument) => argument,
    $unset: () => undefined,
    $min: (before, argument) => (before === undefined || compare(argument, before) < 0 ? argument : before),
    $max: (before, argument) => (before === undefined || compare(argument, before) > 0 ? argument : before),
    $inc: (before, by: number) => ((before as number | undefined) ?? 0) + by,
    $push: (before, { $each, $slice }: { $each: unknown[]; $slice?: number }) => {
      const all = [...((before as unknown[] | undefined) ?? []), ...$each];
      if ($slice === undefined) return all;
      return $slice < 0 ? all.slice($slice) : all.slice(0, $slice);
    },
    $addToSet: (before, { $each }: { $each: unknown[] }) => {
      const all = [...((before as unknown[] | undefined) ?? [])];
      for (const one of $each) if (!all.some((other) => same(other, one))) all.push(one);
      return all;
    },
    $pull: (before, argument) => (before as unknown[] | undefined)?.filter((one) => !same(one, argument)),
  };

  function changed(before: Document, path: readonly string[], op: string, argument: unknown): Document {
    const [name = '', ...rest] = path;
    const old = before[name];
    const made =
      rest.length > 0
        ? old === undefined && op === '$unset'
          ? undefined
          : changed((old ?? {}) as Document, rest, op, argument)
        : OPERATORS[op]?.(old, argument as never);
    const { [name]: _gone, ...others } = before;
    return made === undefined ? others : { ...before, [name]: made };
  }

  const each = fc.array(element, { maxLength: 3 });
  const plain = scalar.filter((one) => !(one instanceof BSONRegExp));
  const ofList = fc.oneof(
    fc.record({ $each: each }).map((argument) => ['$addToSet', argument] as const),
    fc
      .record(
        { $each: each, $slice: fc.integer({ min: -3, max: 3 }) },
        { requiredKeys: ['$each'], noNullPrototype: true },
      )
      .map((argument) => ['$push', argument] as const),
    plain.map((argument) => ['$pull', argument] as const),
  );
  const ofAny = fc.tuple(fc.constantFrom('$set', '$unset', '$min', '$max'), value);
  const ofInt = fc.tuple(fc.constant('$inc'), int);
  const update = fc.record(
    { k: ofAny, l: ofList, n: ofInt, 'o.x': ofAny, v: ofAny, 'w.a': ofAny },
    { requiredKeys: [], noNullPrototype: true },
  );

  it('make what the manual says of any values', () => {
    fc.assert(
      fc.property(doc, update, (before, changes) => {
        const spec: Record<string, Document> = {};
        for (const [path, [op, argument]] of Object.entries(changes)) (spec[op] ??= {})[path] = argument;
        fc.pre(Object.keys(spec).length > 0);
        const after = Object.entries(changes)
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .reduce((made, [path, [op, argument]]) => changed(made, path.split('.'), op, argument), before);
        expect(bytes(updated(before, spec))).toBe(bytes(after));
      }),
      { numRuns },
    );
  });
});

describe('projections', () => {
  const nested = fc.oneof(value, fc.array(fc.oneof(inner, list), { maxLength: 3 }));
  const deep = fc.record({ a: nested, b: nested, c: fc.record({ d: nested }, { noNullPrototype: true }) });
  const paths = fc.uniqueArray(fc.constantFrom('a.x', 'b', 'c.d.x', 'c.d.y', 'z'), { minLength: 1 });

  /** The rest of those paths that begin with a name. */
  const below = (all: string[][], name: string): string[][] =>
    all.filter(([first]) => first === name).map(([, ...rest]) => rest);

  function kept(one: unknown, all: string[][], isWanted: boolean): unknown {
    if (all.some((path) => path.length === 0)) return isWanted ? one : undefined;
    if (Array.isArray(one)) {
      const items = one.map((item) => kept(item, all, isWanted));
      return isWanted ? items.filter((item) => item !== undefined) : items;
    }
    if (!isDoc(one)) return isWanted ? undefined : one;
    const entries = Object.entries(one).map(([name, inside]) => {
      const rest = below(all, name);
      return [name, rest.length === 0 ? (isWanted ? undefined : inside) : kept(inside, rest, isWanted)];
    });
    return Object.fromEntries(entries.filter(([, inside]) => inside !== undefined)) as Document;
  }

  it('keep or drop what they name, in all documents on the way', () => {
    fc.assert(
      fc.property(deep, paths, fc.boolean(), fc.boolean(), (rest, names, isWanted, withId) => {
        const whole: Document = { _id: 1, ...rest };
        const spec = Object.fromEntries(names.map((name) => [name, isWanted ? 1 : 0]));
        const all = names.map((name) => name.split('.'));
        const idToo = isWanted === withId ? [...all, ['_id']] : all;
        const expected = kept(whole, idToo, isWanted) as Document;
        expect(bytes(projected({ ...spec, _id: withId }, whole))).toBe(bytes(expected));
      }),
      { numRuns },
    );
  });
});

describe('stages', () => {
  const docs = fc
    .array(doc, { maxLength: 8 })
    .map((all) => all.map((one, _id): Document => ({ ...one, _id })));
  const path = fc.constantFrom('n', 'o.x', 's');
  const sortable = fc
    .tuple(docs, fc.array(fc.option(scalar, { nil: undefined }), { minLength: 8, maxLength: 8 }))
    .map(([all, values]) =>
      all.map((one, at): Document => (values[at] === undefined ? one : { ...one, s: values[at] })),
    );

  it('$sort, $skip and $limit take what comes when', () => {
    fc.assert(
      fc.property(
        sortable,
        path,
        fc.constantFrom<1 | -1>(1, -1),
        fc.nat(3),
        fc.integer({ min: 1, max: 9 }),
        (all, by, direction, skip, limit) => {
          const expected = [...all].sort(compareBy(by, direction)).slice(skip, skip + limit);
          const stages = [{ $sort: { [by]: direction } }, { $skip: skip }, { $limit: limit }];
          expect(shown(aggregated(stages, all))).toEqual(shown(expected));
        },
      ),
      { numRuns },
    );
  });

  it('$group gathers what is equal across types', () => {
    const known = (values: unknown[]): unknown[] => values.filter((one) => one !== undefined && one !== null);
    const least = (values: unknown[], sign: number): unknown =>
      known(values).reduce(
        (best, one) => (best === undefined || sign * compare(one, best) < 0 ? one : best),
        undefined,
      ) ?? null;
    fc.assert(
      fc.property(docs, (all) => {
        const groups: { id: unknown; members: Document[] }[] = [];
        for (const one of all) {
          const id = one['k'] ?? null;
          const group = groups.find((other) => same(other.id, id));
          if (group) group.members.push(one);
          else groups.push({ id, members: [one] });
        }
        const expected = groups.map(({ id, members }): Document => {
          const values = members.map((one) => one['v']);
          const numbers = members.flatMap((one) => (one['n'] === undefined ? [] : [one['n'] as number]));
          const total = numbers.reduce((sum, n) => sum + n, 0);
          return {
            _id: id,
            count: members.length,
            total,
            mean: numbers.length === 0 ? null : makeDouble(total / numbers.length),
            least: least(values, 1),
            most: least(values, -1),
          };
        });
        const stage = {
          $group: {
            _id: '$k',
            count: { $sum: 1 },
            total: { $sum: '$n' },
            mean: { $avg: '$n' },
            least: { $min: '$v' },
            most: { $max: '$v' },
          },
        };
        // Groups have no order of their own.
        const order = (made: Document[]): string[] => shown(made).sort();
        expect(order(aggregated([stage], all))).toEqual(order(expected));
      }),
      { numRuns },
    );
  });
});
