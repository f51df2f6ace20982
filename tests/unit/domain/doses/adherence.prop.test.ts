import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addTallies,
  ADHERENCE_FORMULA,
  adherenceOf,
  NO_DOSES,
  adherenceByWeek,
  adherenceOfAll,
  groupCounts,
  weekStart,
  type StatusCount,
  currentStreak,
} from '#app/domain/doses/adherence.ts';
import { DOSE_STATUSES } from '#app/domain/doses/dose.ts';
import { isHalfUp } from '#tests/support/rational.ts';

const tally = fc.record({
  pending: fc.nat(99),
  taken: fc.nat(9999),
  missed: fc.nat(9999),
  skipped: fc.nat(99),
});
const day = fc
  .integer({ min: 0, max: 4000 })
  .map((after) => new Date(Date.UTC(2020, 0, 1 + after)).toISOString().slice(0, 10));
const counts: fc.Arbitrary<StatusCount[]> = fc.array(
  fc.record({ key: day, status: fc.constantFrom(...DOSE_STATUSES), count: fc.integer({ min: 1, max: 50 }) }),
);

describe('adherence', () => {
  it('is planned doses taken ÷ (planned doses taken + missed), with its figures, and skipped doses listed separately', () => {
    expect(adherenceOf({ pending: 2, taken: 11, missed: 1, skipped: 3 })).toEqual({
      pending: 2,
      taken: 11,
      missed: 1,
      skipped: 3,
      due: 12,
      share: 11 / 12,
      text: '91.7%',
      numbers: '11 ÷ (11 + 1) = 91.7%',
    });
    expect(ADHERENCE_FORMULA).toContain('planned doses taken ÷ (planned doses taken + missed)');
  });

  it('has no percentage when no dose was due', () => {
    const none = adherenceOf({ ...NO_DOSES, pending: 4, skipped: 9 });
    expect(none).toMatchObject({ due: 0, share: null, text: null, numbers: null, skipped: 9 });
    expect(adherenceOf({ ...NO_DOSES, missed: 1 }).text).toBe('0%');
    expect(adherenceOf({ ...NO_DOSES, taken: 1 }).text).toBe('100%');
  });

  it('law: it lies between 0 and 1, is 1 only without a miss, and skipping does not change it', () => {
    fc.assert(
      fc.property(tally, fc.nat(99), (of, skipped) => {
        const { share, due } = adherenceOf(of);
        expect(adherenceOf({ ...of, skipped, pending: 0 }).share).toBe(share);
        if (share === null) expect(due).toBe(0);
        else {
          expect(share >= 0 && share <= 1).toBe(true);
          expect(share === 1).toBe(of.missed === 0);
        }
      }),
    );
  });

  it('law: the shown percentage is the exact quotient, rounded half-up to one decimal', () => {
    fc.assert(
      fc.property(tally, (of) => {
        const { text, due } = adherenceOf(of);
        fc.pre(text !== null);
        expect(
          isHalfUp((text ?? '').replace('%', ''), { n: BigInt(of.taken * 100), d: BigInt(due) }, 1),
        ).toBe(true);
      }),
    );
  });

  it('law: one more taken never lowers it, one more missed never raises it', () => {
    fc.assert(
      fc.property(tally, (of) => {
        const share = adherenceOf(of).share ?? 0;
        expect(adherenceOf({ ...of, taken: of.taken + 1 }).share).toBeGreaterThanOrEqual(share);
        const missed = adherenceOf({ ...of, missed: of.missed + 1 }).share;
        if (of.taken + of.missed > 0) expect(missed).toBeLessThanOrEqual(share);
      }),
    );
  });
});

describe('adherence groups', () => {
  it('law: add up to the total, by key and by week', () => {
    fc.assert(
      fc.property(counts, (all) => {
        const whole = adherenceOfAll(all);
        for (const parts of [groupCounts(all), adherenceByWeek(all)]) {
          const sum = parts.reduce((total, part) => addTallies(total, part), NO_DOSES);
          expect(sum).toEqual({
            pending: whole.pending,
            taken: whole.taken,
            missed: whole.missed,
            skipped: whole.skipped,
          });
          expect(new Set(parts.map(({ key }) => key)).size).toBe(parts.length);
          expect(parts.map(({ key }) => key)).toEqual(parts.map(({ key }) => key).toSorted());
        }
      }),
    );
  });

  it('law: start a week on the Monday at most six days before', () => {
    fc.assert(
      fc.property(day, (of) => {
        const monday = new Date(`${weekStart(of)}T00:00:00Z`);
        expect(monday.getUTCDay()).toBe(1);
        const days = (Date.parse(`${of}T00:00:00Z`) - monday.getTime()) / 86_400_000;
        expect(days >= 0 && days <= 6).toBe(true);
      }),
    );
  });

  it('may start a week in the previous year', () => {
    expect(weekStart('2027-01-01')).toBe('2026-12-28');
  });
});

describe('the adherence streak', () => {
  it('counts taken doses back to the last missed one, ignoring skipped and pending ones', () => {
    expect(currentStreak(['pending', 'taken', 'skipped', 'taken', 'missed', 'taken'])).toBe(2);
    expect(currentStreak(['missed', 'taken'])).toBe(0);
    expect(currentStreak([])).toBe(0);
  });

  it('law: does not count doses before a missed one', () => {
    const statuses = fc.array(fc.constantFrom(...DOSE_STATUSES));
    fc.assert(
      fc.property(statuses, statuses, (newer, older) => {
        expect(currentStreak([...newer, 'missed', ...older])).toBe(currentStreak(newer));
      }),
    );
  });
});
