import { EngineError } from '../../errors.ts';
import { toAutomaton } from './automaton.ts';
import { parsePattern } from './parse.ts';
import type { Pattern } from './syntax.ts';
import { toRegExp } from './to-js.ts';

/** How an expression may behave when it is matched by trying one alternative after the other. */
interface Shape {
  /** Pieces of variable length: each may multiply the work by the length of the text. */
  variable: number;
  /** Product of the numbers of alternatives. */
  choices: number;
  /** A variable repetition of something variable: the work may double with each character. */
  nested: boolean;
  /** Look-around or a back reference, which an automaton cannot do. */
  needsBacktracking: boolean;
}

const FLAT: Shape = { variable: 0, choices: 1, nested: false, needsBacktracking: false };
const MAX_CHOICES = 1e9;
/** Steps that trying may take before an expression is given to the automaton, or refused if that cannot run it. */
const CHEAP = 1e6;
const AFFORDABLE = 1e8;

function join(shapes: Shape[]): Shape {
  return shapes.reduce(
    (a, b) => ({
      variable: a.variable + b.variable,
      choices: Math.min(a.choices * b.choices, MAX_CHOICES),
      nested: a.nested || b.nested,
      needsBacktracking: a.needsBacktracking || b.needsBacktracking,
    }),
    FLAT,
  );
}

function shapeOf(p: Pattern): Shape {
  switch (p.kind) {
    case 'sequence':
      return join(p.items.map(shapeOf));
    case 'choice': {
      const joined = join(p.items.map(shapeOf));
      return { ...joined, choices: Math.min(joined.choices * p.items.length, MAX_CHOICES) };
    }
    case 'repeat': {
      const body = shapeOf(p.body);
      const inner = body.variable > 0 || body.choices > 1;
      return {
        ...body,
        variable: body.variable + (p.min === p.max ? 0 : 1),
        nested: body.nested || (p.max > 1 && inner),
      };
    }
    case 'group':
      return shapeOf(p.body);
    case 'look':
      return { ...shapeOf(p.body), needsBacktracking: true };
    case 'back-reference':
      return { ...FLAT, variable: 1, needsBacktracking: true };
    default:
      return FLAT;
  }
}

function costOf(shape: Shape, length: number): number {
  return shape.nested ? 2 ** Math.min(length, 1000) : (length + 1) ** (shape.variable + 1) * shape.choices;
}

/** A compiled regular expression. */
export interface Regex {
  /** Whether it matches anywhere in the text. */
  test(text: string): boolean;
  /** The first match at or after `from`, with its groups. */
  exec(text: string, from?: number): RegExpExecArray | null;
  /** How many capturing groups there are. */
  groups: number;
}

function tooExpensive(): EngineError {
  return new EngineError(
    51156,
    'Error occurred while executing the regular expression: match limit exceeded',
  );
}

/**
 * Compiles a PCRE expression. Matching never runs away: what could take long by backtracking is matched by an automaton
 * in linear time, and what needs backtracking and is too expensive for the text at hand is refused.
 * @throws EngineError 51091 for an invalid or unsupported expression, 51108 for an unknown option
 */
export function compileRegex(source: string, options: string): Regex {
  if (source.includes('\0')) {
    throw new EngineError('BadValue', 'Regular expression cannot contain an embedded null byte');
  }
  const parsed = parsePattern(source, options);
  const shape = shapeOf(parsed.pattern);
  const regExp = toRegExp(parsed);
  const sticky = new RegExp(regExp.source, `${regExp.flags}g`);
  let automaton: ((text: string) => boolean) | undefined;
  return {
    groups: parsed.groups,
    test(text) {
      const cost = costOf(shape, text.length);
      if (cost <= CHEAP) return regExp.test(text);
      if (shape.needsBacktracking) {
        if (cost > AFFORDABLE) throw tooExpensive();
        return regExp.test(text);
      }
      if (shape.variable === 0 && shape.choices === 1) return regExp.test(text);
      automaton ??= toAutomaton(parsed);
      return automaton(text);
    },
    exec(text, from = 0) {
      if (costOf(shape, text.length) > AFFORDABLE) throw tooExpensive();
      sticky.lastIndex = from;
      return sticky.exec(text);
    },
  };
}
