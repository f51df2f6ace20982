import { EngineError } from '../../errors.ts';
import { isWordCode, type Anchor, type CharSet, type Parsed, type Pattern } from './syntax.ts';

/** One step of the program; numbers are positions in it. */
type Step =
  | { op: 'char'; accepts: (code: number) => boolean }
  | { op: 'anchor'; anchor: Anchor }
  | { op: 'split'; a: number; b: number }
  | { op: 'match' };

const MAX_STEPS = 20_000;

function fold(code: number): number {
  const ch = String.fromCodePoint(code);
  const upper = ch.toUpperCase();
  const lower = ([...upper].length === 1 ? upper : ch).toLowerCase();
  return [...lower].length === 1 ? (lower.codePointAt(0) as number) : code;
}

function inSet(set: CharSet): (code: number) => boolean {
  const properties = set.properties.map((name) =>
    name.startsWith('^') ? new RegExp(`\\P{${name.slice(1)}}`, 'u') : new RegExp(`\\p{${name}}`, 'u'),
  );
  return (code) =>
    set.ranges.some(([low, high]) => code >= low && code <= high) ||
    (properties.length > 0 && properties.some((p) => p.test(String.fromCodePoint(code))));
}

function variantsOf(code: number): number[] {
  const ch = String.fromCodePoint(code);
  const all = [ch, ch.toLowerCase(), ch.toUpperCase()].filter((text) => [...text].length === 1);
  return [...all.map((text) => text.codePointAt(0) as number), fold(code)];
}

function setAcceptor(set: CharSet, ignoreCase: boolean): (code: number) => boolean {
  const has = inSet(set);
  if (!ignoreCase) return set.negated ? (code) => !has(code) : has;
  return (code) => variantsOf(code).some(has) !== set.negated;
}

function charAcceptor(wanted: number, ignoreCase: boolean): (code: number) => boolean {
  if (!ignoreCase) return (code) => code === wanted;
  const folded = fold(wanted);
  return (code) => code === wanted || fold(code) === folded;
}

/** Builds the program of a pattern without look-around and back references. */
class Assembler {
  readonly steps: Step[] = [];

  constructor(private readonly ignoreCase: boolean) {}

  private push(step: Step): number {
    if (this.steps.length >= MAX_STEPS) {
      throw new EngineError('InvalidRegex', 'Regular expression is invalid: regular expression is too large');
    }
    return this.steps.push(step) - 1;
  }

  private split(): { op: 'split'; a: number; b: number } {
    const step = { op: 'split' as const, a: this.steps.length + 1, b: 0 };
    this.push(step);
    return step;
  }

  private star(body: Pattern): void {
    const start = this.steps.length;
    const split = this.split();
    this.emit(body);
    this.push({ op: 'split', a: start, b: start });
    split.b = this.steps.length;
  }

  private repeat(p: Pattern & { kind: 'repeat' }): void {
    for (let i = 0; i < p.min; i++) this.emit(p.body);
    if (p.max === Infinity) return this.star(p.body);
    const splits: { b: number }[] = [];
    for (let i = p.min; i < p.max; i++) {
      splits.push(this.split());
      this.emit(p.body);
    }
    for (const split of splits) split.b = this.steps.length;
  }

  private choice(items: Pattern[]): void {
    const jumps: { a: number; b: number }[] = [];
    items.forEach((item, i) => {
      const split = i + 1 < items.length ? this.split() : undefined;
      this.emit(item);
      if (!split) return;
      const jump = { op: 'split' as const, a: 0, b: 0 };
      this.push(jump);
      jumps.push(jump);
      split.b = this.steps.length;
    });
    for (const jump of jumps) jump.a = jump.b = this.steps.length;
  }

  emit(p: Pattern): void {
    switch (p.kind) {
      case 'char':
        this.push({ op: 'char', accepts: charAcceptor(p.code, this.ignoreCase) });
        return;
      case 'set':
        this.push({ op: 'char', accepts: setAcceptor(p, this.ignoreCase) });
        return;
      case 'anchor':
        this.push({ op: 'anchor', anchor: p.anchor });
        return;
      case 'sequence':
        for (const item of p.items) this.emit(item);
        return;
      case 'choice':
        return this.choice(p.items);
      case 'repeat':
        return this.repeat(p);
      case 'group':
        return this.emit(p.body);
      default:
        throw new TypeError(`${p.kind} has no automaton`);
    }
  }
}

function anchorHolds(anchor: Anchor, codes: readonly number[], at: number): boolean {
  const atEnd = at === codes.length;
  switch (anchor) {
    case 'start':
      return at === 0;
    case 'line-start':
      return at === 0 || (codes[at - 1] === 10 && !atEnd);
    case 'end':
      return atEnd || (at === codes.length - 1 && codes[at] === 10);
    case 'line-end':
      return atEnd || codes[at] === 10;
    case 'very-end':
      return atEnd;
    case 'word':
      return isWordCode(codes[at - 1]) !== isWordCode(codes[at]);
    case 'not-word':
      return isWordCode(codes[at - 1]) === isWordCode(codes[at]);
  }
}

/** The places of the program that are alive at one position of the text. */
class Front {
  readonly list: number[] = [];
  private readonly stamps: Uint32Array;
  private stamp = 1;

  constructor(private readonly steps: readonly Step[]) {
    this.stamps = new Uint32Array(steps.length);
  }

  clear(): void {
    this.list.length = 0;
    this.stamp++;
  }

  /** Adds a place and all that follow it without taking a character; true when the end is among them. */
  add(place: number, codes: readonly number[], at: number): boolean {
    const pending = [place];
    while (pending.length > 0) {
      const next = pending.pop() as number;
      if (this.stamps[next] === this.stamp) continue;
      this.stamps[next] = this.stamp;
      const step = this.steps[next] as Step;
      if (step.op === 'match') return true;
      if (step.op === 'split') pending.push(step.b, step.a);
      else if (step.op === 'char') this.list.push(next);
      else if (anchorHolds(step.anchor, codes, at)) pending.push(next + 1);
    }
    return false;
  }
}

/**
 * A matcher that takes time proportional to text times pattern, whatever the expression: all alternatives advance side
 * by side. It tells whether there is a match, not where.
 */
export function toAutomaton(parsed: Parsed): (text: string) => boolean {
  const assembler = new Assembler(parsed.flags.ignoreCase);
  assembler.emit(parsed.pattern);
  const steps: Step[] = [...assembler.steps, { op: 'match' }];
  return (text) => {
    const codes = Array.from(text, (ch) => ch.codePointAt(0) as number);
    let now = new Front(steps);
    let then = new Front(steps);
    for (let at = 0; ; at++) {
      if (now.add(0, codes, at)) return true;
      if (at === codes.length) return false;
      then.clear();
      for (const place of now.list) {
        const step = steps[place] as Step;
        if (step.op === 'char' && step.accepts(codes[at] as number) && then.add(place + 1, codes, at + 1))
          return true;
      }
      [now, then] = [then, now];
    }
  };
}
