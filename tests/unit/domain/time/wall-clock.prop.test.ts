import * as fc from 'fast-check';
import { DateTime } from 'luxon';
import { describe, expect, it } from 'vitest';
import { weekStart } from '#app/domain/doses/adherence.ts';
import {
  shownInstant,
  calendarDay,
  dayAfter,
  daysBefore,
  localDateTime,
  momentField,
  wallClock,
} from '#app/domain/time/zoned-time.ts';

const zones = fc.constantFrom(
  'UTC',
  'utc',
  'America/New_York',
  'America/Sao_Paulo',
  'Africa/Casablanca',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Europe/Berlin',
  'Pacific/Apia',
  'Pacific/Chatham',
  // Without zone names, which luxon reads or refuses in its own ways.
  'utc+3',
  'Nowhere/Atall',
);
const shown = (at: Date, zone: string, format: string) => DateTime.fromJSDate(at, { zone }).toFormat(format);

/** Every quarter of an hour in two days around an instant. */
const quartersAround = (iso: string) =>
  Array.from({ length: 192 }, (_, index) => new Date(Date.parse(iso) + (index - 96) * 15 * 60_000));

describe('the wall clock of a zone', () => {
  it('equals luxon at any instant', () => {
    const instants = fc.date({
      min: new Date('1890-01-01'),
      max: new Date('2120-01-01'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(instants, zones, (at, zone) => {
        expect(calendarDay(at, zone)).toBe(shown(at, zone, 'yyyy-MM-dd'));
        expect(localDateTime(at, zone)).toBe(shown(at, zone, 'yyyy-MM-dd HH:mm'));
        expect(momentField(at, zone)).toBe(shown(at, zone, "yyyy-MM-dd'T'HH:mm"));
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ['America/New_York', '2026-03-08T07:00:00Z'],
    ['America/New_York', '2026-11-01T06:00:00Z'],
    ['Australia/Lord_Howe', '2026-04-04T15:00:00Z'],
    // A whole day was skipped.
    ['Pacific/Apia', '2011-12-30T10:00:00Z'],
    ['Africa/Casablanca', '2026-02-15T02:00:00Z'],
  ])('changes in %s where luxon changes, around %s', (zone, iso) => {
    for (const at of quartersAround(iso))
      expect(localDateTime(at, zone)).toBe(shown(at, zone, 'yyyy-MM-dd HH:mm'));
  });

  it('is left to luxon for invalid instants and years without four digits', () => {
    for (const at of [new Date(Number.NaN), new Date(253_402_300_800_000), new Date(-62_167_219_200_001)]) {
      expect(wallClock(at, 'UTC')).toBeNull();
      expect(calendarDay(at, 'UTC')).toBe(shown(at, 'UTC', 'yyyy-MM-dd'));
    }
    expect(wallClock(new Date(0), 'Nowhere/Atall')).toBeNull();
  });

  it('stays correct for more zones and days than the cache holds', () => {
    const names = Intl.supportedValuesOf('timeZone').slice(0, 105);
    for (const [index, zone] of [...names, ...names.slice(0, 5)].entries()) {
      const at = new Date(Date.UTC(2026, 0, 1) + index * 86_400_000);
      expect(calendarDay(at, zone)).toBe(shown(at, zone, 'yyyy-MM-dd'));
      expect(shownInstant(at, zone)).toContain(String(Number(shown(at, zone, 'd'))));
    }
    for (let day = 0; day < 5_000; day += 1) {
      const at = new Date(day * 86_400_000);
      expect(wallClock(at, 'UTC')).toBe(at.toISOString());
    }
  });
});

describe('calendar days', () => {
  const days = fc
    .date({
      min: new Date('0000-01-01T00:00:00Z'),
      max: new Date('9999-12-31T00:00:00Z'),
      noInvalidDate: true,
    })
    .map((at) => at.toISOString().slice(0, 10));
  const ofLuxon = (day: string) => DateTime.fromISO(day, { zone: 'utc' });

  it('are counted like luxon', () => {
    fc.assert(
      fc.property(days, fc.integer({ min: -4_000, max: 4_000 }), (day, count) => {
        expect(daysBefore(day, count)).toBe(ofLuxon(day).minus({ days: count }).toFormat('yyyy-MM-dd'));
        expect(weekStart(day)).toBe(ofLuxon(day).startOf('week').toFormat('yyyy-MM-dd'));
      }),
      { numRuns: 500 },
    );
  });

  it('that do not exist or are written differently are left to luxon', () => {
    for (const day of ['2026-02-30', '20260309', '2026-03-09T08:00', 'soon', '']) {
      expect(dayAfter(day, 1)).toBe(ofLuxon(day).plus({ days: 1 }).toFormat('yyyy-MM-dd'));
      expect(weekStart(day)).toBe(ofLuxon(day).startOf('week').toFormat('yyyy-MM-dd'));
    }
  });
});
