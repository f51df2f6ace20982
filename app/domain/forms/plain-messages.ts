import type * as z from 'zod';

/** "free, trial or premium" */
function choices(values: readonly unknown[]): string {
  const texts = values.map(String);
  const last = texts.pop() ?? '';
  return texts.length === 0 ? last : `${texts.join(', ')} or ${last}`;
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'Must be text',
  number: 'Must be a number',
  int: 'Must be a whole number',
  boolean: 'Must be true or false',
  array: 'Must be a list',
  object: 'Must be an object',
  record: 'Must be an object',
  date: 'Must be a date',
  null: 'Must be null',
};

const FORMATS: Readonly<Record<string, string>> = {
  date: 'Must be a day as YYYY-MM-DD',
  datetime: 'Must be a date and time such as 2026-03-09T08:00:00Z',
  time: 'Must be a time such as 08:00',
  email: 'Must be an email address',
  url: 'Must be a web address',
};

/** What is counted when a value is too short or too long. */
const COUNTED: Readonly<Record<string, string>> = { string: 'character', array: 'entry', set: 'entry' };

function countText(count: number | bigint, origin: string): string {
  const unit = COUNTED[origin] ?? '';
  const plural = unit === 'entry' ? 'entries' : `${unit}s`;
  return `${count} ${Number(count) === 1 ? unit : plural}`;
}

function boundText(
  word: 'least' | 'most',
  bound: number | bigint,
  origin: string,
  inclusive: boolean,
): string {
  if (origin in COUNTED) return `Must have at ${word} ${countText(bound, origin)}`;
  if (inclusive) return `Must be at ${word} ${bound}`;
  return word === 'least' ? `Must be more than ${bound}` : `Must be less than ${bound}`;
}

/**
 * The message for an invalid value if its schema has none: plain English in place of the validation library's text
 * ("Invalid option: expected one of …").
 */
export function plainMessage(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_value':
      return `Must be ${issue.values.length > 1 ? 'one of ' : ''}${choices(issue.values)}`;
    case 'invalid_type':
      return issue.input === undefined ? 'This is required' : (TYPES[issue.expected] ?? 'Has the wrong type');
    case 'too_small':
      if (issue.origin === 'string' && issue.minimum === 1) return 'Must not be empty';
      return boundText('least', issue.minimum, issue.origin, issue.inclusive !== false);
    case 'too_big':
      return boundText('most', issue.maximum, issue.origin, issue.inclusive !== false);
    case 'invalid_format':
      return FORMATS[issue.format] ?? 'Has the wrong format';
    case 'not_multiple_of':
      return `Must be a multiple of ${issue.divisor}`;
    case 'unrecognized_keys':
      return 'Unknown field';
    default:
      return 'This is not valid';
  }
}
