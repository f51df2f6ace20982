import type * as z from 'zod';
import { AppError, type FieldErrors } from '#app/domain/errors.ts';

/**
 * Messages by field, each once, in the order they were found. Entries of a list share the list's name, as their
 * controls do in a form. A rule about the whole input stands under ''.
 */
export function fieldErrors(issues: readonly z.core.$ZodIssue[]): FieldErrors {
  const fields: FieldErrors = {};
  for (const issue of issues) {
    const name = issue.path.filter((part) => typeof part === 'string').join('.');
    const messages = (fields[name] ??= []);
    if (!messages.includes(issue.message)) messages.push(issue.message);
  }
  return fields;
}

/**
 * Checks what came in through any door against the operation's schema.
 * @throws AppError INVALID_INPUT with the messages by field; its own message is the first of them.
 */
export function parseInput<S extends z.ZodType>(schema: S, input: unknown): z.output<S> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const message = parsed.error.issues[0]?.message ?? 'The input is not valid.';
  throw new AppError('INVALID_INPUT', message, { fields: fieldErrors(parsed.error.issues) });
}
