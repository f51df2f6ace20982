import { EngineError } from '../../errors.ts';
import { type BSONRegExp, BSONSymbol, T, regexParts, typeOf, type Document } from '../../values/types.ts';
import { compileRegex } from '../regex.ts';
import type { ValueTest } from './walk.ts';

/** True for a regular expression value. */
export function isRegex(value: unknown): value is BSONRegExp | RegExp {
  return typeOf(value) === T.regex;
}

function testOf(pattern: string, options: string): ValueTest {
  const regex = compileRegex(pattern, options);
  return (value) => {
    if (typeof value === 'string') return regex.test(value);
    if (value instanceof BSONSymbol) return regex.test(value.value);
    if (!isRegex(value)) return false;
    const parts = regexParts(value);
    return parts.pattern === pattern && parts.options === options;
  };
}

/** The test of a regular expression: strings it matches, and values that are the very same expression. */
export function regexTest(value: unknown): ValueTest {
  const { pattern, options } = regexParts(value);
  return testOf(pattern, options);
}

/** The test of `{ $regex: …, $options: … }`. */
export function regexFromOperators(operators: Document): ValueTest {
  const regex = operators['$regex'];
  const given = operators['$options'];
  if (given !== undefined && typeof given !== 'string')
    throw new EngineError('BadValue', '$options has to be a string');
  if (typeof regex === 'string') return testOf(regex, given ?? '');
  if (!isRegex(regex)) throw new EngineError('BadValue', '$regex has to be a string');
  const { pattern, options } = regexParts(regex);
  if (options !== '' && given !== undefined && given !== '') {
    throw new EngineError(51075, 'options set in both $regex and $options');
  }
  return testOf(pattern, given || options);
}
