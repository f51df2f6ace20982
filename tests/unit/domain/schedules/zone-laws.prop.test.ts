import { IANAZone } from 'luxon';
import { describe, expect, it } from 'vitest';
import { dayText, dayNumber } from '#app/domain/time/calendar.ts';
import { occurrences, previewDoses, zoneClock } from '#app/domain/schedules/occurrences.ts';
import { ODD_ZONES, rule, ZONES } from '#tests/support/schedules.ts';
import { isFullSize } from '#tests/support/size.ts';
import { byRecurrenceRule, placedByLooking } from '#tests/support/wall-clock-oracles.ts';

/** All zones at full size, otherwise the unusual ones and every 40th. */
const chosen = isFullSize ? ZONES : [...ODD_ZONES, ...ZONES.filter((_, index) => index % 40 === 7)];
const [FIRST, LAST] = ['2016-01-01', '2025-12-31'].map(dayNumber) as [number, number];
const DAY_MS = 86_400_000;

const TIMES = [
  '00:00',
  '00:15',
  '01:00',
  '01:45',
  '02:00',
  '02:30',
  '03:00',
  '03:15',
  '12:00',
  '22:30',
  '23:59',
];

/** Days on or next to a clock change. */
function changeDays(timeZone: string): number[] {
  const zone = IANAZone.create(timeZone);
  const days: number[] = [];
  for (let day = FIRST; day <= LAST; day += 1) {
    const here = zone.offset(day * DAY_MS);
    if (here !== zone.offset((day + 1) * DAY_MS)) days.push(day - 1, day, day + 1);
  }
  return [...new Set(days)];
}

describe.each(chosen)('ten years in %s', (timeZone) => {
  it('put every time near a clock change where the clock shows it', () => {
    const clock = zoneClock(timeZone);
    for (const day of changeDays(timeZone)) {
      const expected = placedByLooking(timeZone, dayText(day));
      for (const time of TIMES) {
        const { at } = clock.place(day, Number(time.slice(0, 2)) * 60 + Number(time.slice(3)));
        const where = `${timeZone} ${dayText(day)} ${time}`;
        expect(`${where}: ${at}`).toBe(`${where}: ${expected(time)}`);
      }
    }
  });

  it('have one dose on each day of a daily schedule, in order, however long the day', () => {
    const daily = rule({ timeZone, times: ['02:30'], startDate: dayText(FIRST), endDate: dayText(LAST) });
    const found = occurrences(daily, {
      from: new Date((FIRST - 2) * DAY_MS),
      to: new Date((LAST + 3) * DAY_MS),
    });
    expect(found).toHaveLength(LAST - FIRST + 1);
    let previous = 0;
    for (const [index, { dueDate, localDay }] of found.entries()) {
      if (dayNumber(localDay) !== FIRST + index) expect(localDay).toBe(dayText(FIRST + index));
      const apart = dueDate.getTime() - previous;
      if (index > 0 && apart !== DAY_MS) expect(Math.abs(apart - DAY_MS)).toBeLessThanOrEqual(3 * 3_600_000);
      previous = dueDate.getTime();
    }
  });
});

describe.each(chosen)('ten years of a monthly schedule in %s', (timeZone) => {
  it.each([1, 29, 31, 'last'] as const)('have one dose a month on day %s, in order, in local time', (day) => {
    const monthly = rule({
      timeZone,
      frequency: { kind: 'monthly', day },
      startDate: dayText(FIRST),
      endDate: dayText(LAST),
    });
    const found = occurrences(monthly, {
      from: new Date((FIRST - 2) * DAY_MS),
      to: new Date((LAST + 3) * DAY_MS),
    });
    const expected = Array.from({ length: 120 }, (_, month) => {
      const last = new Date(Date.UTC(2016, month + 1, 0)).getUTCDate();
      return new Date(Date.UTC(2016, month, day === 'last' ? last : Math.min(day, last)));
    });
    expect(found.map(({ localDay }) => localDay)).toEqual(
      expected.map((date) => date.toISOString().slice(0, 10)),
    );
    const clock = zoneClock(timeZone);
    expect(found.map(({ dueDate }) => dueDate.getTime())).toEqual(
      expected.map((date) => clock.place(date.getTime() / DAY_MS, 480).at),
    );
    expect(previewDoses(monthly)).toEqual(found.slice(0, 14));
  });
});

describe('compared with a library of recurrence rules (RFC 5545)', () => {
  const rules: [name: string, theirs: string, ours: Parameters<typeof rule>[0]][] = [
    ['daily', 'FREQ=DAILY', { frequency: { kind: 'daily' } }],
    ['every 5 days', 'FREQ=DAILY;INTERVAL=5', { frequency: { kind: 'interval', every: 5 } }],
    [
      'Monday and Saturday',
      'FREQ=WEEKLY;BYDAY=MO,SA',
      { frequency: { kind: 'weekdays', weekdays: ['mon', 'sat'] } },
    ],
    ['the 17th', 'FREQ=MONTHLY;BYMONTHDAY=17', { frequency: { kind: 'monthly', day: 17 } }],
    ['the last day', 'FREQ=MONTHLY;BYMONTHDAY=-1', { frequency: { kind: 'monthly', day: 'last' } }],
  ];
  // At noon, because the library leaves out times the clock skips, where ours moves them. It also lacks Morocco's Ramadan changes.
  it.each(rules)('%s has the same doses for ten years', (_, theirs, ours) => {
    for (const timeZone of [
      'America/New_York',
      'Australia/Lord_Howe',
      'Pacific/Chatham',
      'America/Sao_Paulo',
    ]) {
      const expected = byRecurrenceRule(
        `DTSTART;TZID=${timeZone}:20160102T120000\nRRULE:${theirs};COUNT=700`,
      );
      const found = occurrences(rule({ ...ours, timeZone, times: ['12:00'], startDate: '2016-01-02' }), {
        from: new Date('2016-01-01'),
        to: new Date('2026-01-01'),
      });
      expect(found.length).toBeGreaterThanOrEqual(120);
      expect(found.slice(0, 700).map(({ dueDate }) => dueDate.getTime())).toEqual(
        expected.slice(0, found.length),
      );
    }
  });
});
