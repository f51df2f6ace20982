import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CALENDAR_VIEWS, calendarGrid } from '#app/domain/doses/calendar-grid.ts';
import { dayLabel } from '#app/domain/time/calendar.ts';

const DAY_MS = 86_400_000;
const day = fc
  .integer({ min: -40_000, max: 40_000 })
  .map((after) => new Date(Date.UTC(2020, 0, 1) + after * DAY_MS).toISOString().slice(0, 10));
const view = fc.constantFrom(...CALENDAR_VIEWS);

describe('a calendar page', () => {
  it('law: has whole weeks starting on Monday, without gaps, and contains the requested day', () => {
    fc.assert(
      fc.property(view, day, (of, on) => {
        const grid = calendarGrid(of, on);
        const days = grid.weeks.flat();
        expect(grid.weeks.every((week) => week.length === 7)).toBe(true);
        expect(new Date(`${grid.first}T00:00:00Z`).getUTCDay()).toBe(1);
        expect([days[0]?.day, days.at(-1)?.day]).toEqual([grid.first, grid.last]);
        days.forEach((one, index) => {
          expect(Date.parse(one.day)).toBe(Date.parse(grid.first) + index * DAY_MS);
        });
        expect(days.filter(({ day: shown }) => shown === on)).toEqual([{ day: on, inside: true }]);
      }),
    );
  });

  it('law: has all days of a month in four to six weeks, or one week', () => {
    fc.assert(
      fc.property(day, (on) => {
        const { weeks } = calendarGrid('month', on);
        const inside = weeks.flat().filter((one) => one.inside);
        const [year = 0, month = 0] = on.split('-').map(Number);
        expect(inside).toHaveLength(new Date(Date.UTC(year, month, 0)).getUTCDate());
        expect(inside.every((one) => one.day.startsWith(on.slice(0, 7)))).toBe(true);
        expect(weeks.length >= 4 && weeks.length <= 6).toBe(true);
        expect(calendarGrid('week', on).weeks).toHaveLength(1);
      }),
    );
  });

  it('law: is also the next page of its previous page', () => {
    fc.assert(
      fc.property(view, day, (of, on) => {
        const grid = calendarGrid(of, on);
        expect(calendarGrid(of, calendarGrid(of, grid.previous).next)).toEqual(grid);
        expect(calendarGrid(of, grid.next).first > grid.first).toBe(true);
      }),
    );
  });

  it('goes from 31 March back to February, in a leap year too', () => {
    expect(calendarGrid('month', '2026-03-31').previous).toBe('2026-02-01');
    expect(calendarGrid('month', '2028-02-29').title).toBe('February 2028');
    expect(calendarGrid('month', '2027-02-10').weeks).toHaveLength(4);
  });

  it('has a readable title', () => {
    expect(calendarGrid('month', '2026-03-09').title).toBe('March 2026');
    expect(calendarGrid('week', '2026-03-11').title).toBe('9 – 15 March 2026');
    expect(calendarGrid('week', '2026-04-01').title).toBe('30 March – 5 April 2026');
    expect(calendarGrid('week', '2027-01-01').title).toBe('28 December 2026 – 3 January 2027');
    expect(dayLabel('2026-03-09')).toBe('Mon 9 Mar');
    expect(dayLabel('2026-03-09', true)).toBe('Monday 9 March 2026');
  });
});
