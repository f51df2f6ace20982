/** A set of code points: ranges and Unicode properties, or everything else when negated. */
export interface CharSet {
  kind: 'set';
  negated: boolean;
  ranges: [number, number][];
  /** Bodies of `\p{…}` in JavaScript's spelling; a leading `^` negates one. */
  properties: string[];
}

/** What an anchor asks of a position; `end` also holds before a last newline. */
export type Anchor = 'start' | 'line-start' | 'end' | 'line-end' | 'very-end' | 'word' | 'not-word';

/** The syntax tree of a regular expression; only what can be matched as PCRE would. */
export type Pattern =
  | CharSet
  | { kind: 'char'; code: number }
  | { kind: 'anchor'; anchor: Anchor }
  | { kind: 'sequence'; items: Pattern[] }
  | { kind: 'choice'; items: Pattern[] }
  | { kind: 'repeat'; min: number; max: number; lazy: boolean; body: Pattern }
  | { kind: 'group'; name: string | undefined; captures: boolean; body: Pattern }
  | { kind: 'look'; ahead: boolean; negated: boolean; body: Pattern }
  | { kind: 'back-reference'; to: string | number };

/** The options a regular expression has: `i`, `m`, `s`, `x` (and `u`, which is always on). */
export interface Flags {
  ignoreCase: boolean;
  multiline: boolean;
  dotAll: boolean;
  extended: boolean;
}

/** What a regular expression means once read. */
export interface Parsed {
  pattern: Pattern;
  flags: Flags;
  /** How many capturing groups there are. */
  groups: number;
}

/** The greatest code point. */
export const MAX_CODE = 0x10ffff;

/** A set of ranges without properties. */
export function charSet(ranges: [number, number][], negated = false): CharSet {
  return { kind: 'set', negated, ranges, properties: [] };
}

/** The ranges of everything outside of sorted, separate ranges. */
export function complement(ranges: readonly [number, number][]): [number, number][] {
  const result: [number, number][] = [];
  let next = 0;
  for (const [low, high] of ranges) {
    if (low > next) result.push([next, low - 1]);
    next = high + 1;
  }
  if (next <= MAX_CODE) result.push([next, MAX_CODE]);
  return result;
}

const DIGIT: [number, number][] = [[48, 57]];
const WORD: [number, number][] = [
  [48, 57],
  [65, 90],
  [95, 95],
  [97, 122],
];
const SPACE: [number, number][] = [
  [9, 13],
  [32, 32],
];
const HORIZONTAL: [number, number][] = [
  [9, 9],
  [32, 32],
  [160, 160],
  [0x1680, 0x1680],
  [0x180e, 0x180e],
  [0x2000, 0x200a],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
];
const VERTICAL: [number, number][] = [
  [10, 13],
  [0x85, 0x85],
  [0x2028, 0x2029],
];
const ALL_BUT_NEWLINE = complement([[10, 10]]);

/** What the class escapes stand for; they know ASCII only, as PCRE without UCP does. */
export const CLASS_ESCAPES: ReadonlyMap<string, [number, number][]> = new Map([
  ['d', DIGIT],
  ['D', complement(DIGIT)],
  ['w', WORD],
  ['W', complement(WORD)],
  ['s', SPACE],
  ['S', complement(SPACE)],
  ['h', HORIZONTAL],
  ['H', complement(HORIZONTAL)],
  ['v', VERTICAL],
  ['V', complement(VERTICAL)],
  ['N', ALL_BUT_NEWLINE],
]);

/** The POSIX class names, as in `[[:alpha:]]`. */
export const POSIX_CLASSES: ReadonlyMap<string, [number, number][]> = new Map<string, [number, number][]>([
  [
    'alpha',
    [
      [65, 90],
      [97, 122],
    ],
  ],
  ['digit', DIGIT],
  [
    'alnum',
    [
      [48, 57],
      [65, 90],
      [97, 122],
    ],
  ],
  ['upper', [[65, 90]]],
  ['lower', [[97, 122]]],
  ['space', SPACE],
  [
    'blank',
    [
      [9, 9],
      [32, 32],
    ],
  ],
  [
    'punct',
    [
      [33, 47],
      [58, 64],
      [91, 96],
      [123, 126],
    ],
  ],
  [
    'xdigit',
    [
      [48, 57],
      [65, 70],
      [97, 102],
    ],
  ],
  ['word', WORD],
  ['print', [[32, 126]]],
  ['graph', [[33, 126]]],
  [
    'cntrl',
    [
      [0, 31],
      [127, 127],
    ],
  ],
  ['ascii', [[0, 127]]],
]);

/** The code points of escapes for control characters. */
export const CONTROL_ESCAPES: ReadonlyMap<string, number> = new Map([
  ['t', 9],
  ['n', 10],
  ['r', 13],
  ['f', 12],
  ['a', 7],
  ['e', 27],
]);

/** True for what `\w` matches; false beyond the ends of a text. */
export function isWordCode(code: number | undefined): boolean {
  return code !== undefined && WORD.some(([low, high]) => code >= low && code <= high);
}
