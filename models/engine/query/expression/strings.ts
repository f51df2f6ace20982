import { truncateToLong } from '../../values/integers.ts';
import { showValue } from '../../values/show.ts';
import { isNumeric } from '../../values/types.ts';
import { compareStrings } from '../compare.ts';
import { int32Of, searchBound } from './arrays.ts';
import { compileArguments, namedArguments, valueOf, type ArgumentRules } from './named-arguments.ts';
import { coerceToText } from './text.ts';
import {
  binary,
  check,
  compileOperands,
  isNullish,
  nameOf,
  operators,
  several,
  unary,
  type Build,
} from './types.ts';

const concat: Build = (spec, c, op) => {
  const operands = compileOperands(op, spec, c, 0, Infinity);
  return (scope) => {
    let text = '';
    for (const operand of operands) {
      const value = operand(scope);
      if (isNullish(value)) return null;
      check(typeof value === 'string', 16702, () => `$concat only supports strings, not ${nameOf(value)}`);
      text += value;
    }
    return text;
  };
};

const toLower = (text: string): string => text.replace(/[A-Z]+/g, (s) => s.toLowerCase());
const toUpper = (text: string): string => text.replace(/[a-z]+/g, (s) => s.toUpperCase());

function split(text: unknown, separator: unknown): unknown {
  if (isNullish(text) || isNullish(separator)) return null;
  const wanted = (which: string, found: unknown) => (): string =>
    `$split requires an expression that evaluates to a string as a ${which} argument, found: ${nameOf(found)}`;
  check(typeof text === 'string', 40085, wanted('first', text));
  check(typeof separator === 'string', 40086, wanted('second', separator));
  check(separator !== '', 40087, () => '$split requires a non-empty separator');
  return text.split(separator);
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

const substrBytes: Build = several(3, 3, ([text, start, count]) => {
  const bytes = Buffer.from(coerceToText(text));
  const op = '$substrBytes';
  check(
    isNumeric(start),
    16034,
    () => `${op}:  starting index must be a numeric type (is BSON type ${nameOf(start)})`,
  );
  check(
    isNumeric(count),
    16035,
    () => `${op}:  length must be a numeric type (is BSON type ${nameOf(count)})`,
  );
  const from = Number(truncateToLong(start) ?? 0n);
  const length = Number(truncateToLong(count) ?? 0n);
  check(from >= 0, 50752, () => `${op}:  starting index must be non-negative (got: ${from})`);
  const to = length < 0 ? bytes.length : Math.min(bytes.length, from + length);
  check(
    !isContinuation(bytes[from]),
    28656,
    () => `${op}:  Invalid range, starting index is a UTF-8 continuation byte.`,
  );
  check(
    !isContinuation(bytes[to]),
    28657,
    () => `${op}:  Invalid range, ending index is in the middle of a UTF-8 character.`,
  );
  return bytes.toString('utf8', from, to);
});

function substrNumber(value: unknown, what: string, codes: [number, number]): number {
  check(
    isNumeric(value),
    codes[0],
    () => `$substrCP: ${what} must be a numeric type (is BSON type ${nameOf(value)})`,
  );
  const n = int32Of(value);
  check(
    n !== undefined,
    codes[1],
    () => `$substrCP: ${what} cannot be represented as a 32-bit integral value: ${showValue(value)}`,
  );
  return n;
}

const substrCP: Build = several(3, 3, ([text, start, count]) => {
  const from = substrNumber(start, 'starting index', [34450, 34451]);
  const length = substrNumber(count, 'length', [34452, 34453]);
  check(length >= 0, 34454, () => '$substrCP: length must be a nonnegative integer.');
  check(from >= 0, 34455, () => '$substrCP: the starting index must be nonnegative integer.');
  return [...coerceToText(text)].slice(from, from + length).join('');
});

function searched(text: unknown, token: unknown, op: string, codes: [number, number]): [string, string] {
  check(
    typeof text === 'string',
    codes[0],
    () => `${op} requires a string as the first argument, found: ${nameOf(text)}`,
  );
  check(
    typeof token === 'string',
    codes[1],
    () => `${op} requires a string as the second argument, found: ${nameOf(token)}`,
  );
  return [text, token];
}

function bounds(args: unknown[], length: number, op: string): [number, number] {
  const start = args.length > 2 ? searchBound(args[2], op, 'starting index') : 0;
  const end = args.length > 3 ? Math.min(length, searchBound(args[3], op, 'ending index')) : length;
  return [start, end];
}

const indexOfBytes: Build = several(2, 4, (args, _c, op) => {
  if (isNullish(args[0])) return null;
  const [text, token] = searched(args[0], args[1], op, [40091, 40092]);
  const bytes = Buffer.from(text);
  const [start, end] = bounds(args, bytes.length, op);
  if (start > bytes.length || end < start) return -1;
  return bytes.subarray(0, end).indexOf(token, start);
});

const indexOfCP: Build = several(2, 4, (args, _c, op) => {
  if (isNullish(args[0])) return null;
  const [text, token] = searched(args[0], args[1], op, [40093, 40094]);
  const points = [...text];
  const [start, end] = bounds(args, points.length, op);
  if (text === '' && token === '' && start === 0) return 0;
  const wanted = [...token];
  for (let i = start; i < end; i++) if (wanted.every((ch, k) => points[i + k] === ch)) return i;
  return -1;
});

const WHITESPACE = [
  ...'\0 \t\n\v\f\r\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a',
];

const TRIM: (op: string) => ArgumentRules = (op) => ({
  required: ['input'],
  optional: ['chars'],
  notObject: [50696, (found) => `${op} only supports an object as an argument, found ${found}`],
  unknown: [50694, (name) => `${op} found an unknown argument: ${name}`],
  missing: { input: [50695, `${op} requires an 'input' field`] },
});

function trimmed(text: string, chars: ReadonlySet<string>, left: boolean, right: boolean): string {
  const points = [...text];
  let start = 0;
  let end = points.length;
  while (left && start < end && chars.has(points[start] as string)) start++;
  while (right && end > start && chars.has(points[end - 1] as string)) end--;
  return points.slice(start, end).join('');
}

const trim =
  (left: boolean, right: boolean): Build =>
  (spec, c, op) => {
    const args = compileArguments(namedArguments(spec, TRIM(op)), c);
    return (scope) => {
      const text = valueOf(args, 'input', scope);
      if (isNullish(text)) return null;
      check(
        typeof text === 'string',
        50699,
        () =>
          `${op} requires its input to be a string, got ${showValue(text)} (of type ${nameOf(text)}) instead.`,
      );
      if (!args.has('chars')) return trimmed(text, new Set(WHITESPACE), left, right);
      const chars = valueOf(args, 'chars', scope);
      if (isNullish(chars)) return null;
      check(
        typeof chars === 'string',
        50700,
        () =>
          `${op} requires 'chars' to be a string, got ${showValue(chars)} (of type ${nameOf(chars)}) instead.`,
      );
      return trimmed(text, new Set(chars), left, right);
    };
  };

const REPLACE: (op: string) => ArgumentRules = (op) => ({
  required: ['input', 'find', 'replacement'],
  notObject: [51751, (found) => `${op} requires an object as an argument, found: ${found}`],
  unknown: [51750, (name) => `${op} found an unknown argument: ${name}`],
  missing: {
    input: [51749, `${op} requires 'input' to be specified`],
    find: [51748, `${op} requires 'find' to be specified`],
    replacement: [51747, `${op} requires 'replacement' to be specified`],
  },
});

const replace =
  (apply: (text: string, find: string, replacement: string) => string): Build =>
  (spec, c, op) => {
    const args = compileArguments(namedArguments(spec, REPLACE(op)), c);
    return (scope) => {
      const [text, find, replacement] = ['input', 'find', 'replacement'].map((name, i) => {
        const value = valueOf(args, name, scope);
        check(
          typeof value === 'string' || isNullish(value),
          51746 - i,
          () => `${op} requires that '${name}' be a string, found: ${showValue(value)}`,
        );
        return value;
      });
      if (isNullish(text) || isNullish(find) || isNullish(replacement)) return null;
      return apply(text, find, replacement);
    };
  };

function strLen(value: unknown, op: string, code: number): string {
  check(typeof value === 'string', code, () => `${op} requires a string argument, found: ${nameOf(value)}`);
  return value;
}

/** Operators on strings. Upper and lower case know ASCII only, as the server's do. */
export const stringOperators = operators({
  $concat: concat,
  $indexOfBytes: indexOfBytes,
  $indexOfCP: indexOfCP,
  $ltrim: trim(true, false),
  $rtrim: trim(false, true),
  $trim: trim(true, true),
  $replaceOne: replace((text, find, replacement) => text.replace(find, () => replacement)),
  $replaceAll: replace((text, find, replacement) =>
    find === ''
      ? [...text].map((ch) => replacement + ch).join('') + replacement
      : text.replaceAll(find, () => replacement),
  ),
  $split: binary(split),
  $strcasecmp: binary((a, b) => compareStrings(toUpper(coerceToText(a)), toUpper(coerceToText(b)))),
  $strLenBytes: unary((value, _c, op) => Buffer.byteLength(strLen(value, op, 34473))),
  $strLenCP: unary((value, _c, op) => [...strLen(value, op, 34471)].length),
  $substr: substrBytes,
  $substrBytes: substrBytes,
  $substrCP: substrCP,
  $toLower: unary((value) => toLower(coerceToText(value))),
  $toUpper: unary((value) => toUpper(coerceToText(value))),
});
