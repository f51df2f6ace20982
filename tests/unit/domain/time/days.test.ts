import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  calendarDay,
  daysBefore,
  instantsOfDays,
  localDateTime,
  isTimeZone,
} from '#app/domain/time/zoned-time.ts';
import { dayLabel, isCalendarDay, monthLabel, shownDay } from '#app/domain/time/calendar.ts';

const HOUR = 3_600_000;
const ZONES = [
  'UTC',
  'America/New_York',
  'Europe/Berlin',
  'Asia/Kathmandu',
  'Pacific/Apia',
  'America/Sao_Paulo',
];

describe('the days of a time zone', () => {
  it('have 23 or 25 hours at clock changes', () => {
    const length = (day: string) => {
      const { from, before } = instantsOfDays(day, day, 'America/New_York');
      return ((before?.getTime() ?? 0) - (from?.getTime() ?? 0)) / HOUR;
    };
    expect(length('2026-03-08')).toBe(23);
    expect(length('2026-11-01')).toBe(25);
    expect(length('2026-07-01')).toBe(24);
  });

  it('begin correctly even if midnight does not exist', () => {
    // Clocks in São Paulo went from 23:59 to 01:00 on 4 November 2018.
    const { from } = instantsOfDays('2018-11-04', null, 'America/Sao_Paulo');
    expect(from?.toISOString()).toBe('2018-11-04T03:00:00.000Z');
  });

  it('contain exactly the instants that fall on them', () => {
    const instant = fc.date({
      min: new Date('2010-01-01'),
      max: new Date('2030-01-01'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(instant, fc.constantFrom(...ZONES), (at, zone) => {
        const day = calendarDay(at, zone);
        const { from, before } = instantsOfDays(day, day, zone);
        expect(from && from <= at && before && at < before).toBe(true);
        if (from) expect(calendarDay(new Date(from.getTime() - 1), zone) < day).toBe(true);
        if (before) expect(calendarDay(before, zone) > day).toBe(true);
      }),
    );
  });

  it('are unlimited on a side without a day', () => {
    expect(instantsOfDays(null, null, 'UTC')).toEqual({ from: null, before: null });
  });

  it('can be counted back across months and leap days', () => {
    expect(daysBefore('2026-03-10', 30)).toBe('2026-02-08');
    expect(daysBefore('2024-03-01', 1)).toBe('2024-02-29');
    expect(localDateTime(new Date('2026-03-10T12:05:00Z'), 'Asia/Kathmandu')).toBe('2026-03-10 17:50');
  });
});

describe('calendar days', () => {
  it.each(['2026-02-28', '2024-02-29', '0001-01-01', '9999-12-31'])('%s exists', (day) =>
    expect(isCalendarDay(day)).toBe(true),
  );
  it.each(['2026-02-29', '2026-13-01', '2026-1-1', '26-01-01', '2026-01-01T00:00', '', '2026-01-00'])(
    '%j does not exist',
    (day) => expect(isCalendarDay(day)).toBe(false),
  );
});

describe('time zones', () => {
  it.each([...ZONES, 'Etc/GMT+3'])('%s exists', (zone) => expect(isTimeZone(zone)).toBe(true));
  it.each(['', 'Mars/Olympus', '+02:00', '../../etc', 'x'.repeat(300)])('%j does not exist', (zone) =>
    expect(isTimeZone(zone)).toBe(false),
  );
});

describe('the text of a day', () => {
  const firsts = Array.from({ length: 12 }, (_, month) => `2026-${String(month + 1).padStart(2, '0')}-01`);

  it('has the month in full or short', () => {
    const short = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sept', 'Oct', 'Nov', 'Dec'];
    expect(firsts.map(shownDay)).toEqual(short.map((month) => `1 ${month} 2026`));
    const long = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September'];
    expect(firsts.map(monthLabel)).toEqual(
      [...long, 'October', 'November', 'December'].map((month) => `${month} 2026`),
    );
  });

  it('has the day of the week, before 1970 as well', () => {
    const week = [
      '2026-03-09',
      '2026-03-10',
      '2026-03-11',
      '2026-03-12',
      '2026-03-13',
      '2026-03-14',
      '2026-03-15',
    ];
    expect(week.map((day) => dayLabel(day).slice(0, 3))).toEqual([
      'Mon',
      'Tue',
      'Wed',
      'Thu',
      'Fri',
      'Sat',
      'Sun',
    ]);
    expect(dayLabel('2026-03-09')).toBe('Mon 9 Mar');
    expect(dayLabel('2026-09-12', true)).toBe('Saturday 12 September 2026');
    expect(dayLabel('1969-07-20', true)).toBe('Sunday 20 July 1969');
    expect(shownDay('2024-02-29')).toBe('29 Feb 2024');
  });

  it('equals that of Intl on every day of four years', () => {
    const at = (day: number) => new Date(Date.UTC(2023, 6, 1 + day));
    const [medium, long] = [
      new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' }),
      new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeZone: 'UTC' }),
    ];
    for (let day = 0; day < 4 * 365 + 1; day += 1) {
      const text = at(day).toISOString().slice(0, 10);
      // Versions of the platform differ in commas and in "Sept".
      const same = (words: string) => words.replace(/,/g, '').replace('Sept ', 'Sep ');
      expect(same(shownDay(text))).toBe(same(medium.format(at(day))));
      expect(same(dayLabel(text, true))).toBe(same(long.format(at(day))));
    }
  });

  it('is refused for an invalid day', () => {
    expect(() => shownDay('soon')).toThrow(RangeError);
  });
});
