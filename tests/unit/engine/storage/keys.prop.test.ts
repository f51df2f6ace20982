import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareValues } from '#models/engine/query/index.ts';
import { prefixEnd, readRecordId, recordBytes } from '#models/engine/storage/keys/layout.ts';
import { writeField } from '#models/engine/values/key.ts';
import { KeyWriter } from '#models/engine/values/key-writer.ts';
import { Double, Long } from '#models/engine/values/types.ts';
import { bsonValue, numberValue } from './bson-arbitrary.ts';

function keyOf(value: unknown, direction: 1 | -1 = 1): Buffer {
  const writer = new KeyWriter();
  writeField(writer, value, direction);
  return writer.take();
}

describe('index keys', () => {
  it('sort as compareValues does, for all pairs of values', () => {
    fc.assert(
      fc.property(bsonValue, bsonValue, (a, b) => {
        expect(Buffer.compare(keyOf(a), keyOf(b))).toBe(compareValues(a, b) + 0);
      }),
      { numRuns: 3000 },
    );
  });

  it('sort as compareValues does for numbers of different types', () => {
    fc.assert(
      fc.property(numberValue, numberValue, (a, b) => {
        expect(Buffer.compare(keyOf(a), keyOf(b))).toBe(compareValues(a, b) + 0);
      }),
      { numRuns: 5000 },
    );
  });

  it('sort in reverse when descending', () => {
    fc.assert(
      fc.property(bsonValue, bsonValue, (a, b) => {
        expect(Buffer.compare(keyOf(a, -1), keyOf(b, -1))).toBe(0 - compareValues(a, b) + 0);
      }),
      { numRuns: 1500 },
    );
  });

  it('of two fields sort by the first field, then by the second', () => {
    const pair = fc.tuple(bsonValue, bsonValue);
    const direction = fc.constantFrom<1 | -1>(1, -1);
    fc.assert(
      fc.property(pair, pair, direction, direction, (a, b, first, second) => {
        const key = (row: [unknown, unknown]) => Buffer.concat([keyOf(row[0], first), keyOf(row[1], second)]);
        const order = compareValues(a[0], b[0]) * first || compareValues(a[1], b[1]) * second;
        expect(Buffer.compare(key(a), key(b)) - order).toBe(0);
      }),
      { numRuns: 2000 },
    );
  });

  it('are never prefixes of one another', () => {
    fc.assert(
      fc.property(bsonValue, bsonValue, (a, b) => {
        const [x, y] = [keyOf(a), keyOf(b)];
        fc.pre(!x.equals(y));
        expect(y.subarray(0, x.length).equals(x)).toBe(false);
      }),
      { numRuns: 1500 },
    );
  });

  it('are equal for equal numbers of different types', () => {
    const one = [1, new Double(1), Long.fromNumber(1)];
    for (const value of one) expect(keyOf(value)).toEqual(keyOf(1));
    expect(keyOf(-0)).toEqual(keyOf(0));
  });
});

describe('record ids', () => {
  it('are decoded as written, and sort like numbers', () => {
    const id = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });
    fc.assert(
      fc.property(id, id, (a, b) => {
        expect(readRecordId(recordBytes(a), 0)).toBe(a);
        expect(Math.sign(Buffer.compare(recordBytes(a), recordBytes(b)))).toBe(Math.sign(a - b));
      }),
    );
  });
});

describe('prefixEnd', () => {
  it('is above everything that begins with the prefix and not above anything else', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 1, maxLength: 4 }),
        fc.uint8Array({ maxLength: 4 }),
        (prefix, rest) => {
          const end = prefixEnd(prefix);
          const inside = Buffer.concat([prefix, rest]);
          if (end) expect(Buffer.compare(inside, end)).toBe(-1);
          else expect(prefix.every((byte) => byte === 0xff)).toBe(true);
          if (
            end &&
            Buffer.compare(rest, prefix) > 0 &&
            !Buffer.from(rest).subarray(0, prefix.length).equals(prefix)
          )
            expect(Buffer.compare(rest, end)).toBeGreaterThanOrEqual(0);
        },
      ),
    );
  });
});
