import { T, regexParts, typeOf, type Document } from '../../values/types.ts';
import { compileRegex, type Regex } from '../regex/index.ts';
import { compileArguments, namedArguments, valueOf, type ArgumentRules } from './named-arguments.ts';
import { check, isNullish, nameOf, operators, type Build } from './types.ts';

const RULES: (op: string) => ArgumentRules = (op) => ({
  required: ['input', 'regex'],
  optional: ['options'],
  notObject: [51103, (found) => `${op} expects an object of named arguments but found: ${found}`],
  unknown: [31024, (name) => `${op} found an unknown argument: ${name}`],
  missing: {
    input: [31022, `${op} requires 'input' parameter`],
    regex: [31023, `${op} requires 'regex' parameter`],
  },
});

/** The expression an operator was given, compiled; undefined for null. */
function regexFrom(regex: unknown, options: unknown, op: string): Regex | undefined {
  const isRegex = typeOf(regex) === T.regex;
  check(
    isNullish(regex) || isRegex || typeof regex === 'string',
    51105,
    () => `${op} needs 'regex' to be of type string or regex`,
  );
  check(
    isNullish(options) || typeof options === 'string',
    51106,
    () => `${op} needs 'options' to be of type string`,
  );
  if (isNullish(regex)) return undefined;
  const own = isRegex ? regexParts(regex) : { pattern: regex as string, options: '' };
  check(
    isNullish(options) || own.options === '',
    51107,
    () => `${op}: found regex option(s) specified in both 'regex' and 'option' fields`,
  );
  check(
    !own.pattern.includes('\0'),
    51109,
    () => `${op}: regular expression cannot contain an embedded null byte`,
  );
  return compileRegex(own.pattern, isNullish(options) ? own.options : options);
}

function lengthInPoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

function describe(found: RegExpExecArray, text: string): Document {
  return {
    match: found[0],
    idx: lengthInPoints(text.slice(0, found.index)),
    captures: found.slice(1).map((capture) => capture ?? null),
  };
}

function findAll(regex: Regex, text: string): Document[] {
  const matches: Document[] = [];
  let from = 0;
  do {
    const found = regex.exec(text, from);
    if (!found) break;
    matches.push(describe(found, text));
    const step =
      found[0].length > 0 ? found[0].length : String.fromCodePoint(text.codePointAt(found.index) ?? 0).length;
    from = found.index + step;
  } while (from < text.length);
  return matches;
}

type Apply = (regex: Regex, text: string) => unknown;

const regexOperator =
  (apply: Apply, whenNull: () => unknown): Build =>
  (spec, c, op) => {
    const args = compileArguments(namedArguments(spec, RULES(op)), c);
    let last: { regex: unknown; options: unknown; compiled: Regex | undefined } | undefined;
    return (scope) => {
      const text = valueOf(args, 'input', scope);
      const regex = valueOf(args, 'regex', scope);
      const options = valueOf(args, 'options', scope);
      check(
        isNullish(text) || typeof text === 'string',
        51104,
        () => `${op} needs 'input' to be of type string, found: ${nameOf(text)}`,
      );
      if (!last || last.regex !== regex || last.options !== options) {
        last = { regex, options, compiled: regexFrom(regex, options, op) };
      }
      return isNullish(text) || !last.compiled ? whenNull() : apply(last.compiled, text);
    };
  };

/** Operators that match regular expressions. */
export const regexOperators = operators({
  $regexMatch: regexOperator(
    (regex, text) => regex.test(text),
    () => false,
  ),
  $regexFind: regexOperator(
    (regex, text) => {
      const found = regex.exec(text);
      return found ? describe(found, text) : null;
    },
    () => null,
  ),
  $regexFindAll: regexOperator(findAll, () => []),
});
