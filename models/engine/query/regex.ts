import { checkBudget } from '../budget.ts';
import { EngineError, unknownHere } from '../errors.ts';

/**
 * Regular expressions of the simplest kind: characters, `.` and classes, one after the other, between `^` and `$`. One
 * matches as many characters as it has parts, so that a text is looked through a piece at a time and no text and no
 * expression takes longer than its command may. What repeats, chooses or groups is refused.
 */

const MAX_PARTS = 500;
/** So many characters of a text are looked through before the time is looked at. */
const PIECE = 16_384;

function invalid(reason: string): EngineError {
  return new EngineError('InvalidRegex', `Regular expression is invalid: ${reason}`);
}

function unsupported(what: string): EngineError {
  return invalid(`${what} is not supported by the embedded engine`);
}

/** As JavaScript's classes; they know ASCII only, as PCRE without UCP does. */
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

  /** Whether this comes next; then it is passed over. */
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

  /** The next part, which stands for one character, as JavaScript writes it. */
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

  /** What a backslash stands for together with what follows: a class or a character. */
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
  /** Whether it matches anywhere in the text. @throws EngineError 50 when the time of the running command is over */
  test(text: string): boolean;
}

/** Looks for something of at most `longest` units anywhere in a text. */
function isAnywhere(accepts: RegExp, text: string, longest: number): boolean {
  for (let from = 0; ;) {
    const to = from + PIECE;
    if (accepts.test(text.slice(from, to + longest))) return true;
    if (to >= text.length) return false;
    // A character of two units is not cut.
    const isCut = (text.charCodeAt(to) & 0xfc00) === 0xdc00;
    from = isCut ? to - 1 : to;
    checkBudget();
  }
}

/**
 * Compiles an expression in the notation of PCRE.
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
  // The end is also before a last newline.
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
