import * as z from 'zod';
import { expect, test } from 'vitest';
import { parseInput } from '#app/domain/forms/fields.ts';
import type { AppError } from '#app/domain/errors.ts';

function messageOf(schema: z.ZodType, input: unknown): string {
  try {
    parseInput(schema, input);
  } catch (error) {
    return (error as AppError).message;
  }
  return 'accepted';
}

test.each<[z.ZodType, unknown, string]>([
  [z.enum(['a', 'b', 'c']), 'd', 'Must be one of a, b or c'],
  [z.literal('mg'), 'mcg', 'Must be mg'],
  [z.string(), 1, 'Must be text'],
  [z.string(), undefined, 'This is required'],
  [z.number(), '1', 'Must be a number'],
  [z.int(), 1.5, 'Must be a whole number'],
  [z.boolean(), 'yes', 'Must be true or false'],
  [z.array(z.string()), 'a', 'Must be a list'],
  [z.object({}), [], 'Must be an object'],
  [z.strictObject({}), { a: 1 }, 'Unknown field'],
  [z.string().min(1), '', 'Must not be empty'],
  [z.string().min(3), 'a', 'Must have at least 3 characters'],
  [z.string().max(1), 'ab', 'Must have at most 1 character'],
  [z.array(z.string()).max(2), ['a', 'b', 'c'], 'Must have at most 2 entries'],
  [z.number().min(2), 1, 'Must be at least 2'],
  [z.number().gt(2), 2, 'Must be more than 2'],
  [z.number().max(2), 3, 'Must be at most 2'],
  [z.number().lt(2), 2, 'Must be less than 2'],
  [z.iso.date(), '9.3.2026', 'Must be a day as YYYY-MM-DD'],
  [z.email(), 'nobody', 'Must be an email address'],
  [z.string().regex(/^a$/), 'b', 'Has the wrong format'],
  [z.union([z.string(), z.number()]), true, 'This is not valid'],
])('%#: a value without its own message is refused in plain English', (schema, input, message) => {
  expect(messageOf(schema, input)).toBe(message);
});

test('a schema’s own message takes precedence', () => {
  expect(messageOf(z.string({ error: 'Say why' }), 1)).toBe('Say why');
});
