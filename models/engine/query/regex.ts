import { checkBudget } from '../budget.ts';
import { EngineError, unknownHere } from '../errors.ts';

/**
 * Simple regular expressions only: a sequence of characters, `.` and classes, between `^` and `$`. An expression
 * matches as many characters as it has parts, so a text can be searched in pieces, and neither a text nor an
 * expression can exceed the command's time limit. Repetition, alternatives and groups are refused.
 */

const MAX_PARTS = 500;
/** Characters searched before checking the time. */
const PIECE = 16_384;

function invalid(reason: string): EngineError {
  return new EngineError('InvalidRegex', `Regular expression is invalid: ${reason}`);
}

function unsupported(what: string): EngineError {
  return invalid(`${what} is not supported by the embedded engine`);
}

/** As JavaScript classes; ASCII only, as in PCRE without UCP. */
const CLASSES: Record<string, string> = {
  d: '[0-9]',
  D: '[^0-9]',
  s: '[\\t-\\r\\x20]',
  S: '[^\\t-\\r\\x20]',
};
const CONTROLS: Record<string, number> = { t: 9, n: 10, r: 13, f: 12 };

function escaped(code: number): string {
  return `\\u{${code.toString(16)}}`;
}

/** Reads the source of one expression from left to right. */
class Reader {
  private at = 0;

  constructor(private readonly source: string) {}

  get isOver(): boolean {
    return this.at >= this.source.length;
  }

  /** Skips this text if it comes next. @returns whether it did */
  passes(text: string): boolean {
    const isNext = this.source.startsWith(text, this.at);
    if (isNext) this.at += text.length;
    return isNext;
  }

  private next(): number {
    const code = this.source.codePointAt(this.at);
    if (code === undefined) throw invalid('it ends too early');
    this.at += code > 0xffff ? 2 : 1;
    return code;
  }

  /** The next part, which matches one character, in JavaScript's notation. */
  part(dotAll: boolean): string {
    const code = this.next();
    const ch = String.fromCodePoint(code);
    if (ch === '[') return this.bracketed();
    if (ch === '\\') return this.escape();
    if (ch === '.') return dotAll ? '[\\0-\\u{10ffff}]' : '[^\\n]';
    if ('()|*+?^$'.includes(ch) || (ch === '{' && /^\d/.test(this.source.slice(this.at))))
      throw unsupported(`'${ch}'`);
    return escaped(code);
  }

  private escape(): string {
    const member = this.escapedMember();
    return typeof member === 'string' ? member : escaped(member);
  }

  /** Reads an escape after its backslash: a class or a character. */
  private escapedMember(): string | number {
    const code = this.next();
    const ch = String.fromCodePoint(code);
    const known = CLASSES[ch] ?? CONTROLS[ch];
    if (known !== undefined) return known;
    if (/[A-Za-z0-9]/.test(ch)) throw unsupported(`\\${ch}`);
    return code;
  }

  /** A bracketed class; the opening bracket has been read. */
  private bracketed(): string {
    let source = this.passes('^') ? '[^' : '[';
    for (let isFirst = true; isFirst || !this.passes(']'); isFirst = false) {
      const low = this.member();
      if (typeof low === 'string') source += low;
      else if (this.source[this.at + 1] === ']' || !this.passes('-')) source += escaped(low);
      else {
        const high = this.member();
        if (typeof high === 'string' || high < low) throw invalid('range out of order in character class');
        source += `${escaped(low)}-${escaped(high)}`;
      }
    }
    return `${source}]`;
  }

  private member(): string | number {
    if (/^\[[:.=]/.test(this.source.slice(this.at, this.at + 2))) throw unsupported('a POSIX class');
    return this.passes('\\') ? this.escapedMember() : this.next();
  }
}

/** A compiled regular expression. */
export interface Regex {
  /** Whether it matches anywhere in the text. @throws EngineError 50 when the running command's time limit is exceeded */
  test(text: string): boolean;
}

/** Searches a text for a match of at most `longest` units. */
function isAnywhere(accepts: RegExp, text: string, longest: number): boolean {
  for (let from = 0; ;) {
    const to = from + PIECE;
    if (accepts.test(text.slice(from, to + longest))) return true;
    if (to >= text.length) return false;
    // Does not split a surrogate pair.
    const isCut = (text.charCodeAt(to) & 0xfc00) === 0xdc00;
    from = isCut ? to - 1 : to;
    checkBudget();
  }
}

/**
 * Compiles an expression in PCRE notation.
 * @throws EngineError 51091 for an invalid or unsupported expression, 51108 for an unknown option
 */
export function compileRegex(source: string, options: string): Regex {
  if (source.includes('\0'))
    throw new EngineError('BadValue', 'Regular expression cannot contain an embedded null byte');
  for (const letter of options)
    if (!'isu'.includes(letter)) throw unknownHere(51108, `invalid flag in regex options: ${letter}`);
  const reader = new Reader(source);
  const atStart = reader.passes('^');
  const parts: string[] = [];
  let atEnd = false;
  while (!reader.isOver && !atEnd) {
    if (reader.passes('$')) atEnd = true;
    else parts.push(reader.part(options.includes('s')));
  }
  if (!reader.isOver) throw unsupported('what follows a $');
  if (parts.length > MAX_PARTS) throw invalid('regular expression is too large');
  // `$` also matches before a final newline.
  const whole = `${atStart ? '^' : ''}${parts.join('')}${atEnd ? '(?=\\n?$)' : ''}`;
  const accepts = new RegExp(whole, options.includes('i') ? 'iv' : 'v');
  const longest = 2 * parts.length;
  return {
    test(text) {
      if (atEnd) return (!atStart || text.length <= longest + 1) && accepts.test(text.slice(-longest - 1));
      return atStart ? accepts.test(text.slice(0, longest)) : isAnywhere(accepts, text, longest);
    },
  };
}
