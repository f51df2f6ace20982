import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  ceil,
  compare,
  difference,
  floor,
  product,
  quotient,
  ratio,
  exactText,
  fixedText,
  readableText,
  shortText,
  nearestDouble,
  Decimal,
} from '#app/domain/decimal/decimal.ts';
import { decimalFromUnits } from '#tests/support/calculator-arbitraries.ts';
import { isHalfUp, isNearestDouble, minus, order, over, rational, times } from '#tests/support/rational.ts';

/** Decimal texts of up to 40 digits, above zero. */
const decimal = fc
  .record({ units: fc.bigInt({ min: 1n, max: 10n ** 38n }), decimals: fc.integer({ min: 0, max: 30 }) })
  .map(({ units, decimals }) => decimalFromUnits(units, decimals));
/** Short ones, which take the fast paths. */
const short = fc
  .record({ units: fc.bigInt({ min: 1n, max: 100_000n }), decimals: fc.integer({ min: 0, max: 5 }) })
  .map(({ units, decimals }) => decimalFromUnits(units, decimals));
const pair = fc.oneof(fc.tuple(decimal, decimal), fc.tuple(short, short), fc.tuple(short, decimal));

const ratioOf = ([n, d]: [string, string]) => ratio(new Decimal(n), new Decimal(d));
const exactOf = ([n, d]: [string, string]) => over(rational(n), rational(d));

describe('law: exactness against an oracle of big integers', () => {
  test('a ratio is the quotient of its decimals', () => {
    fc.assert(
      fc.property(pair, (texts) => {
        expect(order(ratioOf(texts), exactOf(texts))).toBe(0);
      }),
    );
  });

  test('fixed texts are rounded half-up from the exact quotient', () => {
    fc.assert(
      fc.property(pair, fc.integer({ min: 0, max: 12 }), (texts, decimals) => {
        const text = fixedText(ratioOf(texts), decimals);
        expect(isHalfUp(text, exactOf(texts), decimals)).toBe(true);
        expect(text.split('.')[1]?.length ?? 0).toBe(decimals);
      }),
    );
  });

  test('the double is the nearest one', () => {
    fc.assert(
      fc.property(pair, (texts) => {
        expect(isNearestDouble(nearestDouble(ratioOf(texts)), exactOf(texts))).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  test('the double of an entered decimal is the one JavaScript reads from its text', () => {
    fc.assert(
      fc.property(decimal, (text) => {
        expect(nearestDouble(ratio(new Decimal(text)))).toBe(Number(text));
      }),
    );
  });

  test('products, quotients and differences are exact', () => {
    fc.assert(
      fc.property(pair, pair, (a, b) => {
        expect(order(product(ratioOf(a), ratioOf(b)), times(exactOf(a), exactOf(b)))).toBe(0);
        expect(order(quotient(ratioOf(a), ratioOf(b)), over(exactOf(a), exactOf(b)))).toBe(0);
        expect(order(difference(ratioOf(a), ratioOf(b)), minus(exactOf(a), exactOf(b)))).toBe(0);
        expect(compare(ratioOf(a), ratioOf(b))).toBe(order(exactOf(a), exactOf(b)));
      }),
    );
  });
});

describe('law: texts of a ratio', () => {
  test('the short text is the fixed text without needless zeros', () => {
    fc.assert(
      fc.property(pair, fc.integer({ min: 0, max: 8 }), (texts, decimals) => {
        const short = shortText(ratioOf(texts), decimals);
        expect(order(rational(short), rational(fixedText(ratioOf(texts), decimals)))).toBe(0);
        expect(short).toMatch(/^\d+(\.\d*[1-9])?$/);
      }),
    );
  });

  test('the exact text of a decimal has its value', () => {
    fc.assert(
      fc.property(decimal, (text) => {
        expect(order(rational(exactText(ratio(new Decimal(text)))), rational(text))).toBe(0);
      }),
    );
  });

  test('a readable text is within half a percent and never zero', () => {
    fc.assert(
      fc.property(pair, (texts) => {
        const text = readableText(ratioOf(texts));
        const off = over(minus(rational(text), exactOf(texts)), exactOf(texts));
        expect(order({ n: off.n < 0n ? -off.n : off.n, d: off.d }, { n: 1n, d: 200n })).toBeLessThanOrEqual(
          0,
        );
      }),
    );
  });
});

describe('law: whole numbers around a ratio', () => {
  test('floor ≤ value ≤ ceil, less than one apart', () => {
    fc.assert(
      fc.property(pair, (texts) => {
        const low = floor(ratioOf(texts));
        const high = ceil(ratioOf(texts));
        expect(order({ n: low, d: 1n }, exactOf(texts))).toBeLessThanOrEqual(0);
        expect(order(exactOf(texts), { n: high, d: 1n })).toBeLessThanOrEqual(0);
        expect(high - low).toBeLessThanOrEqual(1n);
      }),
    );
  });
});

describe('rounding a ratio to text', () => {
  test.each([
    ['2.01', '2', 2, '1.01'],
    ['1', '8', 2, '0.13'],
    ['1', '3', 3, '0.333'],
    ['2', '3', 0, '1'],
    ['999.995', '1', 2, '1000.00'],
    ['0', '7', 3, '0.000'],
  ])('%s ÷ %s with %i decimals is %s', (n, d, decimals, text) => {
    expect(fixedText(ratioOf([n, d]), decimals)).toBe(text);
  });

  test('decides a near-tie beyond 40 digits by the exact quotient', () => {
    const justBelow = `0.${'0'.repeat(2)}4${'9'.repeat(60)}`;
    expect(fixedText(ratio(new Decimal(justBelow)), 2)).toBe('0.00');
    expect(fixedText(ratio(new Decimal('0.005')), 2)).toBe('0.01');
  });

  test('rounds ties away from zero, and zero has no sign', () => {
    const negative = difference(ratio(new Decimal('1')), ratio(new Decimal('3.5')));
    expect(shortText(negative, 0)).toBe('-3');
    const tiny = difference(ratio(new Decimal('1')), ratio(new Decimal('1.001')));
    expect(shortText(tiny, 2)).toBe('0');
    expect(fixedText(tiny, 2)).toBe('0.00');
  });

  test('keeps three digits of small amounts', () => {
    expect(readableText(ratioOf(['1', '3']))).toBe('0.333');
    expect(readableText(ratioOf(['1', '30000']))).toBe('0.0000333');
    expect(readableText(ratioOf(['250', '1']))).toBe('250');
    expect(readableText(ratioOf(['0', '3']))).toBe('0');
    expect(readableText(difference(ratioOf(['1', '1']), ratioOf(['4', '3'])))).toBe('-0.333');
  });
});
