import { EngineError } from '../../errors.ts';
import type { Scanner } from './scanner.ts';
import {
  CLASS_ESCAPES,
  CONTROL_ESCAPES,
  MAX_CODE,
  POSIX_CLASSES,
  complement,
  type CharSet,
} from './syntax.ts';

function invalid(reason: string): EngineError {
  return new EngineError('InvalidRegex', `Regular expression is invalid: ${reason}`);
}

function validCode(code: number): number {
  if (Number.isNaN(code) || code > MAX_CODE) throw invalid('character code point value is too large');
  return code;
}

/** The code point of what follows a backslash, when it stands for one character. */
export function parseEscapedCode(input: Scanner): number {
  const hex = input.match(/x\{([0-9a-fA-F]{1,8})\}|x([0-9a-fA-F]{0,2})/y);
  if (hex) return validCode(parseInt(hex[1] ?? (hex[2] || '0'), 16));
  const octal = input.match(/o\{([0-7]{1,8})\}|(0[0-7]{0,2})/y);
  if (octal) return validCode(parseInt((octal[1] ?? octal[2]) as string, 8));
  const control = input.match(/c([\x20-\x7e])/y);
  if (control) return (control[1] as string).toUpperCase().charCodeAt(0) ^ 64;
  if (input.done) throw invalid('\\ at end of pattern');
  const ch = input.next();
  const known = CONTROL_ESCAPES.get(ch);
  if (known !== undefined) return known;
  if (/[A-Za-z0-9]/.test(ch)) throw invalid(`unrecognized or unsupported character follows \\: ${ch}`);
  return ch.codePointAt(0) as number;
}

function isProperty(name: string): boolean {
  try {
    return new RegExp(`\\p{${name}}`, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}

/** A Unicode property after a backslash, in JavaScript's spelling with `^` for a negation. */
export function parseProperty(input: Scanner): string | undefined {
  const found = input.match(/([pP])(?:\{(\^?)(\w+)\}|(\w))/y);
  if (!found) return undefined;
  const [, letter, caret, long, short] = found;
  const name = (long ?? short) as string;
  const spelling = name === 'L' || isProperty(name) ? name : `Script=${name}`;
  if (!isProperty(spelling)) throw invalid('unknown property name after \\P or \\p');
  const negated = (letter === 'P') !== (caret === '^');
  return negated ? `^${spelling}` : spelling;
}

function posixRanges(negated: boolean, name: string): [number, number][] {
  const ranges = POSIX_CLASSES.get(name);
  if (!ranges) throw invalid('unknown POSIX class name');
  return negated ? complement(ranges) : ranges;
}

/** One member of a class: a code point, or ranges when it is a class itself. */
function classItem(input: Scanner, set: CharSet): number | undefined {
  const posix = input.match(/\[:(\^?)(\w+):\]/y);
  if (posix) {
    set.ranges.push(...posixRanges(posix[1] === '^', posix[2] as string));
    return undefined;
  }
  if (!input.eat('\\')) return input.next().codePointAt(0) as number;
  if (input.eat('b')) return 8;
  const ranges = CLASS_ESCAPES.get(input.peek);
  if (ranges) {
    input.next();
    set.ranges.push(...ranges);
    return undefined;
  }
  const property = parseProperty(input);
  if (property === undefined) return parseEscapedCode(input);
  set.properties.push(property);
  return undefined;
}

/** A bracketed class; the opening bracket has been read. */
export function parseClass(input: Scanner): CharSet {
  const set: CharSet = { kind: 'set', negated: input.eat('^'), ranges: [], properties: [] };
  let first = true;
  while (first || input.peek !== ']') {
    if (input.done) throw invalid('missing terminating ] for character class');
    first = false;
    const low = classItem(input, set);
    if (low === undefined) continue;
    if (input.match(/-(?!\])/y) === null) {
      set.ranges.push([low, low]);
      continue;
    }
    const high = classItem(input, set);
    if (high === undefined) set.ranges.push([low, low], [45, 45]);
    else if (high < low) throw invalid('range out of order in character class');
    else set.ranges.push([low, high]);
  }
  input.next();
  return set;
}
