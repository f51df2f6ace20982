import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  dayField,
  decimalField,
  lineField,
  momentField,
  notesField,
  wholeField,
} from '#app/domain/forms/fields.ts';
import { imageKindOf } from '#app/domain/forms/image-schema.ts';
import { pageWithin, pagingSchema } from '#app/domain/forms/paging.ts';
import { MAX_PERIOD_DAYS, periodSchema } from '#app/domain/forms/period.ts';
import { daysBetween, momentField as momentText, readMoment } from '#app/domain/time/zoned-time.ts';

const accepts = (schema: { safeParse(value: unknown): { success: boolean } }, value: unknown) =>
  schema.safeParse(value).success;

describe('a number in a tracking form', () => {
  const field = decimalField('bad', { least: 1, most: 100, decimals: 2 });

  it.each(['1', '100', '99.99', '1,5', ' 7 ', 50, 1.25])('accepts %j', (value) => {
    expect(accepts(field, value)).toBe(true);
  });

  it.each([
    '',
    '0.99',
    '100.01',
    '1.234',
    '1e1',
    '-5',
    '+5',
    '1.2.3',
    NaN,
    Infinity,
    -1,
    null,
    [],
    '9'.repeat(50),
  ])('refuses %j', (value) => {
    expect(accepts(field, value)).toBe(false);
  });

  it('keeps the text as entered, except for a comma', () => {
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 9999 }), (hundredths) => {
        const text = (hundredths / 100).toFixed(2);
        expect(field.parse(text.replace('.', ','))).toBe(text);
      }),
    );
  });

  it('that must be whole accepts exactly the whole numbers within the limits', () => {
    const whole = wholeField('bad', 0, 10);
    fc.assert(
      fc.property(fc.integer({ min: -5, max: 15 }), (n) => {
        expect(accepts(whole, n)).toBe(n >= 0 && n <= 10);
        expect(accepts(whole, `${Math.abs(n)}.5`)).toBe(false);
      }),
    );
    expect(whole.parse('7')).toBe(7);
  });
});

describe('a day or a moment in a tracking form', () => {
  it.each(['2026-03-09', ' 2024-02-29 '])('accepts the day %j', (text) => {
    expect(accepts(dayField('bad'), text)).toBe(true);
  });

  it.each(['2026-02-29', '26-03-09', '1999-12-31', '', '2026-03-09T00:00', 'today', 5])(
    'refuses the day %j',
    (text) => {
      expect(accepts(dayField('bad'), text)).toBe(false);
    },
  );

  it.each([
    '2026-03-09T08:30',
    '2026-03-09 08:30',
    '2026-03-09T08:30:00Z',
    '2026-03-09T08:30:00.123+02:00',
    '08:30',
  ])('accepts the moment %j', (text) => {
    expect(accepts(momentField('bad'), text)).toBe(true);
  });

  it.each(['2026-02-30T08:30', '2026-03-09', '1970-01-01T00:00', '24:30', 'now', '', null])(
    'refuses the moment %j',
    (text) => {
      expect(accepts(momentField('bad'), text)).toBe(false);
    },
  );

  it('is read back from a form’s control as the same minute, in any zone', () => {
    const zones = fc.constantFrom(
      'UTC',
      'Europe/Berlin',
      'America/New_York',
      'Asia/Kathmandu',
      'Pacific/Apia',
    );
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 500_000 }), zones, (hours, zone) => {
        const at = new Date(Date.parse('2020-01-01T00:30:00Z') + hours * 60_000 * 7);
        const back = readMoment(momentText(at, zone), zone, at) ?? at;
        // One hour a year exists twice; the earlier one is used.
        expect([0, 3_600_000]).toContain(at.getTime() - back.getTime());
      }),
    );
  });

  it('is as many days from another as stepping through them', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4000 }), fc.integer({ min: 0, max: 4000 }), (a, b) => {
        const day = (n: number) => new Date(Date.UTC(2020, 0, 1 + n)).toISOString().slice(0, 10);
        expect(daysBetween(day(a), day(b))).toBe(b - a);
      }),
    );
  });
});

describe('texts in a tracking form', () => {
  it('lose control characters and surrounding spaces, and empty ones are null', () => {
    expect(lineField('bad', 5).parse(' a\u0000\n b ')).toBe('a b');
    expect(lineField('bad', 5).parse(' \u0007 ')).toBeNull();
    expect(notesField('bad').parse(' a\r\n\u0000b ')).toBe('a\nb');
    expect(accepts(lineField('bad', 5), 'abcdef')).toBe(false);
    expect(accepts(notesField('bad', 3), 'abcd')).toBe(false);
    expect(accepts(notesField('bad'), 5)).toBe(false);
  });
});

describe('the period of a report', () => {
  const day = (n: number) => new Date(Date.UTC(2020, 0, 1 + n)).toISOString().slice(0, 10);

  it('must not end before it starts or be longer than five years', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 5000 }), fc.integer({ min: -200, max: 4000 }), (from, length) => {
        const ok = accepts(periodSchema, { start: day(from), end: day(from + length) });
        expect(ok).toBe(length >= 0 && length <= MAX_PERIOD_DAYS);
      }),
    );
  });
});

describe('a page of a list', () => {
  it('is within the list, and all pages together are the list', () => {
    fc.assert(
      fc.property(
        fc.nat(300),
        fc.integer({ min: 1, max: 100 }),
        fc.integer({ min: 1, max: 400 }),
        (total, limit, page) => {
          const shown = pageWithin({ page, limit }, total);
          expect(shown.page).toBe(Math.min(page, shown.pages));
          expect(shown.skip).toBe((shown.page - 1) * limit);
          expect(shown.pages * limit).toBeGreaterThanOrEqual(total);
          expect((shown.pages - 1) * limit).toBeLessThanOrEqual(Math.max(0, total - 1));
        },
      ),
    );
  });

  it.each([{}, { page: 'x', limit: '-3' }, { page: 0, limit: 1000 }, { page: null, limit: 2.5 }])(
    'asked for as %j is the first, of twenty',
    (asked) => {
      expect(pagingSchema.parse(asked)).toEqual({ page: 1, limit: 20 });
    },
  );
});

describe('the kind of a picture file', () => {
  it.each([
    ['jpeg', [0xff, 0xd8, 0xff, 0xe0]],
    ['png', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
    ['webp', [...Buffer.from('RIFF....WEBPVP8 ')]],
    [null, [...Buffer.from('RIFF....WAVEfmt ')]],
    [null, [...Buffer.from('<svg xmlns=')]],
    [null, [...Buffer.from('<!doctype html>')]],
    [null, [...Buffer.from('GIF89a')]],
    [null, [0xff, 0xd8]],
    [null, []],
  ])('is recognised as %s by its first bytes', (kind, bytes) => {
    expect(imageKindOf(Uint8Array.from(bytes))).toBe(kind);
  });
});
