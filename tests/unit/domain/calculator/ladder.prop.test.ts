import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DOSE_UNITS, substanceUnitOf, SYRINGE_IDS, syringeOf } from '#app/domain/calculator/calculation.ts';
import {
  findLadder,
  ladderFigures,
  ladderSentence,
  type LadderInput,
} from '#app/domain/calculator/ladder.ts';
import {
  isNearestDouble,
  minus,
  order,
  over,
  rational,
  size,
  times,
  type Rational,
} from '#tests/support/rational.ts';
import { sized } from '#tests/support/size.ts';

const ladder = (more: Partial<LadderInput>): LadderInput => ({
  peptideAmount: '30',
  amountUnit: 'mg',
  doses: ['2.5', '5', '7.5', '10', '12.5', '15'],
  desiredDoseUnit: 'mg',
  syringe: 'u100-1ml',
  capacityMl: '3',
  ...more,
});

/** What the brute force knows about an amount of water. */
interface Tried {
  readonly water: Rational;
  readonly draws: readonly Rational[];
  readonly marks: readonly Rational[];
  /** Of each dose, signed: (mark − draw) ÷ draw × 100. */
  readonly errors: readonly Rational[];
  readonly worst: Rational;
  readonly extra: number;
  readonly smallest: Rational;
}

const ZERO = rational('0');
const least = (values: readonly Rational[]) => values.reduce((a, b) => (order(a, b) <= 0 ? a : b));
const most = (values: readonly Rational[]) => values.reduce((a, b) => (order(a, b) >= 0 ? a : b));

/** The whole numbers around a quotient. */
function around({ n, d }: Rational): bigint[] {
  const middle = n / d;
  return [middle - 1n, middle, middle + 1n].filter((whole) => whole >= 0n);
}

/** The nearest of the marks around a draw; the lower one of two that are as near. */
function markByComparing(draw: Rational, spacing: Rational): Rational {
  const marks = around(over(draw, spacing)).map((whole) => times({ n: whole, d: 1n }, spacing));
  return marks.reduce((best, mark) =>
    order(size(minus(mark, draw)), size(minus(best, draw))) < 0 ? mark : best,
  );
}

/** The fewest barrels that hold a draw. */
function drawsByComparing(draw: Rational, barrel: Rational): number {
  const counts = around(over(draw, barrel));
  return Number(counts.find((count) => order(times({ n: count, d: 1n }, barrel), draw) >= 0));
}

/** Every amount of water, tried without any code of the product. */
function tryAll({ peptideAmount, doses, desiredDoseUnit, syringe, capacityMl }: LadderInput): Tried[] {
  const { unitsPerMl, barrelUnits, marks } = syringeOf(syringe);
  const perMg = rational(desiredDoseUnit === 'mcg' ? '0.001' : '1');
  const tried: Tried[] = [];
  for (
    let cents = 50;
    order(rational(String(cents)), times(rational(capacityMl), rational('100'))) <= 0;
    cents += 5
  ) {
    const water = over(rational(String(cents)), rational('100'));
    const draws = doses.map((dose) =>
      over(
        times(times(times(rational(dose), perMg), water), rational(String(unitsPerMl))),
        rational(peptideAmount),
      ),
    );
    const nearest = draws.map((draw) => markByComparing(draw, rational(marks[0])));
    const errors = draws.map((draw, at) =>
      times(over(minus(nearest[at] ?? ZERO, draw), draw), rational('100')),
    );
    tried.push({
      water,
      draws,
      marks: nearest,
      errors,
      worst: most(errors.map(size)),
      extra: draws.reduce((sum, draw) => sum + drawsByComparing(draw, rational(String(barrelUnits))) - 1, 0),
      smallest: least(draws),
    });
  }
  return tried;
}

const isBetter = (a: Tried, b: Tried): boolean => {
  const byError = order(a.worst, b.worst);
  if (byError !== 0) return byError < 0;
  if (a.extra !== b.extra) return a.extra < b.extra;
  return order(a.smallest, b.smallest) > 0;
};

/** Takes the best of what is left, three times. */
function bruteForce(input: LadderInput): { exact: boolean; best: Tried[] } {
  const tried = tryAll(input);
  const exact = tried.some(({ worst }) => worst.n === 0n);
  let left = exact ? tried.filter(({ worst }) => worst.n === 0n) : tried;
  const best: Tried[] = [];
  while (best.length < 3 && left.length > 0) {
    const next = left.reduce((one, other) => (isBetter(other, one) ? other : one));
    best.push(next);
    left = left.filter((one) => one !== next);
  }
  return { exact, best };
}

function expectAsBruteForce(input: LadderInput): void {
  const found = ladderFigures(findLadder(input));
  const { exact, best } = bruteForce(input);
  expect(found.exact).toBe(exact);
  expect(found.choices).toHaveLength(best.length);
  found.choices.forEach((choice, at) => {
    const tried = best[at];
    if (tried === undefined) throw new Error('more choices than were tried');
    expect(order(rational(String(choice.waterVolume)), tried.water)).toBe(0);
    choice.doses.forEach(({ dose, volume, units, error }, nth) => {
      expect(dose).toBe(Number(input.doses[nth]));
      const draw = tried.draws[nth] ?? ZERO;
      const perMl = rational(String(syringeOf(input.syringe).unitsPerMl));
      expect(isNearestDouble(volume, over(draw, perMl))).toBe(true);
      expect(order(rational(String(units)), tried.marks[nth] ?? ZERO)).toBe(0);
      const exactError = tried.errors[nth] ?? ZERO;
      expect(Math.sign(error)).toBe(order(exactError, ZERO));
      if (error !== 0) expect(isNearestDouble(Math.abs(error), size(exactError))).toBe(true);
    });
    expect(choice.worstError).toBe(Math.max(...choice.doses.map(({ error }) => Math.abs(error))));
  });
}

const inHundredths = (max: number, min = 1) =>
  fc.integer({ min, max: max * 100 }).map((hundredths) => String(hundredths / 100));

/** Titrations as people plan them, and odd ones. */
const anyLadder: fc.Arbitrary<LadderInput> = fc
  .record({
    amount: fc.oneof(fc.constantFrom('2', '5', '10', '15', '30', '60'), inHundredths(100, 10)),
    shares: fc.array(
      fc.oneof(
        fc.integer({ min: 1, max: 20 }).map((n) => n * 50),
        fc.integer({ min: 1, max: 1000 }),
      ),
      {
        minLength: 1,
        maxLength: 12,
      },
    ),
    desiredDoseUnit: fc.constantFrom(...DOSE_UNITS),
    syringe: fc.constantFrom(...SYRINGE_IDS),
    capacityMl: fc.oneof(fc.constantFrom('1', '2', '3', '5'), inHundredths(10, 50)),
  })
  .map(({ amount, shares, ...rest }) => ({
    ...rest,
    amountUnit: substanceUnitOf(rest.desiredDoseUnit),
    peptideAmount: amount,
    // Thousandths of the amount.
    doses: shares.map((share) => {
      const micrograms = (BigInt(share) * BigInt(Math.round(Number(amount) * 100)) * 10n) / 1000n || 1n;
      return rest.desiredDoseUnit === 'mcg' ? String(micrograms) : decimalOf(micrograms);
    }),
  }));

const decimalOf = (micrograms: bigint): string => {
  const digits = String(micrograms).padStart(4, '0');
  return `${digits.slice(0, -3)}.${digits.slice(-3)}`;
};

describe('the water for several doses', () => {
  it('puts six doses of 30 mg on marks, the largest draws first', () => {
    const { exact, choices } = ladderFigures(findLadder(ladder({})));
    expect(exact).toBe(true);
    expect(choices.map(({ waterVolume }) => waterVolume)).toEqual([1.8, 1.2, 0.6]);
    expect(choices.map(({ doses }) => doses.map(({ units }) => units))).toEqual([
      [15, 30, 45, 60, 75, 90],
      [10, 20, 30, 40, 50, 60],
      [5, 10, 15, 20, 25, 30],
    ]);
    expect(choices.map(({ worstError }) => worstError)).toEqual([0, 0, 0]);
    expectAsBruteForce(ladder({}));
  });

  it('prefers no extra draws to large ones on a small barrel with half units', () => {
    const input = ladder({
      peptideAmount: '10',
      doses: ['2', '3', '5'],
      syringe: 'u100-0.3ml',
      capacityMl: '2',
    });
    expectAsBruteForce(input);
    const { exact, choices } = ladderFigures(findLadder(input));
    expect(exact).toBe(true);
    expect(choices.every(({ doses }) => doses.every(({ units }) => units <= 30))).toBe(true);
  });

  it('gives the least error and says so when no water fits', () => {
    const input = ladder({ peptideAmount: '7', doses: ['0.31', '1.13'], capacityMl: '1' });
    expectAsBruteForce(input);
    const found = findLadder(input);
    expect(found.exact).toBe(false);
    expect(ladderSentence(found)).toContain('No amount of water puts every dose on a printed mark');
  });

  it('is what trying everything gives, whatever the doses', () => {
    fc.assert(fc.property(anyLadder, expectAsBruteForce), { numRuns: sized(500, 10_000) });
  });
});
