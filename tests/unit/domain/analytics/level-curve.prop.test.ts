import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findHalfLife, HALF_LIVES } from '#app/domain/analytics/half-lives.ts';
import {
  isFlipFlop,
  kineticsOf,
  levelAt,
  peakHours,
  type Kinetics,
  type ModelDose,
  bandOf,
  levelCurve,
  thinOut,
  envelopeOf,
} from '#app/domain/analytics/level-curve.ts';
import { fittingDays, readLevelDays } from '#app/domain/analytics/periods.ts';
import { readWhatIf, withoutWhatIf } from '#app/domain/analytics/what-if.ts';

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

/** Tolerance relative to the sum: 1e-9. */
const close = (a: number, b: number, size: number) => Math.abs(a - b) <= 1e-9 * Math.max(1, size);

describe('the modelled level', () => {
  it('of a bolus halves with each half-life', () => {
    const kin: Kinetics = { halfLifeHours: 24, absorptionHours: null };
    expect(levelAt([{ at: 0, amount: 8 }], kin, 0)).toBe(8);
    expect(levelAt([{ at: 0, amount: 8 }], kin, 3 * DAY)).toBeCloseTo(1, 12);
  });

  it('matches a case computed by hand: 2 mg, then 1 mg a day later, half-life 24 h, after two days', () => {
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

  it('with equal rates is D·k·t·e^(−k·t), and is nearly the same with nearly equal rates', () => {
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

  it('is zero before any dose', () => {
    expect(levelAt([{ at: 1, amount: 5 }], { halfLifeHours: 1, absorptionHours: 6 }, 0)).toBe(0);
  });
});

describe('the level curve', () => {
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

  it('keeps its highest and lowest point, its ends and its order when thinned out', () => {
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

describe('the absorption derived from a peak', () => {
  const ratios = fc.double({ min: 0.01, max: 5, noNaN: true });
  const halfLives = fc.constantFrom(0.2, 0.5, 2.7, 13, 33, 120, 168);

  /** Where the closed form is highest, found by search. */
  function highestAt(kin: Kinetics, around: number): number {
    const level = (hours: number) => levelAt([{ at: 0, amount: 1 }], kin, hours * HOUR);
    let [low, high] = [around / 4, around * 4];
    for (let step = 0; step < 100; step += 1) {
      const [left, right] = [low + (high - low) / 3, high - (high - low) / 3];
      if (level(left) < level(right)) low = left;
      else high = right;
    }
    return (low + high) / 2;
  }

  it('puts the highest level within 1% of the peak that the source states, for each built-in one', () => {
    const cited = HALF_LIVES.flatMap(({ name, halfLife, peak }) =>
      peak === null
        ? []
        : [halfLife.lowHours, halfLife.highHours].flatMap((hours) =>
            [peak.lowHours, peak.highHours].map((at) => ({ name, hours, at })),
          ),
    );
    expect(new Set(cited.map(({ name }) => name)).size).toBe(8);
    for (const { name, hours, at } of cited) {
      const found = highestAt(kineticsOf(hours, at), at);
      expect(Math.abs(found - at) / at, `${name}, half-life ${hours} h, peak ${at} h`).toBeLessThan(0.01);
    }
  });

  it('does so for every half-life and peak, even if absorption is slower than elimination', () => {
    fc.assert(
      fc.property(halfLives, ratios, (hours, ratio) => {
        const peak = hours * ratio;
        const kin = kineticsOf(hours, peak);
        expect(Math.abs(peakHours(kin) - peak) / peak).toBeLessThan(1e-6);
        expect(Math.abs(highestAt(kin, peak) - peak) / peak).toBeLessThan(0.01);
        // Absorption faster than elimination cannot peak later than 1 ÷ ke.
        expect(isFlipFlop(kin)).toBe(peak > hours / Math.LN2);
      }),
      { numRuns: 100 },
    );
  });

  it('is absent if the peak is unknown', () => {
    expect(kineticsOf(24, null)).toEqual({ halfLifeHours: 24, absorptionHours: null });
    expect(peakHours(kineticsOf(24, null))).toBe(0);
  });

  it('does not change the area under the curve, which is dose ÷ ke for any peak', () => {
    fc.assert(
      fc.property(
        halfLives,
        fc.option(ratios, { nil: null }),
        fc.integer({ min: 1, max: 900 }),
        (hours, ratio, amount) => {
          const kin = kineticsOf(hours, ratio === null ? null : hours * ratio);
          const slowest = Math.max(hours, kin.absorptionHours ?? 0);
          const quickest = Math.min(hours, kin.absorptionHours ?? hours);
          const area = (dose: number) => {
            // Gauss–Legendre on growing intervals, which is exact enough for sums of exponentials.
            const nodes = [
              [-0.906179845938664, 0.236926885056189],
              [-0.538469310105683, 0.478628670499366],
              [0, 0.568888888888889],
              [0.538469310105683, 0.478628670499366],
              [0.906179845938664, 0.236926885056189],
            ] as const;
            let sum = 0;
            let from = 0;
            for (let width = quickest / 4; from < 60 * slowest; width *= 1.1) {
              for (const [node, weight] of nodes) {
                const at = from + (width * (node + 1)) / 2;
                sum += ((weight * width) / 2) * levelAt([{ at: 0, amount: dose }], kin, at * HOUR);
              }
              from += width;
            }
            return sum;
          };
          const exact = (amount * hours) / Math.LN2;
          expect(Math.abs(area(amount) - exact) / exact).toBeLessThan(1e-3);
          expect(Math.abs(area(2 * amount) - 2 * area(amount)) / exact).toBeLessThan(1e-9);
        },
      ),
      { numRuns: 30 },
    );
  });

  it('adds up: the level of all doses is the sum of the levels of each', () => {
    fc.assert(
      fc.property(
        doses,
        halfLives,
        ratios,
        fc.integer({ min: 0, max: 10 * DAY }),
        (taken, hours, ratio, at) => {
          const kin = kineticsOf(hours, hours * ratio);
          const apart = taken.reduce((sum, dose) => sum + levelAt([dose], kin, at), 0);
          const size = taken.reduce((sum, { amount }) => sum + amount, 0);
          expect(close(levelAt(taken, kin, at), apart, size)).toBe(true);
        },
      ),
    );
  });

  it('gives a curve with a point at each peak, where stepping agrees with the closed form', () => {
    for (const { halfLife, peak } of HALF_LIVES) {
      if (peak === null) continue;
      const kin = kineticsOf(halfLife.lowHours, peak.highHours);
      const taken = [0, 3 * DAY].map((at) => ({ at, amount: 1 }));
      const points = [...levelCurve(taken, kin, -DAY, 9 * DAY)];
      for (const { at } of taken) {
        const expected = at + peak.highHours * HOUR;
        const point = points.find((one) => Math.abs(one.at - expected) <= 1);
        expect(point).toBeDefined();
        expect(close(point?.level ?? 0, levelAt(taken, kin, point?.at ?? 0), 2)).toBe(true);
      }
    }
  });
});

describe('the band between several curves', () => {
  it('contains each of them', () => {
    const taken = [{ at: 0, amount: 1 }];
    const curves = [8, 72].map((peak) => [...levelCurve(taken, kineticsOf(120, peak), -DAY, 9 * DAY)]);
    const band = bandOf(curves);
    for (const { at, low, high } of band) expect(low, String(at)).toBeLessThanOrEqual(high);
    const at = (hours: number) => band.findLast((point) => point.at <= hours * HOUR);
    for (const peak of [8, 72])
      expect(at(peak)?.high).toBeGreaterThanOrEqual(
        levelAt(taken, kineticsOf(120, peak), at(peak)?.at ?? 0) - 1e-6,
      );
    expect(bandOf([curves[0] ?? []]).every(({ low, high }) => low === high)).toBe(true);
  });
});

describe('the default period of a level curve', () => {
  it('is short for compounds that last hours, and long for those that last weeks', () => {
    expect([0.2, 0.5, 2.7, 7, 13, 24, 120, 168].map(fittingDays)).toEqual([3, 3, 7, 14, 30, 90, 90, 90]);
    expect(readLevelDays('7')).toBe(7);
    expect([null, '', '8', '7.0', '-1'].map(readLevelDays)).toEqual([null, null, null, null, null]);
  });
});

describe('what-if doses in an address', () => {
  const now = new Date('2026-03-10T12:00:00Z');
  const read = (query: string) => readWhatIf(new URLSearchParams(query), 'Europe/Berlin', now);

  it("are matched by position, in the owner's local time", () => {
    const query =
      'whatIf=BPC-157&whatIfAt=2026-03-11T08:00&whatIfDose=250mcg&whatIf=TB-500&whatIfAt=2026-03-12T09:30&whatIfDose=2,5 mg';
    expect(read(query).doses).toMatchObject([
      { name: 'BPC-157', at: Date.parse('2026-03-11T07:00:00Z'), mg: 0.25, doseText: '250 mcg' },
      { name: 'TB-500', at: Date.parse('2026-03-12T08:30:00Z'), mg: 2.5, doseText: '2.5 mg' },
    ]);
    expect(withoutWhatIf(new URLSearchParams(`period=30&${query}`), 0)).toBe(
      'period=30&whatIf=TB-500&whatIfAt=2026-03-12T09%3A30&whatIfDose=2%2C5+mg',
    );
  });

  it.each([
    ['250', '2026-03-11T08:00', 'with its unit'],
    ['0 mg', '2026-03-11T08:00', 'with its unit'],
    ['101 mg', '2026-03-11T08:00', 'with its unit'],
    ['250 mcg', 'soon', 'within a year'],
    ['250 mcg', '2036-03-11T08:00', 'within a year'],
  ])('are refused for %s at %s', (dose, at, message) => {
    const { doses: none, problem } = read(
      new URLSearchParams({ whatIf: 'X', whatIfAt: at, whatIfDose: dose }).toString(),
    );
    expect(none).toEqual([]);
    expect(problem).toMatchObject({ name: 'X', at, dose, message: expect.stringContaining(message) });
  });
});

describe('built-in half-lives', () => {
  it('are found however the name is written', () => {
    expect(findHalfLife('bpc 157')?.halfLife).toMatchObject({ lowHours: 4, highHours: 7 });
    expect(findHalfLife('SEMAGLUTIDE')).toMatchObject({
      halfLife: { lowHours: 168, highHours: 168 },
      peak: { lowHours: 24, highHours: 72 },
    });
    expect(findHalfLife('cjc-1295 with dac')).toMatchObject({ halfLife: { lowHours: 144 }, peak: null });
    expect(findHalfLife('something else')).toBeNull();
  });

  it('are 22, each with a source and its lower value first', () => {
    expect(HALF_LIVES.length).toBe(22);
    for (const { halfLife, peak } of HALF_LIVES)
      for (const figure of peak === null ? [halfLife] : [halfLife, peak]) {
        const { lowHours, highHours, source } = figure;
        expect(lowHours).toBeGreaterThan(0);
        expect(highHours).toBeGreaterThanOrEqual(lowHours);
        for (const text of [source.title, source.section, source.date, source.finding])
          expect(text).not.toBe('');
        if (figure === halfLife) expect(source.title.includes('disagree')).toBe(lowHours !== highHours);
        else expect(source.isConfirmed).toBe(true);
      }
  });
});

const LENGTH = 10;
const points = fc
  .array(fc.record({ at: fc.integer({ min: 0, max: 200 }), a: fc.nat(100), b: fc.nat(100) }), {
    maxLength: 60,
  })
  .map((list) =>
    list
      .map(({ at, a, b }) => ({ at, low: Math.min(a, b), high: Math.max(a, b) }))
      .sort((one, other) => one.at - other.at),
  );

it('the envelope of a curve has the lowest and highest level of each interval, once and in order', () => {
  fc.assert(
    fc.property(points, (list) => {
      const naive = Array.from({ length: 21 }, (_, place) => {
        const inside = list.filter(({ at }) => Math.floor(at / LENGTH) === place);
        const middle = (place + 0.5) * LENGTH;
        return inside.length === 0
          ? []
          : [
              {
                at: middle,
                low: Math.min(...inside.map(({ low }) => low)),
                high: Math.max(...inside.map(({ high }) => high)),
              },
            ];
      }).flat();
      expect(envelopeOf(list, 0, LENGTH)).toEqual(naive);
    }),
  );
});
