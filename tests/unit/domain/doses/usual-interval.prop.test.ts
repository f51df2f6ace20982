import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { WEEKDAYS } from '#app/domain/schedules/schedule-rule.ts';
import { anyMonthDay } from '#tests/support/schedules.ts';
import { isTooSoon, usualSpacingMinutes, type SpacedPlan } from '#app/domain/doses/dose-warnings.ts';

const HOUR = 3_600_000;
const MINUTE = 60_000;

const time = fc
  .record({ hour: fc.nat(23), minute: fc.nat(59) })
  .map(({ hour, minute }) => `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`);
const frequency: fc.Arbitrary<SpacedPlan['frequency']> = fc.oneof(
  fc.constant({ kind: 'daily' as const }),
  fc.subarray([...WEEKDAYS], { minLength: 1 }).map((weekdays) => ({ kind: 'weekdays' as const, weekdays })),
  fc.integer({ min: 1, max: 60 }).map((every) => ({ kind: 'interval' as const, every })),
  fc
    .record({ on: fc.integer({ min: 1, max: 10 }), off: fc.integer({ min: 1, max: 10 }) })
    .map((cycle) => ({ kind: 'cycle' as const, ...cycle })),
  anyMonthDay.map((day) => ({ kind: 'monthly' as const, day })),
);
const plan: fc.Arbitrary<SpacedPlan> = fc.record({
  frequency,
  times: fc.uniqueArray(time, { minLength: 1, maxLength: 6 }),
});

/** Whether a plan has doses on the nth day from a Monday on which it starts: told without the code under test. */
function hasDoses({ frequency: kind }: SpacedPlan, day: number): boolean {
  if (kind.kind === 'weekdays') return kind.weekdays.some((name) => name === WEEKDAYS[day % 7]);
  if (kind.kind === 'monthly') return isMonthDay(kind.day, day);
  if (kind.kind === 'interval') return day % kind.every === 0;
  if (kind.kind === 'cycle') return day % (kind.on + kind.off) < kind.on;
  return kind.kind === 'daily' || day === 0;
}

/** By the calendar of the runtime: the wanted day, or day 0 of the next month where that month is too short. */
function isMonthDay(expected: number | 'last', day: number): boolean {
  const date = new Date(Date.UTC(2026, 2, 2 + day));
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  return date.getUTCDate() === (expected === 'last' ? last : Math.min(expected, last));
}

/** Days in which every gap of a plan comes up: those around the end of February for a monthly one, a leap year's too. */
const spanOf = ({ frequency: { kind } }: SpacedPlan) => (kind === 'monthly' ? 3 * 366 : 130);

/** The instants of a plan in a zone without clock changes. */
function instants(of: SpacedPlan, days: number): Date[] {
  const minutes = of.times
    .map((text) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3)))
    .sort((a, b) => a - b);
  return Array.from({ length: days }, (_, day) => day)
    .filter((day) => hasDoses(of, day))
    .flatMap((day) => minutes.map((minute) => new Date(Date.UTC(2026, 2, 2 + day, 0, minute))));
}

describe('the usual spacing of a schedule', () => {
  it.each([
    ['once a day', { kind: 'daily' }, ['08:00'], 24 * 60],
    ['twice a day', { kind: 'daily' }, ['20:00', '08:00'], 12 * 60],
    ['an uneven day', { kind: 'daily' }, ['06:00', '22:00'], 8 * 60],
    ['once a week', { kind: 'weekdays', weekdays: ['fri'] }, ['08:00'], 7 * 24 * 60],
    ['Monday and Thursday', { kind: 'weekdays', weekdays: ['thu', 'mon'] }, ['08:00'], 3 * 24 * 60],
    ['Sunday and Monday', { kind: 'weekdays', weekdays: ['mon', 'sun'] }, ['08:00'], 24 * 60],
    ['every third day', { kind: 'interval', every: 3 }, ['08:00'], 3 * 24 * 60],
    ['five on, two off', { kind: 'cycle', on: 5, off: 2 }, ['08:00'], 24 * 60],
    ['one on, six off', { kind: 'cycle', on: 1, off: 6 }, ['08:00'], 7 * 24 * 60],
    ['every month', { kind: 'monthly', day: 15 }, ['08:00'], 28 * 24 * 60],
    ['the 30th', { kind: 'monthly', day: 30 }, ['08:00'], 29 * 24 * 60],
    ['8 hours after the last one', { kind: 'after-last', everyHours: 8 }, [], 8 * 60],
    ['once, at two times', { kind: 'once' }, ['08:00', '09:30'], 90],
  ] as [string, SpacedPlan['frequency'], string[], number][])('%s', (_, of, times, minutes) => {
    expect(usualSpacingMinutes({ frequency: of, times })).toBe(minutes);
  });

  it('is unknown for a single dose', () => {
    expect(usualSpacingMinutes({ frequency: { kind: 'once' }, times: ['08:00'] })).toBeNull();
  });

  it('law: is the smallest gap between its doses', () => {
    fc.assert(
      fc.property(plan, (of) => {
        const at = instants(of, spanOf(of));
        const gaps = at
          .slice(1)
          .map((date, index) => (date.getTime() - (at[index]?.getTime() ?? 0)) / MINUTE);
        expect(usualSpacingMinutes(of)).toBe(Math.min(...gaps));
      }),
    );
  });
});

describe('a dose that is too soon', () => {
  it('law: is never one taken as scheduled, not even an hour off at the clock change of a daily schedule', () => {
    fc.assert(
      fc.property(plan, (of) => {
        const at = instants(of, spanOf(of));
        const spacing = usualSpacingMinutes(of);
        at.slice(0, 60).forEach((date, index) => {
          expect(isTooSoon(date, [at[index - 1] ?? null, at[index + 1] ?? null], spacing)).toBe(false);
        });
      }),
      { numRuns: 40 },
    );
    const changed = new Date('2026-03-29T06:00:00Z');
    expect(isTooSoon(changed, [new Date(changed.getTime() - 23 * HOUR)], 24 * 60)).toBe(false);
  });

  it('is less than half the spacing from another, not exactly half', () => {
    const last = new Date('2026-03-09T08:00:00Z');
    const after = (ms: number) => new Date(last.getTime() + ms);
    expect(isTooSoon(after(12 * HOUR - 1), [last], 24 * 60)).toBe(true);
    expect(isTooSoon(after(12 * HOUR), [last], 24 * 60)).toBe(false);
    expect(isTooSoon(last, [last], 24 * 60)).toBe(true);
  });

  it('can also be too close to a later dose when it is logged late', () => {
    const next = new Date('2026-03-09T08:00:00Z');
    const late = new Date(next.getTime() - HOUR);
    expect(isTooSoon(late, [null, next], 24 * 60)).toBe(true);
  });

  it('needs a neighbouring dose and a known spacing', () => {
    const at = new Date('2026-03-09T08:00:00Z');
    expect(isTooSoon(at, [null, null], 24 * 60)).toBe(false);
    expect(isTooSoon(at, [at], null)).toBe(false);
  });

  it('law: is too soon after another exactly if the other would be too soon after it', () => {
    fc.assert(
      fc.property(fc.nat(200 * 60), fc.integer({ min: 1, max: 100 * 60 }), (minutes, spacing) => {
        const a = new Date('2026-03-09T08:00:00Z');
        const b = new Date(a.getTime() + minutes * MINUTE);
        expect(isTooSoon(a, [b], spacing)).toBe(isTooSoon(b, [a], spacing));
      }),
    );
  });
});
