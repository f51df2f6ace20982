import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { timeZone, toLocal, toUtc } from '#models/engine/query/expression/time-zone.ts';
import { Long, type Document } from '#models/engine/values/types.ts';
import { codeOf, evaluate, failure } from '../support.ts';

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

describe('calculating with dates', () => {
  const add = (startDate: string, unit: string, amount: number, timezone?: string): unknown =>
    evaluate({ $dateAdd: { startDate: utc(startDate), unit, amount, ...(timezone ? { timezone } : {}) } });

  it.each<[string, string, number, string | undefined, string]>([
    ['2024-01-31T10:00:00Z', 'month', 1, undefined, '2024-02-29T10:00:00Z'],
    ['2023-01-31T10:00:00Z', 'month', 1, undefined, '2023-02-28T10:00:00Z'],
    ['2024-01-31T10:00:00Z', 'month', -2, undefined, '2023-11-30T10:00:00Z'],
    ['2024-01-15T10:00:00Z', 'month', -12, undefined, '2023-01-15T10:00:00Z'],
    ['2024-02-29T10:00:00Z', 'year', 1, undefined, '2025-02-28T10:00:00Z'],
    ['2024-11-30T10:00:00Z', 'quarter', 1, undefined, '2025-02-28T10:00:00Z'],
    ['2024-02-28T10:00:00Z', 'day', 2, undefined, '2024-03-01T10:00:00Z'],
    ['2024-02-28T10:00:00Z', 'week', 1, undefined, '2024-03-06T10:00:00Z'],
    ['2024-02-28T10:00:00Z', 'hour', 25, undefined, '2024-02-29T11:00:00Z'],
    ['2024-02-28T10:00:00Z', 'minute', -1, undefined, '2024-02-28T09:59:00Z'],
    ['2024-02-28T10:00:00Z', 'second', 1, undefined, '2024-02-28T10:00:01Z'],
    ['2024-02-28T10:00:00Z', 'millisecond', 1, undefined, '2024-02-28T10:00:00.001Z'],
    ['2024-03-30T11:00:00Z', 'day', 1, 'Europe/Berlin', '2024-03-31T10:00:00Z'],
    ['2024-03-30T01:30:00Z', 'day', 1, 'Europe/Berlin', '2024-03-31T01:30:00Z'],
    ['2024-03-30T11:00:00Z', 'hour', 24, 'Europe/Berlin', '2024-03-31T11:00:00Z'],
    ['2024-01-31T23:30:00Z', 'month', 1, 'Asia/Tokyo', '2024-02-29T23:30:00Z'],
  ])('%s + %s × %i (%s) is %s', (start, unit, amount, zone, expected) => {
    expect(add(start, unit, amount, zone)).toEqual(utc(expected));
    expect(
      evaluate({
        $dateSubtract: { startDate: utc(start), unit, amount: -amount, ...(zone ? { timezone: zone } : {}) },
      }),
    ).toEqual(utc(expected));
  });

  it.each<[string, string, string, Document, number]>([
    ['2023-12-31T23:59:59Z', '2024-01-01T00:00:00Z', 'year', {}, 1],
    ['2024-01-01T00:00:00Z', '2024-12-31T00:00:00Z', 'year', {}, 0],
    ['2023-12-31T00:00:00Z', '2024-01-01T00:00:00Z', 'quarter', {}, 1],
    ['2024-01-31T00:00:00Z', '2024-03-01T00:00:00Z', 'month', {}, 2],
    ['2024-03-01T00:00:00Z', '2024-01-31T00:00:00Z', 'month', {}, -2],
    ['2024-02-24T00:00:00Z', '2024-02-25T00:00:00Z', 'week', {}, 1],
    ['2024-02-25T00:00:00Z', '2024-02-26T00:00:00Z', 'week', {}, 0],
    ['2024-02-25T00:00:00Z', '2024-02-26T00:00:00Z', 'week', { startOfWeek: 'monday' }, 1],
    ['2024-02-25T00:00:00Z', '2024-02-26T00:00:00Z', 'week', { startOfWeek: 'Mon' }, 1],
    ['2024-02-28T23:59:00Z', '2024-02-29T00:01:00Z', 'day', {}, 1],
    ['2024-02-28T23:59:00Z', '2024-02-29T00:01:00Z', 'day', { timezone: '+02:00' }, 0],
    ['2024-02-28T23:59:00Z', '2024-02-29T00:01:00Z', 'hour', {}, 1],
    ['2024-02-28T23:59:00Z', '2024-02-29T00:01:00Z', 'minute', {}, 2],
    ['2024-02-28T23:59:00Z', '2024-02-29T00:01:00Z', 'second', {}, 120],
    ['2024-02-28T23:59:00Z', '2024-02-29T00:01:00Z', 'millisecond', {}, 120000],
    ['2024-03-31T00:30:00Z', '2024-03-31T02:30:00Z', 'hour', { timezone: 'Europe/Berlin' }, 2],
  ])('from %s to %s in %s %o: %i', (start, end, unit, more, expected) => {
    const spec = { startDate: utc(start), endDate: utc(end), unit, ...more };
    expect(evaluate({ $dateDiff: spec })).toEqual(L(expected));
  });

  it.each<[string, Document, string]>([
    ['2024-02-29T12:30:45.678Z', { unit: 'year' }, '2024-01-01T00:00:00Z'],
    ['2024-05-29T12:30:45.678Z', { unit: 'quarter' }, '2024-04-01T00:00:00Z'],
    ['2024-02-29T12:30:45.678Z', { unit: 'month' }, '2024-02-01T00:00:00Z'],
    ['2024-02-29T12:30:45.678Z', { unit: 'week' }, '2024-02-25T00:00:00Z'],
    ['2024-02-29T12:30:45.678Z', { unit: 'week', startOfWeek: 'monday' }, '2024-02-26T00:00:00Z'],
    ['2024-02-29T12:30:45.678Z', { unit: 'day' }, '2024-02-29T00:00:00Z'],
    ['2024-02-29T12:30:45.678Z', { unit: 'day', timezone: 'America/New_York' }, '2024-02-29T05:00:00Z'],
    ['2024-02-29T12:30:45.678Z', { unit: 'hour', binSize: 6 }, '2024-02-29T12:00:00Z'],
    ['2024-02-29T12:30:45.678Z', { unit: 'minute', binSize: 15 }, '2024-02-29T12:30:00Z'],
    ['2024-02-29T12:30:45.678Z', { unit: 'second' }, '2024-02-29T12:30:45Z'],
    ['2024-02-29T12:30:45.678Z', { unit: 'millisecond', binSize: 100 }, '2024-02-29T12:30:45.600Z'],
    ['1999-12-31T12:00:00Z', { unit: 'year', binSize: 5 }, '1995-01-01T00:00:00Z'],
    ['2024-02-29T12:00:00Z', { unit: 'month', binSize: 2 }, '2024-01-01T00:00:00Z'],
    ['2000-01-09T00:00:00Z', { unit: 'week', binSize: 2 }, '2000-01-02T00:00:00Z'],
    ['2024-10-27T03:30:00Z', { unit: 'day', timezone: 'Europe/Berlin' }, '2024-10-26T22:00:00Z'],
  ])('%s cut to %o is %s', (date, more, expected) => {
    expect(evaluate({ $dateTrunc: { date: utc(date), ...more } })).toEqual(utc(expected));
  });

  cases([
    [{ $dateAdd: { startDate: '$n', unit: 'day', amount: 1 } }, null],
    [{ $dateAdd: { startDate: '$d', unit: '$n', amount: 1 } }, null],
    [{ $dateDiff: { startDate: '$d', endDate: '$n', unit: 'day' } }, null],
    [{ $dateTrunc: { date: '$n', unit: 'day' } }, null],
    [{ $dateTrunc: { date: '$d', unit: 'day', binSize: '$n' } }, null],
  ]);

  refuses([
    [{ $dateAdd: 5 }, 5166400],
    [{ $dateAdd: { startDate: '$d', unit: 'day', amount: 1, x: 1 } }, 5166401],
    [{ $dateAdd: { startDate: '$d', unit: 'day' } }, 5166402],
    [{ $dateAdd: { startDate: '$s', unit: 'day', amount: 1 } }, 5166403],
    [{ $dateAdd: { startDate: '$d', unit: 5, amount: 1 } }, 5166404],
    [{ $dateAdd: { startDate: '$d', unit: 'day', amount: 1.5 } }, 5166405],
    [{ $dateAdd: { startDate: '$d', unit: 'eon', amount: 1 } }, 9],
    [{ $dateAdd: { startDate: '$d', unit: 'year', amount: 1e9 } }, 15],
    [{ $dateDiff: 5 }, 5166301],
    [{ $dateDiff: { startDate: '$d', endDate: '$d', unit: 'day', x: 1 } }, 5166302],
    [{ $dateDiff: { endDate: '$d', unit: 'day' } }, 5166303],
    [{ $dateDiff: { startDate: '$d', unit: 'day' } }, 5166304],
    [{ $dateDiff: { startDate: '$d', endDate: '$d' } }, 5166305],
    [{ $dateDiff: { startDate: '$s', endDate: '$d', unit: 'day' } }, 5166307],
    [{ $dateDiff: { startDate: '$d', endDate: '$d', unit: 5 } }, 5439013],
    [{ $dateDiff: { startDate: '$d', endDate: '$d', unit: 'eon' } }, 5439014],
    [{ $dateDiff: { startDate: '$d', endDate: '$d', unit: 'week', startOfWeek: 5 } }, 5439015],
    [{ $dateDiff: { startDate: '$d', endDate: '$d', unit: 'week', startOfWeek: 'x' } }, 5439016],
    [{ $dateTrunc: 5 }, 5439007],
    [{ $dateTrunc: { date: '$d', unit: 'day', x: 1 } }, 5439008],
    [{ $dateTrunc: { unit: 'day' } }, 5439009],
    [{ $dateTrunc: { date: '$d' } }, 5439010],
    [{ $dateTrunc: { date: '$s', unit: 'day' } }, 5439012],
    [{ $dateTrunc: { date: '$d', unit: 'day', binSize: 'x' } }, 5439017],
    [{ $dateTrunc: { date: '$d', unit: 'day', binSize: 0 } }, 5439018],
  ]);

  it('cut never goes beyond the date, nor further back than its unit', () => {
    const unit = fc.constantFrom('year', 'quarter', 'month', 'week', 'day', 'hour', 'minute', 'second');
    const zone = fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', '+05:30', 'Australia/Lord_Howe');
    fc.assert(
      fc.property(
        fc.date({ min: utc('1980-01-01T00:00:00Z'), max: utc('2060-01-01T00:00:00Z'), noInvalidDate: true }),
        unit,
        zone,
        (date, u, timezone) => {
          const cut = evaluate({ $dateTrunc: { date, unit: u, timezone } }) as Date;
          expect(cut.getTime()).toBeLessThanOrEqual(date.getTime());
          expect(evaluate({ $dateTrunc: { date: cut, unit: u, timezone } })).toEqual(cut);
          const next = evaluate({ $dateAdd: { startDate: cut, unit: u, amount: 1, timezone } }) as Date;
          expect(next.getTime()).toBeGreaterThan(date.getTime() - 3_600_000);
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('time zones', () => {
  it('place skipped and repeated times like the server', () => {
    const berlin = timeZone('Europe/Berlin');
    expect(new Date(toUtc(Date.UTC(2024, 2, 31, 2, 30), berlin))).toEqual(utc('2024-03-31T01:30:00Z'));
    expect(new Date(toUtc(Date.UTC(2024, 9, 27, 2, 30), berlin))).toEqual(utc('2024-10-27T00:30:00Z'));
    expect(new Date(toLocal(Date.UTC(2024, 6, 1), berlin)).getUTCHours()).toBe(2);
  });

  it('agree with the platform', () => {
    const names = [
      'Europe/Berlin',
      'America/St_Johns',
      'Asia/Kathmandu',
      'Pacific/Apia',
      'Australia/Lord_Howe',
      'Africa/Casablanca',
    ];
    fc.assert(
      fc.property(
        fc.constantFrom(...names),
        fc.date({ min: utc('1971-01-01T00:00:00Z'), max: utc('2037-01-01T00:00:00Z'), noInvalidDate: true }),
        (name, date) => {
          const text = date.toLocaleString('sv-SE', { timeZone: name });
          const local = new Date(toLocal(date.getTime(), timeZone(name)));
          expect(local.toISOString().slice(0, 19).replace('T', ' ')).toBe(text);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('refuse what is none', () => {
    for (const id of ['', 'UTC+1', 'Nowhere', '+5', '../etc', 'a'.repeat(1000)]) {
      expect(codeOf(() => timeZone(id))).toBe(40485);
    }
    expect(timeZone('GMT')).toBe(timeZone('UTC'));
  });
});
