import { checkBudget } from '../budget.ts';
import { EngineError, unknownHere } from '../errors.ts';

/**
 * Regular expressions in the part of PCRE's notation that people type, matched by an automaton whose states are made as texts need them: the time is
 * proportional to the text whatever the expression, and an expression whose states do not fit a cache ends with an error
 * after a fixed number of steps, or with the time of its command. Look-around and back references, which no automaton can
 * do, are refused, as are POSIX classes, Unicode properties, inline flags and quoted stretches.
 */

const MAX_SOURCE = 32_764;
const MAX_NESTING = 200;
const MAX_REPEAT = 1000;
const MAX_PROGRAM = 20_000;
/** Numbers that the states kept for later may hold. */
const MAX_HELD = 1_000_000;
/** Steps of the program that one text may take beyond what is cached: less than a second. */
const MAX_WORK = 1e7;

function invalid(reason: string): EngineError {
  return new EngineError('InvalidRegex', `Regular expression is invalid: ${reason}`);
}

/** What an anchor asks of a position; `end` also holds before a last newline. */
type Anchor = 'start' | 'line-start' | 'end' | 'line-end' | 'word' | 'not-word';

/** One step of a program; numbers are positions in it. */
type Step =
  | { op: 'char'; accepts: RegExp }
  | { op: 'anchor'; anchor: Anchor }
  | { op: 'split'; a: number; b: number }
  | { op: 'match' };

/** Appends what a part of an expression means to a program. */
type Part = (program: Program) => void;

class Program {
  readonly steps: Step[] = [];

  push<S extends Step>(step: S): S {
    if (this.steps.length >= MAX_PROGRAM) throw invalid('regular expression is too large');
    this.steps.push(step);
    return step;
  }

  split(): { op: 'split'; a: number; b: number } {
    return this.push({ op: 'split', a: this.steps.length + 1, b: 0 });
  }
}

const sequence =
  (items: readonly Part[]): Part =>
  (program) => {
    for (const item of items) item(program);
  };

const choice =
  (items: readonly Part[]): Part =>
  (program) => {
    const jumps = items.map((item, i) => {
      if (i + 1 === items.length) return item(program);
      const split = program.split();
      item(program);
      const jump = program.push({ op: 'split', a: 0, b: 0 });
      split.b = program.steps.length;
      return jump;
    });
    for (const jump of jumps) if (jump) jump.a = jump.b = program.steps.length;
  };

const repeat =
  (body: Part, min: number, max: number): Part =>
  (program) => {
    for (let i = 0; i < min; i++) body(program);
    const start = program.steps.length;
    const splits: { b: number }[] = [];
    for (let i = min; i < (max === Infinity ? min + 1 : max); i++) {
      splits.push(program.split());
      body(program);
    }
    if (max === Infinity) program.push({ op: 'split', a: start, b: start });
    for (const split of splits) split.b = program.steps.length;
  };

const anchored =
  (anchor: Anchor): Part =>
  (program) =>
    void program.push({ op: 'anchor', anchor });

/** Bodies of JavaScript's classes for the class escapes; they know ASCII only, as PCRE without UCP does. */
const CLASSES: Record<string, string> = { d: '0-9', w: '0-9A-Za-z_', s: '\\t-\\r\\x20' };

const CONTROLS: Record<string, number> = { t: 9, n: 10, r: 13, f: 12 };
const ANCHORS: Record<string, Anchor> = { b: 'word', B: 'not-word' };

function own<T>(table: Record<string, T>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

function escaped(code: number): string {
  return `\\u{${code.toString(16)}}`;
}

interface Flags {
  ignoreCase: boolean;
  multiline: boolean;
  dotAll: boolean;
}

/** Recursive descent over the source of one expression. */
class Parser {
  private at = 0;
  private depth = 0;

  constructor(
    private readonly source: string,
    private readonly flags: Flags,
  ) {}

  parse(): Part {
    const part = this.choice();
    if (this.at < this.source.length) throw invalid('unmatched closing parenthesis');
    return part;
  }

  private get peek(): string {
    return this.source.charAt(this.at);
  }

  private next(): number {
    const code = this.source.codePointAt(this.at);
    if (code === undefined) throw invalid('\\ at end of pattern');
    this.at += code > 0xffff ? 2 : 1;
    return code;
  }

  private match(sticky: RegExp): RegExpExecArray | null {
    sticky.lastIndex = this.at;
    const found = sticky.exec(this.source);
    if (found) this.at += found[0].length;
    return found;
  }

  private choice(): Part {
    if (++this.depth > MAX_NESTING) throw invalid('parentheses are too deeply nested');
    const items = [this.sequence()];
    while (this.match(/\|/y)) items.push(this.sequence());
    this.depth--;
    return items.length === 1 ? (items[0] as Part) : choice(items);
  }

  private sequence(): Part {
    const items: Part[] = [];
    for (;;) {
      if (this.peek === '' || this.peek === '|' || this.peek === ')') return sequence(items);
      items.push(this.atom());
      this.quantify(items);
    }
  }

  private quantify(items: Part[]): void {
    const found = this.match(/(?:([*+?])|\{(\d{1,5})(?:(,)(\d{1,5})?)?\})([?+]?)/y);
    if (!found) return;
    const [, symbol, low, comma, high, suffix] = found;
    const body = items.pop();
    if (!body || suffix === '+')
      throw invalid('quantifier does not follow a repeatable item, or is possessive');
    const min = symbol ? (symbol === '+' ? 1 : 0) : Number(low);
    const max = symbol ? (symbol === '?' ? 1 : Infinity) : comma ? (high ? Number(high) : Infinity) : min;
    if (min > MAX_REPEAT || (max !== Infinity && max > MAX_REPEAT))
      throw invalid('number too big in {} quantifier');
    if (max < min) throw invalid('numbers out of order in {} quantifier');
    items.push(repeat(body, min, max));
    if (this.match(/(?=[*+?]|\{\d+(?:,\d*)?\})/y))
      throw invalid('quantifier does not follow a repeatable item');
  }

  private atom(): Part {
    const code = this.next();
    switch (String.fromCodePoint(code)) {
      case '(':
        return this.group();
      case '[':
        return this.accept(this.bracketed());
      case '.':
        return this.accept(this.flags.dotAll ? '[\\0-\\u{10ffff}]' : '[^\\n]');
      case '^':
        return anchored(this.flags.multiline ? 'line-start' : 'start');
      case '$':
        return anchored(this.flags.multiline ? 'line-end' : 'end');
      case '\\':
        return this.escape();
      case '*':
      case '+':
      case '?':
        throw invalid('quantifier does not follow a repeatable item');
      default:
        return this.char(code);
    }
  }

  private accept(source: string, ignoreCase = this.flags.ignoreCase): Part {
    const accepts = new RegExp(source, ignoreCase ? 'iv' : 'v');
    return (program) => void program.push({ op: 'char', accepts });
  }

  private char(code: number): Part {
    return this.accept(escaped(code));
  }

  private group(): Part {
    if (!this.match(/\?:/y) && /[?*]/.test(this.peek))
      throw invalid('look-around, named and other special groups are not supported by the embedded engine');
    const body = this.choice();
    if (!this.match(/\)/y)) throw invalid('missing closing parenthesis');
    return body;
  }

  private escape(): Part {
    const anchor = own(ANCHORS, this.peek);
    if (anchor) this.at++;
    if (anchor) return anchored(anchor);
    if (this.match(/[1-9]|[gk][<'{\d]/y))
      throw invalid('back references are not supported by the embedded engine');
    const set = this.classEscape();
    return set === undefined ? this.char(this.escapedCode()) : this.accept(set, false);
  }

  /** A class that stands for several characters, after its backslash. */
  private classEscape(): string | undefined {
    const body = own(CLASSES, this.peek.toLowerCase());
    return body && `[${this.source.charAt(this.at++) < 'a' ? '^' : ''}${body}]`;
  }

  /** The code point of what follows a backslash, when it stands for one character. */
  private escapedCode(): number {
    const number = this.match(/x([0-9a-fA-F]{2})/y);
    if (number) return parseInt(number[1] as string, 16);
    const code = this.next();
    const ch = String.fromCodePoint(code);
    const control = own(CONTROLS, ch);
    if (control === undefined && /[A-Za-z0-9]/.test(ch))
      throw invalid(`unrecognized or unsupported character follows \\: ${ch}`);
    return control ?? code;
  }

  /** A bracketed class as JavaScript's; the opening bracket has been read. */
  private bracketed(): string {
    let source = this.match(/\^/y) ? '[^' : '[';
    for (let first = true; first || this.peek !== ']'; first = false) {
      if (this.peek === '') throw invalid('missing terminating ] for character class');
      const low = this.classItem();
      if (typeof low === 'string' || !this.match(/-(?!\])/y)) {
        source += typeof low === 'string' ? low : escaped(low);
        continue;
      }
      const high = this.classItem();
      if (typeof high === 'string') source += `${escaped(low)}\\x2d${high}`;
      else if (high < low) throw invalid('range out of order in character class');
      else source += `${escaped(low)}-${escaped(high)}`;
    }
    this.at++;
    return `${source}]`;
  }

  /** One member of a class: a code point, or a class of its own. */
  private classItem(): number | string {
    if (this.match(/\[[:.=]/y)) throw invalid('POSIX classes are not supported by the embedded engine');
    if (!this.match(/\\/y)) return this.next();
    if (this.match(/b/y)) return 8;
    return this.classEscape() ?? this.escapedCode();
  }
}

const NEWLINE = 10;
/** What stands where a text is over. */
const END = -1;
/** A newline that is the last character: `$` holds before it. */
const LAST_NEWLINE = -2;
const WORD = /\w/;

const isWord = (symbol: number): boolean =>
  symbol >= 0 && symbol < 128 && WORD.test(String.fromCharCode(symbol));

function holds(anchor: Anchor, before: number, symbol: number): boolean {
  const isLast = symbol === END || symbol === LAST_NEWLINE;
  switch (anchor) {
    case 'start':
      return before === END;
    case 'line-start':
      return before === END || (before === NEWLINE && symbol !== END);
    case 'end':
      return isLast;
    case 'line-end':
      return isLast || symbol === NEWLINE;
    case 'word':
      return isWord(before) !== isWord(symbol);
    case 'not-word':
      return isWord(before) === isWord(symbol);
  }
}

/** All places of the program that are alive between two characters. */
interface State {
  places: readonly number[];
  /** The character before, as far as anchors tell characters apart; `END` at the beginning. */
  before: number;
  /** Where each character leads, as far as texts have asked; those of ASCII apart, because they are looked up fast. */
  ascii: (State | undefined)[];
  others: Map<number, State>;
}

function newState(places: readonly number[], before: number): State {
  return { places, before, ascii: new Array<State | undefined>(128), others: new Map() };
}

const MATCHED = newState([], END);

class Automaton {
  private states = new Map<string, State>();
  private held = 0;
  private readonly stamps: Uint32Array;
  private stamp = 0;
  private work = 0;

  constructor(private readonly steps: readonly Step[]) {
    this.stamps = new Uint32Array(steps.length);
  }

  test(text: string): boolean {
    this.work = 0;
    let state = this.stateOf([], END);
    for (let i = 0; i < text.length; i++) {
      let symbol = text.charCodeAt(i);
      if (symbol >= 0xd800) symbol = text.codePointAt(i) as number;
      if (symbol > 0xffff) i++;
      if (symbol === NEWLINE && i === text.length - 1) symbol = LAST_NEWLINE;
      state =
        (symbol >= 0 && symbol < 128 ? state.ascii[symbol] : state.others.get(symbol)) ??
        this.advance(state, symbol);
      if (state === MATCHED) return true;
    }
    return (state.others.get(END) ?? this.advance(state, END)) === MATCHED;
  }

  private stateOf(places: readonly number[], before: number): State {
    const key = `${before}:${places.join()}`;
    let state = this.states.get(key);
    if (!state) {
      this.states.set(key, (state = newState(places, before)));
      this.held += 128 + places.length;
    }
    return state;
  }

  private advance(state: State, symbol: number): State {
    if (this.work > MAX_WORK)
      throw new EngineError(
        51156,
        'Error occurred while executing the regular expression: match limit exceeded',
      );
    this.held += 10;
    // A new state is where the time goes: what is cached costs no more than a look at the text.
    checkBudget();
    if (this.held > MAX_HELD) {
      this.held = 0;
      this.states = new Map();
      state = newState(state.places, state.before);
    }
    const next = this.step(state, symbol);
    if (symbol >= 0 && symbol < 128) state.ascii[symbol] = next;
    else state.others.set(symbol, next);
    return next;
  }

  /** Follows what takes no character, looks for the end, and then takes the character. */
  private step({ places, before }: State, symbol: number): State {
    const reached = new Set<number>();
    const ch = symbol === END ? '' : String.fromCodePoint(symbol === LAST_NEWLINE ? NEWLINE : symbol);
    // An expression may match anywhere: it begins anew at each character.
    const pending = [...places, 0];
    this.stamp++;
    for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
      if (this.stamps[place] === this.stamp) continue;
      this.stamps[place] = this.stamp;
      this.work++;
      const step = this.steps[place] as Step;
      if (step.op === 'match') return MATCHED;
      if (step.op === 'split') pending.push(step.b, step.a);
      else if (step.op === 'anchor') {
        if (holds(step.anchor, before, symbol)) pending.push(place + 1);
      } else if (ch !== '' && step.accepts.test(ch)) reached.add(place + 1);
    }
    const kind = isWord(symbol) ? 'w'.charCodeAt(0) : symbol === LAST_NEWLINE ? NEWLINE : symbol;
    return this.stateOf(
      [...reached].sort((a, b) => a - b),
      kind === NEWLINE || isWord(kind) ? kind : 0,
    );
  }
}

/** A compiled regular expression. */
export interface Regex {
  /** Whether it matches anywhere in the text. @throws EngineError 51156 when that takes too long */
  test(text: string): boolean;
}

/**
 * Compiles a PCRE expression.
 * @throws EngineError 51091 for an invalid or unsupported expression, 51108 for an unknown option
 */
export function compileRegex(source: string, options: string): Regex {
  if (source.includes('\0'))
    throw new EngineError('BadValue', 'Regular expression cannot contain an embedded null byte');
  if (source.length > MAX_SOURCE) throw invalid('regular expression is too large');
  for (const letter of options)
    if (!'imsu'.includes(letter)) throw unknownHere(51108, `invalid flag in regex options: ${letter}`);
  const [ignoreCase, multiline, dotAll] = ['i', 'm', 's'].map((letter) => options.includes(letter)) as [
    boolean,
    boolean,
    boolean,
  ];
  const part = new Parser(source, { ignoreCase, multiline, dotAll }).parse();
  const program = new Program();
  part(program);
  program.push({ op: 'match' });
  return new Automaton(program.steps);
}
