import { EngineError } from '../../errors.ts';
import { parseClass, parseEscapedCode, parseProperty } from './parse-class.ts';
import { Scanner } from './scanner.ts';
import {
  CLASS_ESCAPES,
  charSet,
  complement,
  type Anchor,
  type Flags,
  type Parsed,
  type Pattern,
} from './syntax.ts';

const MAX_REPEAT = 1000;
const MAX_NESTING = 200;
const ANCHORS = new Map<string, Anchor>([
  ['A', 'start'],
  ['z', 'very-end'],
  ['Z', 'end'],
  ['b', 'word'],
  ['B', 'not-word'],
]);

function invalid(reason: string): EngineError {
  return new EngineError('InvalidRegex', `Regular expression is invalid: ${reason}`);
}

/** Recursive descent over one expression. */
class Parser {
  private groups = 0;
  private depth = 0;
  private readonly names = new Set<string>();
  private readonly references: (string | number)[] = [];

  constructor(
    private readonly in_: Scanner,
    private readonly flags: Flags,
  ) {}

  parse(): Parsed {
    this.leadingFlags();
    const pattern = this.choice();
    if (!this.in_.done) throw invalid('unmatched closing parenthesis');
    for (const to of this.references) {
      if (typeof to === 'number' ? to > this.groups : !this.names.has(to)) {
        throw invalid('reference to non-existent subpattern');
      }
    }
    return { pattern, flags: this.flags, groups: this.groups };
  }

  private leadingFlags(): void {
    const found = this.in_.match(/\(\?([imsx]+)\)/y);
    if (!found) return;
    const letters = found[1] as string;
    this.flags.ignoreCase ||= letters.includes('i');
    this.flags.multiline ||= letters.includes('m');
    this.flags.dotAll ||= letters.includes('s');
    this.flags.extended ||= letters.includes('x');
  }

  private choice(): Pattern {
    if (++this.depth > MAX_NESTING) throw invalid('parentheses are too deeply nested');
    const items = [this.sequence()];
    while (this.in_.eat('|')) items.push(this.sequence());
    this.depth--;
    return items.length === 1 ? (items[0] as Pattern) : { kind: 'choice', items };
  }

  private skipExtended(): void {
    while (this.flags.extended && this.in_.match(/[\t-\r ]+|#[^\n]*(?:\n|$)/y));
  }

  private sequence(): Pattern {
    const items: Pattern[] = [];
    for (;;) {
      this.skipExtended();
      if (this.in_.done || this.in_.peek === '|' || this.in_.peek === ')') break;
      if (this.in_.match(/\(\?#[^)]*\)/y)) continue;
      const literal = this.in_.match(/\\Q([\s\S]*?)(?:\\E|$)/y);
      if (literal)
        for (const ch of literal[1] as string)
          items.push({ kind: 'char', code: ch.codePointAt(0) as number });
      else items.push(this.atom());
      this.quantify(items);
    }
    return items.length === 1 ? (items[0] as Pattern) : { kind: 'sequence', items };
  }

  private quantify(items: Pattern[]): void {
    this.skipExtended();
    const found = this.in_.match(/(?:([*+?])|\{(\d{1,5})(?:(,)(\d{1,5})?)?\})([?+]?)/y);
    if (!found) return;
    const [, symbol, low, comma, high, suffix] = found;
    if (suffix === '+') throw invalid('possessive quantifiers are not supported');
    const body = items.pop();
    if (!body) throw invalid('quantifier does not follow a repeatable item');
    const min = symbol ? (symbol === '+' ? 1 : 0) : Number(low);
    const max = symbol ? (symbol === '?' ? 1 : Infinity) : comma ? (high ? Number(high) : Infinity) : min;
    if (min > MAX_REPEAT || (max !== Infinity && max > MAX_REPEAT))
      throw invalid('number too big in {} quantifier');
    if (max < min) throw invalid('numbers out of order in {} quantifier');
    items.push({ kind: 'repeat', min, max, lazy: suffix === '?', body });
    if (this.in_.match(/(?=[*+?]|\{\d+(?:,\d*)?\})/y))
      throw invalid('quantifier does not follow a repeatable item');
  }

  private atom(): Pattern {
    const ch = this.in_.next();
    switch (ch) {
      case '(':
        return this.group();
      case '[':
        return parseClass(this.in_);
      case '.':
        return charSet(this.flags.dotAll ? complement([]) : complement([[10, 10]]));
      case '^':
        return { kind: 'anchor', anchor: this.flags.multiline ? 'line-start' : 'start' };
      case '$':
        return { kind: 'anchor', anchor: this.flags.multiline ? 'line-end' : 'end' };
      case '\\':
        return this.escape();
      case '*':
      case '+':
      case '?':
        throw invalid('quantifier does not follow a repeatable item');
      default:
        return { kind: 'char', code: ch.codePointAt(0) as number };
    }
  }

  private escape(): Pattern {
    if (this.in_.done) throw invalid('\\ at end of pattern');
    const next = this.in_.peek;
    const ranges = CLASS_ESCAPES.get(next);
    const anchor = ANCHORS.get(next);
    if (ranges || anchor) this.in_.next();
    if (ranges) return charSet(ranges);
    if (anchor) return { kind: 'anchor', anchor };
    const property = parseProperty(this.in_);
    if (property !== undefined) return { kind: 'set', negated: false, ranges: [], properties: [property] };
    return this.backReference() ?? { kind: 'char', code: parseEscapedCode(this.in_) };
  }

  private backReference(): Pattern | undefined {
    const octal = this.in_.match(/([1-7][0-7]{1,2})/y);
    if (octal && Number(octal[1]) > this.groups)
      return { kind: 'char', code: parseInt(octal[1] as string, 8) };
    const numbered = octal ?? this.in_.match(/([1-9]\d?)|g([1-9]\d?)|g\{([1-9]\d?)\}/y);
    const named = numbered ?? this.in_.match(/k<(\w+)>|k'(\w+)'|k\{(\w+)\}|g\{(\w+)\}/y);
    if (!named) return undefined;
    const text = named.slice(1).find((part) => part !== undefined) as string;
    const to = numbered ? Number(text) : text;
    this.references.push(to);
    return { kind: 'back-reference', to };
  }

  private group(): Pattern {
    const look = this.in_.match(/\?(<?)([=!])/y);
    if (look)
      return { kind: 'look', ahead: look[1] === '', negated: look[2] === '!', body: this.groupBody() };
    if (this.in_.match(/\?:/y))
      return { kind: 'group', captures: false, name: undefined, body: this.groupBody() };
    const named = this.in_.match(/\?P?<([A-Za-z_]\w*)>|\?'([A-Za-z_]\w*)'/y);
    const reference = named ? null : this.in_.match(/\?P=(\w+)\)/y);
    if (reference) {
      this.references.push(reference[1] as string);
      return { kind: 'back-reference', to: reference[1] as string };
    }
    if (!named && (this.in_.peek === '?' || this.in_.peek === '*')) {
      throw invalid('this kind of group is not supported');
    }
    const name = named?.[1] ?? named?.[2];
    if (name !== undefined && this.names.has(name)) throw invalid('two named subpatterns have the same name');
    if (name !== undefined) this.names.add(name);
    this.groups++;
    return { kind: 'group', captures: true, name, body: this.groupBody() };
  }

  private groupBody(): Pattern {
    const body = this.choice();
    if (!this.in_.eat(')')) throw invalid('missing closing parenthesis');
    return body;
  }
}

function flagsFrom(options: string): Flags {
  for (const letter of options) {
    if (!'imsxu'.includes(letter)) throw new EngineError(51108, `invalid flag in regex options: ${letter}`);
  }
  return {
    ignoreCase: options.includes('i'),
    multiline: options.includes('m'),
    dotAll: options.includes('s'),
    extended: options.includes('x'),
  };
}

/**
 * Reads a PCRE expression.
 * @throws EngineError 51091 for what is no expression or has no exact counterpart here, 51108 for an unknown option
 */
export function parsePattern(source: string, options: string): Parsed {
  return new Parser(new Scanner(source), flagsFrom(options)).parse();
}
