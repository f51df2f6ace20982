import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Double, Long, type Document } from '#models/engine/values/types.ts';
import { aggregated, failure, keysOf } from './support.ts';

const DOCS: Document[] = [
  { _id: 1, k: 'a', v: 5, d: new Date(3) },
  { _id: 2, k: 'b', v: 3, d: new Date(1) },
  { _id: 3, k: 'a', v: 4.5 },
  { _id: 4, v: 'x', k: null },
];

/** One accumulator over documents with the given values. */
function over(accumulator: Document, values: unknown[]): unknown {
  const docs = values.map((v, i) => (v === undefined ? { i } : { i, v }));
  const [group] = aggregated([{ $group: { _id: null, r: accumulator } }], docs);
  return group?.['r'];
}

function refuses(list: [stage: Document, code: number, message?: string][]): void {
  it.each(list)('refuses %o with %i', (stage, code, message) => {
    const found = failure(() => aggregated([stage], DOCS));
    expect(found.code).toBe(code);
    if (message !== undefined) expect(found.message).toBe(message);
  });
}

describe('$group', () => {
  it('groups by a field, missing and null together', () => {
    expect(aggregated([{ $group: { _id: '$k', n: { $sum: 1 } } }], [...DOCS, { _id: 5 }])).toEqual([
      { _id: 'a', n: 2 },
      { _id: 'b', n: 1 },
      { _id: null, n: 2 },
    ]);
  });

  it('groups by documents, missing fields apart from null, but for one that is all there is', () => {
    const docs = [{ k: null }, {}, { k: 1 }, { k: new Double(1) }];
    expect(aggregated([{ $group: { _id: { k: '$k', q: '$z' } } }], docs)).toEqual([
      { _id: { k: null } },
      { _id: {} },
      { _id: { k: 1 } },
    ]);
    expect(aggregated([{ $group: { _id: { k: '$k' } } }], docs)).toEqual([
      { _id: { k: null } },
      { _id: { k: 1 } },
    ]);
  });

  it('treats equal numbers of different types as one key, and documents in different order as two', () => {
    const docs = [
      { k: 1 },
      { k: Long.ONE },
      { k: new Double(1) },
      { k: { a: 1, b: 2 } },
      { k: { b: 2, a: 1 } },
      { k: [1] },
      { k: '1' },
    ];
    expect(aggregated([{ $group: { _id: '$k', n: { $sum: 1 } } }], docs).map((g) => g['n'])).toEqual([
      3, 1, 1, 1, 1,
    ]);
  });

  it('groups everything, or by a computed key', () => {
    expect(aggregated([{ $group: { _id: null, n: { $sum: '$v' } } }], DOCS)).toEqual([
      { _id: null, n: 12.5 },
    ]);
    expect(aggregated([{ $group: { _id: { $eq: ['$k', 'a'] }, n: { $sum: 1 } } }], DOCS.slice(0, 3))).toEqual(
      [
        { _id: true, n: 2 },
        { _id: false, n: 1 },
      ],
    );
    expect(aggregated([{ $group: { _id: '$k' } }], [])).toEqual([]);
  });

  it('keeps the order of fields and handles dangerous names safely', () => {
    const spec = JSON.parse(
      '{"_id": null, "z": {"$sum": 1}, "__proto__": {"$sum": 1}, "a": {"$sum": 1}}',
    ) as Document;
    expect(keysOf(aggregated([{ $group: spec }], DOCS)[0] as Document)).toEqual([
      '_id',
      'z',
      '__proto__',
      'a',
    ]);
  });

  refuses([
    [{ $group: 5 }, 15947],
    [{ $group: { n: { $sum: 1 } } }, 15955, 'a group specification must include an _id'],
    [{ $group: { _id: { k: '$k', q: 1 } } }, 17390, '$group does not support inclusion-style expressions'],
    [{ $group: { _id: { q: true } } }, 17390],
    [{ $group: { _id: null, n: 5 } }, 40234, "The field 'n' must be an accumulator object"],
    [{ $group: { _id: null, n: {} } }, 40238],
    [{ $group: { _id: null, n: { $sum: 1, $avg: 1 } } }, 40238],
    [{ $group: { _id: null, 'a.b': { $sum: 1 } } }, 40235],
    [{ $group: { _id: null, $a: { $sum: 1 } } }, 40236],
    [
      { $group: { _id: null, n: { $nope: 1 } } },
      15952,
      "unknown group operator '$nope': the embedded database does not have it",
    ],
    [{ $group: { _id: null, n: { $sum: [1, 2] } } }, 40237, 'The $sum accumulator is a unary operator'],
  ]);
});

describe('accumulators', () => {
  it.each(['$first', '$last', '$push', '$addToSet', '$count', '$stdDevPop'])(
    '%s is refused by its name',
    (name) => {
      expect(failure(() => over({ [name]: '$v' }, [1]))).toEqual({
        code: 15952,
        message: `unknown group operator '${name}': the embedded database does not have it`,
      });
    },
  );

  it.each<[Document, unknown[], unknown]>([
    [{ $sum: '$v' }, [1, 2], 3],
    [{ $sum: '$v' }, [], undefined],
    [{ $sum: '$v' }, ['x', null, undefined], 0],
    [{ $sum: '$v' }, [2147483647, 1], Long.fromNumber(2147483648)],
    [{ $sum: '$v' }, [1, Long.fromNumber(2)], Long.fromNumber(3)],
    [{ $sum: '$v' }, [1, 0.5], 1.5],
    [{ $sum: '$v' }, [1, new Double(1)], new Double(2)],
    [{ $sum: '$v' }, [Long.MAX_VALUE, 1], 9223372036854775808],
    [{ $sum: '$v' }, [Long.MAX_VALUE, 1, -1], Long.MAX_VALUE],
    [{ $sum: '$v' }, [Long.fromString('9007199254740993'), 1], Long.fromString('9007199254740994')],
    [{ $sum: '$v' }, [0.1, 0.2, 0.3], 0.6],
    [{ $sum: '$v' }, [1e100, 1, -1e100], new Double(1)],
    [{ $sum: '$v' }, [Infinity, 1], Infinity],
    [{ $sum: '$v' }, [Infinity, -Infinity], NaN],
    [{ $sum: '$v' }, [[1, 2], 3], 3],
    [{ $sum: 2 }, ['x', 'y'], 4],
    [{ $avg: '$v' }, [1, 2], 1.5],
    [{ $avg: '$v' }, [1, 3, null, 'x'], new Double(2)],
    [{ $avg: '$v' }, ['x'], null],
    [{ $min: '$v' }, [3, null, 1, undefined], 1],
    [{ $min: '$v' }, ['x', 5], 5],
    [{ $max: '$v' }, ['x', 5], 'x'],
    [{ $max: '$v' }, [null, undefined], null],
    [{ $max: '$v' }, [[1], [2]], [2]],
  ])('%o of %o', (accumulator, values, expected) => {
    expect(over(accumulator, values)).toEqual(expected);
  });

  it('sum integers exactly', () => {
    fc.assert(
      fc.property(
        fc.array(fc.bigInt({ min: -(2n ** 62n), max: 2n ** 62n }), { minLength: 1, maxLength: 8 }),
        (numbers) => {
          const exact = numbers.reduce((a, b) => a + b, 0n);
          fc.pre(BigInt.asIntN(64, exact) === exact);
          expect(
            over(
              { $sum: '$v' },
              numbers.map((n) => Long.fromBigInt(n)),
            ),
          ).toEqual(Long.fromBigInt(exact));
        },
      ),
    );
  });

  it('groups make up the whole', () => {
    const doc = fc.record({ k: fc.constantFrom('a', 'b', null, 1, 2), v: fc.integer({ min: -50, max: 50 }) });
    fc.assert(
      fc.property(fc.array(doc, { maxLength: 30 }), (docs) => {
        const groups = aggregated(
          [
            {
              $group: {
                _id: '$k',
                sum: { $sum: '$v' },
                n: { $sum: 1 },
                max: { $max: '$v' },
              },
            },
          ],
          docs,
        );
        expect(groups.reduce((n, g) => n + (g['n'] as number), 0)).toBe(docs.length);
        for (const group of groups) {
          const own = docs.filter((d) => d.k === group['_id']).map((d) => d.v);
          expect([group['sum'], group['n'], group['max']]).toEqual([
            own.reduce((a, b) => a + b, 0),
            own.length,
            Math.max(...own),
          ]);
        }
      }),
    );
  });
});
