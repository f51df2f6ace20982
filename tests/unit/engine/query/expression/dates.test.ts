import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Long, ObjectId, Timestamp, type Document } from '#models/engine/values/types.ts';
import { evaluate, failure } from '../support.ts';

const AT = new Date('2024-02-29T12:30:45.678Z');
const DOC: Document = { d: AT, n: null, s: 'x' };
const utc = (text: string): Date => new Date(text);
const L = (n: number): Long => Long.fromNumber(n);

function cases(list: [spec: unknown, expected: unknown][]): void {
  it.each(list)('%o is %o', (spec, expected) => {
    expect(evaluate(spec, DOC)).toEqual(expected);
  });
}

function refuses(list: [spec: unknown, code: number, message?: string][]): void {
  it.each(list)('refuses %o with %i', (spec, code, message) => {
    const found = failure(() => evaluate(spec, DOC));
    expect(found.code).toBe(code);
    if (message !== undefined) expect(found.message).toBe(message);
  });
}

describe('the parts of a date', () => {
  cases([
    [{ $year: '$d' }, 2024],
    [{ $month: '$d' }, 2],
    [{ $dayOfMonth: '$d' }, 29],
    [{ $hour: '$d' }, 12],
    [{ $minute: '$d' }, 30],
    [{ $second: '$d' }, 45],
    [{ $millisecond: '$d' }, 678],
    [{ $dayOfYear: '$d' }, 60],
    [{ $dayOfWeek: '$d' }, 5],
    [{ $isoDayOfWeek: '$d' }, 4],
    [{ $week: '$d' }, 8],
    [{ $isoWeek: '$d' }, 9],
    [{ $isoWeekYear: '$d' }, L(2024)],
    [{ $isoWeek: utc('2021-01-03T00:00:00Z') }, 53],
    [{ $isoWeekYear: utc('2021-01-03T00:00:00Z') }, L(2020)],
    [{ $isoWeek: utc('2018-12-31T00:00:00Z') }, 1],
    [{ $isoWeekYear: utc('2018-12-31T00:00:00Z') }, L(2019)],
    [{ $week: utc('2023-01-01T00:00:00Z') }, 1],
    [{ $week: utc('2022-01-01T00:00:00Z') }, 0],
    [{ $year: utc('-000044-03-15T00:00:00Z') }, -44],
    [{ $year: ['$d'] }, 2024],
    [{ $year: { date: '$d' } }, 2024],
    [{ $hour: { date: '$d', timezone: '+02:00' } }, 14],
    [{ $hour: { date: '$d', timezone: '-0530' } }, 7],
    [{ $hour: { date: '$d', timezone: 'America/New_York' } }, 7],
    [{ $dayOfMonth: { date: '$d', timezone: 'Pacific/Auckland' } }, 1],
    [{ $hour: { date: '$d', timezone: '$n' } }, null],
    [{ $year: '$n' }, null],
    [{ $year: { $add: ['$d', 0] } }, 2024],
    [{ $year: new ObjectId('65e07e350000000000000000') }, 2024],
    [{ $year: new Timestamp({ t: 0, i: 1 }) }, 1970],
    [{ $tsSecond: new Timestamp({ t: 7, i: 9 }) }, L(7)],
    [{ $tsIncrement: new Timestamp({ t: 7, i: 9 }) }, L(9)],
    [{ $tsSecond: '$n' }, null],
  ]);

  refuses([
    [{ $year: '$s' }, 16006, "can't convert from BSON type string to Date"],
    [{ $year: { date: '$d', zone: 'x' } }, 40535],
    [{ $year: { timezone: 'UTC' } }, 40539],
    [{ $year: ['$d', '$d'] }, 40536],
    [
      { $hour: { date: '$d', timezone: 'Mars/Olympus' } },
      40485,
      'unrecognized time zone identifier: "Mars/Olympus"',
    ],
    [{ $hour: { date: '$d', timezone: '' } }, 40485],
    [{ $hour: { date: '$d', timezone: 5 } }, 40517],
    [{ $tsSecond: 5 }, 5687301],
  ]);

  cases([
    [
      { $dateToParts: { date: '$d' } },
      { year: 2024, month: 2, day: 29, hour: 12, minute: 30, second: 45, millisecond: 678 },
    ],
    [
      { $dateToParts: { date: '$d', iso8601: true, timezone: '+12' } },
      { isoWeekYear: 2024, isoWeek: 9, isoDayOfWeek: 5, hour: 0, minute: 30, second: 45, millisecond: 678 },
    ],
    [{ $dateToParts: { date: '$n' } }, null],
    [
      {
        $dateFromParts: { year: 2024, month: 2, day: 29, hour: 12, minute: 30, second: 45, millisecond: 678 },
      },
      AT,
    ],
    [{ $dateFromParts: { year: 2024 } }, utc('2024-01-01T00:00:00Z')],
    [{ $dateFromParts: { year: 2024, month: 14, day: 0, hour: -1 } }, utc('2025-01-30T23:00:00Z')],
    [{ $dateFromParts: { isoWeekYear: 2020, isoWeek: 53, isoDayOfWeek: 7 } }, utc('2021-01-03T00:00:00Z')],
    [
      { $dateFromParts: { year: 2024, month: 7, hour: 8, timezone: 'Europe/Berlin' } },
      utc('2024-07-01T06:00:00Z'),
    ],
    [{ $dateFromParts: { year: 2024, month: '$n' } }, null],
    [{ $dateFromParts: { year: 99 } }, utc('0099-01-01T00:00:00Z')],
  ]);

  refuses([
    [{ $dateToParts: 5 }, 40524],
    [{ $dateToParts: { date: '$d', x: 1 } }, 40520],
    [{ $dateToParts: {} }, 40522],
    [{ $dateToParts: { date: '$d', iso8601: 5 } }, 40521],
    [{ $dateFromParts: 5 }, 40519],
    [{ $dateFromParts: { month: 1 } }, 40516],
    [{ $dateFromParts: { year: 2024, isoWeek: 1 } }, 40489],
    [{ $dateFromParts: { isoWeekYear: 2024, month: 1 } }, 40525],
    [{ $dateFromParts: { year: 0 } }, 40523],
    [{ $dateFromParts: { year: 'x' } }, 40515],
    [{ $dateFromParts: { year: 2024, month: 40000 } }, 31034],
    [{ $dateFromParts: { year: 2024, x: 1 } }, 40518],
    [{ $dateFromParts: { isoWeekYear: 0 } }, 31095],
  ]);
});

describe('dates as text', () => {
  cases([
    [{ $dateToString: { date: '$d' } }, '2024-02-29T12:30:45.678Z'],
    [{ $dateToString: { date: '$d', format: '%Y-%m-%d' } }, '2024-02-29'],
    [
      { $dateToString: { date: '$d', format: '%H:%M:%S.%L %j %w %u %U %V %G %% %b %B' } },
      '12:30:45.678 060 5 4 08 09 2024 % Feb February',
    ],
    [{ $dateToString: { date: '$d', format: '%z %Z', timezone: '-05:30' } }, '-0530 -330'],
    [{ $dateToString: { date: '$d', format: '%z %Z' } }, '+0000 0'],
    [{ $dateToString: { date: '$d', format: '%d %H', timezone: 'Asia/Tokyo' } }, '29 21'],
    [{ $dateToString: { date: '$n', onNull: 'none' } }, 'none'],
    [{ $dateToString: { date: '$n' } }, null],
    [{ $dateToString: { date: '$d', format: '$n' } }, null],
    [{ $dateFromString: { dateString: '2024-02-29' } }, utc('2024-02-29T00:00:00Z')],
    [{ $dateFromString: { dateString: '2024-02-29T12:30:45.678Z' } }, AT],
    [{ $dateFromString: { dateString: '2024-02-29 12:30' } }, utc('2024-02-29T12:30:00Z')],
    [{ $dateFromString: { dateString: '2024-02-29T12:30:00+02:00' } }, utc('2024-02-29T10:30:00Z')],
    [{ $dateFromString: { dateString: '20240229T123045' } }, utc('2024-02-29T12:30:45Z')],
    [
      { $dateFromString: { dateString: '2024-07-01T12:00', timezone: 'America/New_York' } },
      utc('2024-07-01T16:00:00Z'),
    ],
    [{ $dateFromString: { dateString: '29.02.2024', format: '%d.%m.%Y' } }, utc('2024-02-29T00:00:00Z')],
    [{ $dateFromString: { dateString: '2024 60', format: '%Y %j' } }, utc('2024-02-29T00:00:00Z')],
    [{ $dateFromString: { dateString: '2020-W53-7', format: '%G-W%V-%u' } }, utc('2021-01-03T00:00:00Z')],
    [
      { $dateFromString: { dateString: 'Feb 29 2024 12:30 +0100', format: '%b %d %Y %H:%M %z' } },
      utc('2024-02-29T11:30:00Z'),
    ],
    [
      { $dateFromString: { dateString: '2024-02-29 60', format: '%Y-%m-%d %Z' } },
      utc('2024-02-28T23:00:00Z'),
    ],
    [
      { $dateFromString: { dateString: '100% 2024-02-29', format: '100%% %Y-%m-%d' } },
      utc('2024-02-29T00:00:00Z'),
    ],
    [{ $dateFromString: { dateString: '$n', onNull: 1 } }, 1],
    [{ $dateFromString: { dateString: '$n' } }, null],
    [{ $dateFromString: { dateString: 'never', onError: 2 } }, 2],
    [{ $dateFromString: { dateString: '2023-02-29', onError: 2 } }, 2],
    [{ $dateFromString: { dateString: 5, onError: 2 } }, 2],
    [{ $dateFromString: { dateString: '2024-02-29', format: '%d', onError: 2 } }, 2],
  ]);

  refuses([
    [{ $dateToString: 5 }, 18629],
    [{ $dateToString: { format: '%Y' } }, 18628],
    [{ $dateToString: { date: '$d', x: 1 } }, 18534],
    [{ $dateToString: { date: '$d', format: 5 } }, 18533],
    [{ $dateToString: { date: '$d', format: '%Q' } }, 18536],
    [{ $dateToString: { date: '$d', format: '%' } }, 18535],
    [{ $dateToString: { date: utc('+012345-01-01T00:00:00Z') } }, 18537],
    [{ $dateFromString: 5 }, 40540],
    [{ $dateFromString: { dateString: 'x', y: 1 } }, 40541],
    [{ $dateFromString: {} }, 40542],
    [{ $dateFromString: { dateString: 'x', format: 5 } }, 40684],
    [{ $dateFromString: { dateString: 'x', format: '%Q' } }, 18536],
    [{ $dateFromString: { dateString: '2024-13-01' } }, 241],
    [{ $dateFromString: { dateString: '2024-02-29T12:00Z', timezone: 'Asia/Tokyo' } }, 241],
    [{ $dateFromString: { dateString: 'Feb 29, 2024' } }, 115],
  ]);

  it('come back from their text', () => {
    fc.assert(
      fc.property(
        fc.date({ min: utc('0001-01-01T00:00:00Z'), max: utc('9999-12-31T00:00:00Z'), noInvalidDate: true }),
        (date) => {
          const text = { $dateToString: { date: { $literal: date } } };
          expect(evaluate({ $dateFromString: { dateString: text } })).toEqual(date);
          expect(evaluate({ $toDate: text })).toEqual(date);
        },
      ),
    );
  });
});
