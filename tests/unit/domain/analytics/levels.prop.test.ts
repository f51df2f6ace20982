import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findHalfLife, HALF_LIVES } from '#app/domain/analytics/half-lives.ts';
import { levelAt, type Kinetics, type ModelDose } from '#app/domain/analytics/kinetics.ts';
import { levelCurve } from '#app/domain/analytics/level-curve.ts';
import { thinOut } from '#app/domain/analytics/downsample-curve.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const doses = fc.array(
  fc.record({
    at: fc.integer({ min: -10 * DAY, max: 12 * DAY }),
    amount: fc.integer({ min: 1, max: 1000 }).map((amount) => amount / 100),
  }),
  { maxLength: 30 },
);
const kinetics = fc.record({
  halfLifeHours: fc.constantFrom(0.2, 0.5, 1, 4, 6, 7, 24, 168),
  absorptionHours: fc.constantFrom(null, 0.5, 6),
});

/** Relative to the size of the sum: 1e-9 of it. */
const close = (a: number, b: number, size: number) => Math.abs(a - b) <= 1e-9 * Math.max(1, size);

describe('the level', () => {
  it('of a bolus halves with each half-life', () => {
    const kin: Kinetics = { halfLifeHours: 24, absorptionHours: null };
    expect(levelAt([{ at: 0, amount: 8 }], kin, 0)).toBe(8);
    expect(levelAt([{ at: 0, amount: 8 }], kin, 3 * DAY)).toBeCloseTo(1, 12);
  });

  it('of a case computed by hand: 2 mg and, a day later, 1 mg, half-life 24 h, seen after two days', () => {
    const kin: Kinetics = { halfLifeHours: 24, absorptionHours: null };
    const two = [
      { at: 0, amount: 2 },
      { at: DAY, amount: 1 },
    ];
    // 2 × 0.5² + 1 × 0.5 = 1
    expect(Math.abs(levelAt(two, kin, 2 * DAY) - 1)).toBeLessThan(1e-9);
  });

  it('with absorption is D·ka÷(ka−ke)·(e^(−ke·t) − e^(−ka·t)): half-lives 12 h and 6 h, after 12 h', () => {
    const kin: Kinetics = { halfLifeHours: 12, absorptionHours: 6 };
    // ka = 2·ke, so D · 2 · (0.5 − 0.25) = 0.5 D
    expect(Math.abs(levelAt([{ at: 0, amount: 10 }], kin, 12 * HOUR) - 5)).toBeLessThan(1e-9);
  });

  it('with equal rates is D·k·t·e^(−k·t), and nearly equal ones come to the same', () => {
    const dose = [{ at: 0, amount: 10 }];
    const equal = levelAt(dose, { halfLifeHours: 6, absorptionHours: 6 }, 12 * HOUR);
    const k = Math.LN2 / 6;
    expect(Math.abs(equal - 10 * k * 12 * Math.exp(-k * 12))).toBeLessThan(1e-9);
    for (const absorptionHours of [6.0001, 5.9999, 6 + 1e-9]) {
      const near = levelAt(dose, { halfLifeHours: 6, absorptionHours }, 12 * HOUR);
      expect(Math.abs(near - equal)).toBeLessThan(1e-3);
      expect(Number.isFinite(near)).toBe(true);
    }
  });

  it('before any dose is nothing', () => {
    expect(levelAt([{ at: 1, amount: 5 }], { halfLifeHours: 1, absorptionHours: 6 }, 0)).toBe(0);
  });
});

describe('the curve', () => {
  it('agrees with the closed form of each dose, at every point', () => {
    fc.assert(
      fc.property(doses, kinetics, (taken, kin) => {
        const size = taken.reduce((sum, { amount }) => sum + amount, 0);
        let previous = -Infinity;
        let count = 0;
        for (const { at, level } of levelCurve(taken, kin, 0, 10 * DAY)) {
          expect(at).toBeGreaterThanOrEqual(previous);
          previous = at;
          count += 1;
          if (count % 37 !== 0) continue;
          // At the instant of a dose there is a point before and one after it.
          const without = taken.filter((dose) => dose.at !== at);
          const fits = [levelAt(taken, kin, at), levelAt(without, kin, at)];
          const isDose = without.length !== taken.length;
          if (!isDose) expect(fits.some((fit) => close(level, fit, size))).toBe(true);
        }
        expect(previous).toBe(10 * DAY);
      }),
      { numRuns: 60 },
    );
  });

  it('is sampled at least at every quarter of the half-life, so that no peak is lost', () => {
    const kin: Kinetics = { halfLifeHours: 0.2, absorptionHours: null };
    const daily = Array.from({ length: 30 }, (_, day): ModelDose => ({
      at: day * DAY + 8 * HOUR,
      amount: 1,
    }));
    const points = [...levelCurve(daily, kin, 0, 30 * DAY)];
    const gaps = points.slice(1).map(({ at }, index) => at - (points[index]?.at ?? 0));
    expect(Math.max(...gaps)).toBeLessThanOrEqual((0.2 * HOUR) / 4 + 1);
    expect(new Set(points.filter(({ level }) => level >= 1).map(({ at }) => at)).size).toBe(30);
  });

  it('counts what is left of doses before its beginning', () => {
    const kin: Kinetics = { halfLifeHours: 24, absorptionHours: null };
    const [first] = levelCurve([{ at: -DAY, amount: 4 }], kin, 0, DAY);
    expect(first?.level).toBeCloseTo(2, 12);
  });

  it('thinned out keeps its highest and lowest point, its ends, and the order', () => {
    fc.assert(
      fc.property(doses, kinetics, fc.integer({ min: 1, max: 50 }), (taken, kin, columns) => {
        const points = [...levelCurve(taken, kin, 0, 10 * DAY)];
        const kept = thinOut(points, 0, 10 * DAY, columns);
        const levels = (list: readonly { level: number }[]) => list.map(({ level }) => level);
        expect(Math.max(...levels(kept))).toBe(Math.max(...levels(points)));
        expect(Math.min(...levels(kept))).toBe(Math.min(...levels(points)));
        expect(kept.length).toBeLessThanOrEqual(4 * columns);
        expect(kept[0]).toBe(points[0]);
        expect(kept.at(-1)).toBe(points.at(-1));
        for (const [index, { at }] of kept.entries())
          expect(at).toBeGreaterThanOrEqual(kept[index - 1]?.at ?? 0);
      }),
      { numRuns: 60 },
    );
  });
});

describe('built-in half-lives', () => {
  it('are found however the name is written', () => {
    expect(findHalfLife('bpc 157')).toMatchObject({ lowHours: 4, highHours: 7 });
    expect(findHalfLife('SEMAGLUTIDE')).toMatchObject({ lowHours: 168, highHours: 168 });
    expect(findHalfLife('cjc-1295 with dac')).toMatchObject({ lowHours: 144 });
    expect(findHalfLife('something else')).toBeNull();
  });

  it('are 22, each with a source, the low one first', () => {
    expect(HALF_LIVES.length).toBe(22);
    for (const { lowHours, highHours, source } of HALF_LIVES) {
      expect(lowHours).toBeGreaterThan(0);
      expect(highHours).toBeGreaterThanOrEqual(lowHours);
      expect(source).not.toBe('');
      expect(source.includes('disagree')).toBe(lowHours !== highHours);
    }
  });
});
