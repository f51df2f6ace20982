import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareWithCollation, isSimple, type Collation } from '#models/engine/query/collation.ts';
import { collationKey } from '#models/engine/query/collation-key.ts';
import { compareValues } from '#models/engine/query/compare.ts';
import { codeOf, matches } from './support.ts';

const en = (strength: 1 | 2 | 3, more: Partial<Collation> = {}): Collation => ({
  locale: 'en',
  strength,
  ...more,
});

describe('collations', () => {
  it.each<[Collation, string, string, number]>([
    [en(1), 'a', 'Á', 0],
    [en(1), 'a', 'b', -1],
    [en(2), 'a', 'A', 0],
    [en(2), 'a', 'á', -1],
    [en(3), 'a', 'A', -1],
    [{ locale: 'en' }, 'a', 'A', -1],
    [en(1, { caseLevel: true }), 'a', 'A', -1],
    [en(1, { caseLevel: true }), 'a', 'á', 0],
    [en(2, { caseLevel: true }), 'a', 'A', -1],
    [en(3, { numericOrdering: true }), 'a10', 'a9', 1],
    [en(3), 'a10', 'a9', -1],
    [{ locale: 'sv', strength: 3 }, 'z', 'ö', -1],
    [{ locale: 'de', strength: 3 }, 'z', 'ö', 1],
  ])('%o: %s and %s', (collation, a, b, expected) => {
    expect(compareWithCollation(a, b, collation)).toBe(expected);
    expect(compareValues({ x: [a] }, { x: [b] }, collation)).toBe(expected);
  });

  it('refuse a locale that does not exist', () => {
    expect(codeOf(() => compareWithCollation('a', 'b', { locale: 'no such locale' }))).toBe(2);
  });

  it('are simple when none is given', () => {
    expect(isSimple(undefined)).toBe(true);
    expect(isSimple({ locale: 'simple' })).toBe(true);
    expect(isSimple(en(2))).toBe(false);
    expect(compareValues('a', 'B', { locale: 'simple' })).toBe(1);
  });

  it('apply to filters', () => {
    const collation = en(2);
    expect(matches({ e: 'A@X' }, { e: 'a@x' }, { collation })).toBe(true);
    expect(matches({ e: { $in: ['b', 'A@X'] } }, { e: 'a@x' }, { collation })).toBe(true);
    expect(matches({ e: { $ne: 'A@X' } }, { e: 'a@x' }, { collation })).toBe(false);
    expect(matches({ e: { $gt: 'B' } }, { e: 'c' }, { collation })).toBe(true);
    expect(matches({ e: /A/ }, { e: 'a@x' }, { collation })).toBe(false);
    expect(matches({ $expr: { $eq: ['$e', 'A@X'] } }, { e: 'a@x' }, { collation })).toBe(true);
  });
});

/** Texts that are likely to be equal under a collation. */
const similar = fc
  .array(
    fc.constantFrom(
      ...[
        'a',
        'A',
        'á',
        'Á',
        'a\u0301',
        'ä',
        'e',
        'E',
        'é',
        'ß',
        'ss',
        'SS',
        'ſ',
        'i',
        'I',
        'ı',
        'İ',
        'ﬁ',
        'fi',
        'Å',
        'Å',
      ],
      ...[
        'Ａ',
        'ａ',
        'K',
        'k',
        'Σ',
        'σ',
        'ς',
        '\u0000',
        '\u00ad',
        '\u200d',
        '\ufeff',
        ' ',
        '-',
        '1',
        '１',
        '²',
        '2',
        'ǆ',
        'dž',
        'Ǆ',
      ],
      ...[
        '한',
        '\u1112\u1161\u11ab',
        'が',
        'か\u3099',
        'ｶﾞ',
        'ガ',
        '\u0000a',
        'æ',
        'ae',
        'ø',
        'o\u0338',
        'ł',
        'l',
      ],
    ),
    { maxLength: 4 },
  )
  .map((parts) => parts.join(''));

describe('keys for a collated index', () => {
  it.each([1, 2, 3] as const)('are equal for texts equal at strength %i', (strength) => {
    const c = en(strength);
    fc.assert(
      fc.property(similar, similar, (a, b) => {
        if (compareWithCollation(a, b, c) === 0) expect(collationKey(a, c)).toBe(collationKey(b, c));
      }),
      { numRuns: 3000 },
    );
  });

  it('are equal for single characters that are equal', () => {
    const characters = Array.from({ length: 0x3100 }, (_, code) => String.fromCharCode(code));
    for (const strength of [1, 2, 3] as const) {
      const c = en(strength);
      const sorted = [...characters].sort((a, b) => compareWithCollation(a, b, c));
      const broken = sorted.filter((ch, i) => {
        const next = sorted[i + 1];
        return (
          next !== undefined &&
          compareWithCollation(ch, next, c) === 0 &&
          collationKey(ch, c) !== collationKey(next, c)
        );
      });
      expect([strength, broken]).toEqual([strength, []]);
    }
  });

  it('tell apart what people would', () => {
    expect(collationKey('anna@example.org', en(2))).not.toBe(collationKey('hanna@example.org', en(2)));
    expect(collationKey('a', en(3))).not.toBe(collationKey('A', en(3)));
    expect(collationKey('a', en(2))).not.toBe(collationKey('á', en(2)));
    expect(collationKey('x', { locale: 'simple' })).toBe('x');
  });
});
