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

/** ICU's name of a locale (`zh_Hant`, `de@collation=phonebook`) as a language tag. */
function tagOf(locale: string): string {
  return locale.replace(/@collation=(\w+)$/, '-u-co-$1').replaceAll('_', '-');
}

function makeCollator(c: Collation): Intl.Collator {
  try {
    const collator = new Intl.Collator(tagOf(c.locale), {
      sensitivity: sensitivity(c),
      numeric: c.numericOrdering ?? false,
    });
    const language = tagOf(c.locale).split('-')[0]?.toLowerCase();
    if (collator.resolvedOptions().locale.split('-')[0] === language) return collator;
  } catch {
    // An ill-formed tag; answered like a locale that does not exist.
  }
  throw new EngineError('BadValue', `Field 'locale' is invalid in: { locale: "${c.locale}" }`);
}

/**
 * The collator of a collation.
 * @throws EngineError BadValue for a locale there is none for
 */
export function collatorFor(c: Collation): Intl.Collator {
  const key = `${c.locale}|${sensitivity(c)}|${c.numericOrdering ?? false}`;
  let collator = cache.get(key);
  if (!collator) {
    if (cache.size > 100) cache.clear();
    cache.set(key, (collator = makeCollator(c)));
  }
  return collator;
}

/** True when strings are compared byte by byte: no collation, or the locale `simple`. */
export function isSimple(c: Collation | undefined): boolean {
  return c === undefined || c.locale === 'simple';
}

/** Order of two strings under a collation. */
export function compareWithCollation(a: string, b: string, c: Collation): number {
  return Math.sign(collatorFor(c).compare(a, b));
}
