import * as fc from 'fast-check';
import { DateTime } from 'luxon';
import { describe, expect, it } from 'vitest';
import { occurrences } from '#app/domain/schedules/occurrences.ts';
import type { Occurrence, ScheduleRule } from '#app/domain/schedules/schedule-rule.ts';
import { anyRule } from '#tests/support/schedules.ts';

const DAY_MS = 86_400_000;
const LONG_AGO = Date.parse('2015-06-01');

const anyWindow = fc
  .record({
    start: fc.integer({ min: 0, max: 4000 * DAY_MS }),
    length: fc.integer({ min: 0, max: 120 * DAY_MS }),
  })
  .map(({ start, length }) => ({
    from: new Date(LONG_AGO + start),
    to: new Date(LONG_AGO + start + length),
  }));

/** A window near the rule's first day, so that it usually contains doses. */
const anyCase = fc
  .tuple(anyRule, anyWindow, fc.integer({ min: -3, max: 200 }))
  .map(([rule, { from, to }, after]) => {
    const begin = Date.parse(rule.startDate) + after * DAY_MS + (from.getTime() % DAY_MS);
    return { rule, from: new Date(begin), to: new Date(begin + to.getTime() - from.getTime()) };
  });

const nameOf = ({ localDay, wallTime }: Occurrence) => `${localDay} ${wallTime}`;
const wallOf = ({ dueDate }: Occurrence, { timeZone }: ScheduleRule) =>
  DateTime.fromJSDate(dueDate, { zone: timeZone }).toFormat('yyyy-MM-dd HH:mm');

describe('the doses of any schedule', () => {
  it('are sorted, unique and inside the window', () => {
    fc.assert(
      fc.property(anyCase, ({ rule, from, to }) => {
        const found = occurrences(rule, { from, to });
        const dues = found.map(({ dueDate }) => dueDate.getTime());
        expect(dues).toEqual(dues.toSorted((a, b) => a - b));
        expect(new Set(found.map(nameOf)).size).toBe(found.length);
        for (const due of dues) expect(due >= from.getTime() && due < to.getTime()).toBe(true);
      }),
    );
  });

  it('are the same however the window is divided', () => {
    const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 6 });
    fc.assert(
      fc.property(anyCase, cuts, ({ rule, from, to }, parts) => {
        const length = to.getTime() - from.getTime();
        const at = [0, ...parts.toSorted((a, b) => a - b), 1].map(
          (part) => from.getTime() + Math.floor(length * part),
        );
        const pieces = at
          .slice(1)
          .flatMap((end, index) => occurrences(rule, { from: new Date(at[index] ?? 0), to: new Date(end) }));
        expect(pieces).toEqual(occurrences(rule, { from, to }));
      }),
    );
  });

  it('keep their local time, except where the clock skips it', () => {
    fc.assert(
      fc.property(anyCase, ({ rule, from, to }) => {
        for (const found of occurrences(rule, { from, to })) {
          const shown = wallOf(found, rule);
          if (shown === nameOf(found)) continue;
          // Moved forward by less than a day, past a gap in the clock.
          expect(shown > nameOf(found)).toBe(true);
          const offsets = [-1, 1].map((side) => {
            const near = DateTime.fromJSDate(found.dueDate, { zone: rule.timeZone }).plus({
              hours: 5 * side,
            });
            return near.offset;
          });
          expect(offsets[1]).toBeGreaterThan(offsets[0] ?? 0);
        }
      }),
    );
  });

  it('are one for each time of day, however long the day is', () => {
    fc.assert(
      fc.property(anyRule, fc.integer({ min: 0, max: 60 }), (rule, after) => {
        const begin = Date.parse(rule.startDate) + after * DAY_MS;
        const found = occurrences(rule, {
          from: new Date(begin - 3 * DAY_MS),
          to: new Date(begin + 4 * DAY_MS),
        });
        const expected = new Date(begin).toISOString().slice(0, 10);
        const own = found.filter(({ localDay }) => localDay === expected);
        expect([0, rule.times.length]).toContain(own.length);
      }),
    );
  });

  it('stay between the first and the last day', () => {
    fc.assert(
      fc.property(anyCase, ({ rule, from, to }) => {
        for (const { localDay } of occurrences(rule, { from, to })) {
          expect(localDay >= rule.startDate && localDay <= (rule.endDate ?? '9999-12-31')).toBe(true);
        }
      }),
    );
  });

  it('have an amount that stays within the ramp and never reverses', () => {
    fc.assert(
      fc.property(anyCase, ({ rule, from, to }) => {
        const amounts = occurrences(rule, { from, to }).map(({ doseAmount }) => Number(doseAmount));
        if (rule.ramp === null) {
          expect(new Set(amounts).size).toBeLessThan(2);
          return;
        }
        const { start, target, step } = rule.ramp;
        const [least, most] = [Number(start), Number(target)].toSorted((a, b) => a - b);
        const sorted = amounts.toSorted((a, b) => (Number(step) > 0 ? a - b : b - a));
        expect(amounts).toEqual(sorted);
        for (const amount of amounts) expect(amount >= (least ?? 0) && amount <= (most ?? 0)).toBe(true);
      }),
    );
  });
});
