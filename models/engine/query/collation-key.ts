import { unsupported } from '../errors.ts';
import { collatorFor, isSimple, type Collation } from './collation.ts';

/** What a character stands for in keys: the first of all that the collation holds equal to it. */
interface Alphabet {
  collator: Intl.Collator;
  ascii: readonly string[];
  /** For all other characters, made when the first one is met; those that stand for themselves are not in it. */
  others: ReadonlyMap<string, string> | undefined;
}

const alphabets = new Map<Intl.Collator, Alphabet>();

const ASCII = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));
const LETTERS = ASCII.filter((ch) => /[A-Za-z]/.test(ch));
const MARKS = Array.from({ length: 0x70 }, (_, i) => String.fromCharCode(0x300 + i));

function standIns(collator: Intl.Collator, characters: readonly string[]): string[] {
  return characters.map((ch) => {
    if (collator.compare(ch, '') === 0) return '';
    return characters.find((other) => collator.compare(other, ch) === 0) ?? ch;
  });
}

function alphabetOf(collator: Intl.Collator): Alphabet {
  let alphabet = alphabets.get(collator);
  if (!alphabet) {
    alphabet = { collator, ascii: standIns(collator, ASCII), others: undefined };
    alphabets.set(collator, alphabet);
  }
  return alphabet;
}

/** All assigned characters, and letters with marks and pairs of letters, which single characters may equal. */
function allTexts(): string[] {
  const texts: string[] = [];
  for (let code = 0; code < 0x30000; code++) {
    if (code >= 0xd800 && code < 0xe000) continue;
    const ch = String.fromCodePoint(code);
    if (!/[\p{Cn}\p{Co}]/u.test(ch)) texts.push(ch);
  }
  for (const letter of LETTERS) {
    for (const mark of MARKS) texts.push(letter + mark);
    for (const other of LETTERS) texts.push(letter + other);
  }
  return texts;
}

function isSingle(text: string): boolean {
  return text.length === 1 || (text.length === 2 && text.codePointAt(0) !== text.charCodeAt(0));
}

function shortest(texts: readonly string[]): string {
  const code = (text: string): number => text.codePointAt(0) as number;
  const first = (list: readonly string[]): string | undefined =>
    list.length === 0 ? undefined : list.reduce((a, b) => (code(b) < code(a) ? b : a));
  const ascii = texts.filter((text) => text.length === 1 && code(text) < 128);
  return first(ascii) ?? first(texts.filter((text) => !isSingle(text))) ?? (first(texts) as string);
}

/** Sorting everything once brings equal texts together; it takes a fraction of a second. */
function groupEqual(collator: Intl.Collator): Map<string, string> {
  const sorted = allTexts().sort(collator.compare);
  const found = new Map<string, string>();
  for (let start = 0; start < sorted.length;) {
    let end = start + 1;
    while (end < sorted.length && collator.compare(sorted[start] as string, sorted[end] as string) === 0)
      end++;
    const group = sorted.slice(start, end);
    const standIn = collator.compare(group[0] as string, '') === 0 ? '' : shortest(group);
    for (const text of group) if (isSingle(text) && text !== standIn) found.set(text, standIn);
    start = end;
  }
  return found;
}

/** Characters that equal several others are taken apart, as far as Unicode says how. */
function partsOf(ch: string, collator: Intl.Collator): string {
  for (const candidate of [ch.normalize('NFKD'), ch.toUpperCase(), ch.toLowerCase()]) {
    if (candidate !== ch && [...candidate].length > 1 && collator.compare(candidate, ch) === 0)
      return candidate;
  }
  return ch;
}

function standInOf(ch: string, alphabet: Alphabet, depth = 0): string {
  const code = ch.charCodeAt(0);
  if (ch.length === 1 && code < 128) return alphabet.ascii[code] as string;
  const others = (alphabet.others ??= groupEqual(alphabet.collator));
  const standIn = others.get(ch) ?? partsOf(ch, alphabet.collator);
  if (standIn === ch || standIn === '' || depth > 3) return standIn;
  return keyFrom(standIn, alphabet, depth + 1);
}

function keyFrom(text: string, alphabet: Alphabet, depth = 0): string {
  let key = '';
  for (const ch of text.normalize('NFD')) key += standInOf(ch, alphabet, depth);
  return key;
}

function isEnglish(c: Collation): boolean {
  return /^en(?:[_-]|$)/i.test(c.locale);
}

/** Whether {@link collationKey} can make keys for a collation. */
export function hasKeys(c: Collation): boolean {
  return isSimple(c) || (isEnglish(c) && !c.numericOrdering);
}

/**
 * A key for entries of a collated index. Strings that the collation holds equal have the same key, and nearly always the
 * other way round; candidates are therefore checked again with `compareValues`. Keys do not sort as the collation does.
 * @throws EngineError CommandNotSupported for a locale other than English, and for `numericOrdering`
 */
export function collationKey(text: string, c: Collation): string {
  if (isSimple(c)) return text;
  if (!isEnglish(c)) throw unsupported(`an index with the collation locale '${c.locale}'`);
  if (c.numericOrdering) throw unsupported('an index with the collation option numericOrdering');
  return keyFrom(text, alphabetOf(collatorFor(c)));
}
