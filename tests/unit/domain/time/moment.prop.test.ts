import fc from 'fast-check';
import { DateTime } from 'luxon';
import { describe, expect, it } from 'vitest';
import { parseMoment } from '#app/domain/time/calendar.ts';
import { instantOfWallTime, readMoment } from '#app/domain/time/zoned-time.ts';

const ZONES = Intl.supportedValuesOf('timeZone');
const NOW = new Date('2026-03-09T12:00:00Z');

describe('the instant of a wall-clock time', () => {
  it.each([
    [
      'a skipped time moves forward by the gap',
      '2026-03-29',
      '02:30',
      'Europe/Berlin',
      '2026-03-29T01:30:00.000Z',
    ],
    [
      'a time that exists twice is the earlier one',
      '2026-10-25',
      '02:30',
      'Europe/Berlin',
      '2026-10-25T00:30:00.000Z',
    ],
    [
      'the same west of Greenwich, skipped',
      '2026-03-08',
      '02:30',
      'America/New_York',
      '2026-03-08T07:30:00.000Z',
    ],
    ['and twice', '2026-11-01', '01:30', 'America/New_York', '2026-11-01T05:30:00.000Z'],
    ['half an hour of summer time', '2026-10-04', '02:15', 'Australia/Lord_Howe', '2026-10-03T15:45:00.000Z'],
    ['midnight that does not exist', '2026-09-06', '00:00', 'America/Santiago', '2026-09-06T04:00:00.000Z'],
    ['a zone without changes', '2026-03-29', '02:30', 'Asia/Tokyo', '2026-03-28T17:30:00.000Z'],
  ])('%s', (_, day, time, zone, instant) => {
    expect(instantOfWallTime(day, time, zone).toISOString()).toBe(instant);
  });

  it('law: is the earliest at which the clock shows that time, or the time moved forward out of a gap', () => {
    const minute = fc.integer({ min: 0, max: 24 * 60 - 1 });
    const day = fc
      .integer({ min: 0, max: 3650 })
      .map((after) => new Date(Date.UTC(2024, 0, 1 + after)).toISOString().slice(0, 10));
    fc.assert(
      fc.property(fc.constantFrom(...ZONES), day, minute, (zone, on, of) => {
        const time = `${String(Math.floor(of / 60)).padStart(2, '0')}:${String(of % 60).padStart(2, '0')}`;
        const at = instantOfWallTime(on, time, zone);
        const shown = DateTime.fromJSDate(at, { zone }).toFormat("yyyy-MM-dd'T'HH:mm");
        expect(shown >= `${on}T${time}`).toBe(true);
        const hourBefore = DateTime.fromMillis(at.getTime() - 3_600_000, { zone });
        if (shown === `${on}T${time}`) expect(hourBefore.toFormat("yyyy-MM-dd'T'HH:mm")).not.toBe(shown);
        else expect(hourBefore.offset).not.toBe(DateTime.fromJSDate(at, { zone }).offset);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('reading a moment', () => {
  it.each([
    ['2026-03-29T02:30', '2026-03-29T01:30:00.000Z'],
    ['2026-03-08 07:05', '2026-03-08T06:05:00.000Z'],
    ['2026-03-08T07:05:30', '2026-03-08T06:05:00.000Z'],
    [' 07:05 ', '2026-03-09T06:05:00.000Z'],
    ['2026-03-09T08:00:00Z', '2026-03-09T08:00:00.000Z'],
    ['2026-03-09T08:00:00.123+02:00', '2026-03-09T06:00:00.123Z'],
  ])('reads %j in Berlin', (text, instant) => {
    expect(readMoment(text, 'Europe/Berlin', NOW)?.toISOString()).toBe(instant);
  });

  it.each([
    '',
    'now',
    '25:00',
    '7:05',
    '2026-02-30T08:00',
    '2026-03-09',
    '2026-03-09T24:00',
    '2026-03-09T25:00Z',
    '12Z',
    'Z',
  ])('refuses %j', (text) => expect(readMoment(text, 'Europe/Berlin', NOW)).toBeNull());

  it('law: a form and the server accept the same instants', () => {
    const two = (most: number) => fc.integer({ min: 0, max: most }).map((n) => String(n).padStart(2, '0'));
    const seconds = fc.tuple(two(61), fc.constantFrom('', '.0', '.5', '.000000001'));
    const instant = fc
      .tuple(
        two(13),
        two(32),
        two(25),
        two(61),
        fc.option(seconds),
        fc.constantFrom('Z', 'z', '+02:00', '-1130'),
      )
      .map(([month, day, hour, minute, rest, offset]) => {
        const end = rest === null ? '' : `:${rest.join('')}`;
        return `2026-${month}-${day}T${hour}:${minute}${end}${offset}`;
      });
    const midnight = fc.constantFrom(
      '24:00',
      '24:00:00',
      '24:00:01',
      '24:01',
      '24:00:00.5',
      '24:00:00.000000001',
      '24:00:00.001',
    );
    const texts = fc.oneof(
      instant,
      midnight.map((time) => `2026-03-09T${time}Z`),
    );
    fc.assert(
      fc.property(texts, (text) => {
        expect(parseMoment(text) !== null).toBe(DateTime.fromISO(text).isValid);
      }),
      { numRuns: 3000 },
    );
  });
});
