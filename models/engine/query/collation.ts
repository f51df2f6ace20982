import { EngineError } from '../errors.ts';

/** The part of MongoDB's collation document that the engine understands. */
export interface Collation {
  locale: string;
  strength?: 1 | 2 | 3;
  caseLevel?: boolean;
  numericOrdering?: boolean;
}

const cache = new Map<string, Intl.Collator>();

function sensitivity(c: Collation): 'base' | 'accent' | 'case' | 'variant' {
  if (c.strength === 1) return c.caseLevel ? 'case' : 'base';
  if (c.strength === 2) return c.caseLevel ? 'variant' : 'accent';
  return 'variant';
}

function collatorFor(c: Collation): Intl.Collator {
  const key = `${c.locale}|${c.strength ?? 3}|${c.caseLevel ?? false}|${c.numericOrdering ?? false}`;
  const known = cache.get(key);
  if (known) return known;
  let made: Intl.Collator;
  try {
    // ICU writes `en_US@…`, the web `en-US`.
    const locale = (c.locale.split('@')[0] ?? '').replaceAll('_', '-');
    made = new Intl.Collator(locale, { sensitivity: sensitivity(c), numeric: c.numericOrdering ?? false });
  } catch (cause) {
    throw new EngineError('BadValue', `Field 'locale' is invalid in: { locale: "${c.locale}" }`, { cause });
  }
  cache.set(key, made);
  return made;
}

/** True when strings are compared byte by byte: no collation, or the locale `simple`. */
export function isSimple(c: Collation | undefined): c is undefined {
  return c === undefined || c.locale === 'simple';
}

/** Order of two strings under a collation. */
export function compareWithCollation(a: string, b: string, c: Collation): number {
  return Math.sign(collatorFor(c).compare(a, b));
}

// Characters that collation skips altogether, at every strength: controls without a width, formats, the byte order mark.
const IGNORED = /(?![\t-\r])\p{Cc}|\p{Cf}/gu;

/**
 * A key for index entries of a collated index. Strings that the collation holds equal have the same key; the reverse is
 * nearly but not always so, therefore candidates are checked again with `compareValues`. Keys do not sort as the
 * collation does.
 */
export function collationKey(text: string, c: Collation): string {
  if (isSimple(c)) return text;
  const strength = c.strength ?? 3;
  if (strength >= 3) return text.normalize('NFKD').replace(IGNORED, '');
  const folded = text
    .normalize('NFKD')
    .toLowerCase()
    .normalize('NFKD')
    .replace(/ß/g, 'ss')
    .replace(IGNORED, '');
  return strength === 2 ? folded : folded.replace(/\p{M}/gu, '');
}
