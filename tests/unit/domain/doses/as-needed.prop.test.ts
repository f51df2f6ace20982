import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  asNeededText,
  asNeededWarnings,
  nextFrom,
  type TakenAround,
} from '#app/domain/doses/dose-warnings.ts';
import { occurrences, previewDoses } from '#app/domain/schedules/occurrences.ts';
import type { AsNeeded } from '#app/domain/schedules/schedule-rule.ts';
import { calendarDay } from '#app/domain/time/zoned-time.ts';
import { ODD_ZONES, rule, ZONES } from '#tests/support/schedules.ts';
import { sized } from '#tests/support/size.ts';

/** All zones at full size, otherwise only the unusual ones. */
const chosen = sized(ODD_ZONES, ZONES);
const HOUR = 3_600_000;
const [FIRST, LAST] = [Date.parse('2016-01-01'), Date.parse('2026-01-01')];

const limits = fc
  .record(
    {
      kind: fc.constant('as-needed' as const),
      minGapHours: fc.integer({ min: 1, max: 60 }),
      maxPerDay: fc.integer({ min: 1, max: 4 }),
    },
    { requiredKeys: ['kind'] },
  )
  .map((frequency): AsNeeded => frequency);
const zone = fc.constantFrom(...chosen);
const moment = fc.integer({ min: FIRST, max: LAST }).map((at) => new Date(at));
/** Minutes between attempts to take a dose. */
const wishes = fc.array(fc.integer({ min: 0, max: 40 * 60 }), { maxLength: 30 });

function around(taken: readonly Date[], at: Date, timeZone: string): TakenAround {
  const day = calendarDay(at, timeZone);
  return {
    before: taken.filter((one) => one <= at).at(-1) ?? null,
    after: null,
    onDay: taken.filter((one) => calendarDay(one, timeZone) === day).length,
  };
}

describe('an as-needed schedule', () => {
  it('law: plans no doses in any zone for ten years', () => {
    for (const timeZone of chosen) {
      const plan = rule({ frequency: { kind: 'as-needed', maxPerDay: 2 }, times: [], timeZone });
      expect(occurrences(plan, { from: new Date(FIRST), to: new Date(LAST) })).toEqual([]);
      expect(previewDoses(plan)).toEqual([]);
    }
  });

  it('law: asks for no confirmation exactly when it names no later time', () => {
    fc.assert(
      fc.property(limits, zone, moment, wishes, (frequency, timeZone, start, minutes) => {
        let now = start;
        const taken: Date[] = [];
        for (const wait of minutes) {
          now = new Date(now.getTime() + wait * 60_000);
          const then = around(taken, now, timeZone);
          const isAsked = asNeededWarnings(frequency, now, then, timeZone).length > 0;
          expect(isAsked).toBe(nextFrom(frequency, now, then, timeZone) !== null);
          taken.push(now);
        }
      }),
    );
  });

  it('law: names the earliest time that keeps the minimum gap and the daily maximum', () => {
    fc.assert(
      fc.property(limits, zone, moment, wishes, (frequency, timeZone, start, minutes) => {
        const { minGapHours = 0, maxPerDay = Infinity } = frequency;
        let now = start;
        const taken: Date[] = [];
        for (const wait of minutes) {
          now = new Date(now.getTime() + wait * 60_000);
          for (let next = nextFrom(frequency, now, around(taken, now, timeZone), timeZone); next !== null;) {
            const early = new Date(next.getTime() - 1);
            expect(asNeededWarnings(frequency, early, around(taken, early, timeZone), timeZone)).not.toEqual(
              [],
            );
            now = next;
            next = nextFrom(frequency, now, around(taken, now, timeZone), timeZone);
          }
          taken.push(now);
        }
        for (const [index, at] of taken.entries()) {
          const before = taken[index - 1];
          if (before !== undefined)
            expect(at.getTime() - before.getTime()).toBeGreaterThanOrEqual(minGapHours * HOUR);
          const day = calendarDay(at, timeZone);
          const onDay = taken.filter((one) => calendarDay(one, timeZone) === day).length;
          expect(onDay).toBeLessThanOrEqual(maxPerDay);
        }
      }),
    );
  });

  it('shows times in the owner’s time zone, with the day if it is a different one', () => {
    const at = new Date('2026-03-28T20:00:00Z');
    const taken = { before: new Date('2026-03-28T19:00:00Z'), after: null, onDay: 1 };
    const text = (hours: number, more = {}) =>
      asNeededText({ kind: 'as-needed', minGapHours: hours, ...more }, at, taken, 'Europe/Berlin');
    expect(text(2)).toBe('Last taken 1 h ago, next from 22:00');
    // The clock skips 02:00, so seven hours after 20:00 is 04:00.
    expect(text(7)).toBe('Last taken 1 h ago, next from 29 Mar, 04:00');
    expect(text(1, { maxPerDay: 1 })).toBe('Last taken 1 h ago, next from 29 Mar, 00:00 · 1 of 1 today');
    expect(text(1, { maxPerDay: 2 })).toBe('Last taken 1 h ago · 1 of 2 today');
    const none = { before: null, after: null, onDay: 0 };
    expect(asNeededText({ kind: 'as-needed' }, at, none, 'UTC')).toBe('Not taken yet');
  });
});
