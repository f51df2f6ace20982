import type { SubmissionResult } from '@conform-to/react';
import { parseWithZod } from '@conform-to/zod/v4';
import { data } from '@remix-run/node';
import type * as z from 'zod';
import { isAppError, type AppError } from '#app/domain/errors.ts';
import { readForm } from './form.server.ts';
import { STATUS } from './status.ts';

/** What was done (and the form as it was sent, for a page that has a question), or the form again with what is wrong. */
export type Submitted<T> =
  | { ok: true; value: T; lastResult: SubmissionResult<string[]> }
  | { ok: false; lastResult: SubmissionResult<string[]>; refusal: Refusal };

interface Refusal {
  status: number;
  headers: Headers;
}

/** Codes that belong at the form: the person can do something about them there. */
const AT_THE_FORM = new Set<AppError['code']>([
  'INVALID_INPUT',
  'INVALID_CREDENTIALS',
  'CONFLICT',
  'PLAN_LIMIT',
  'DOSE_ALREADY_LOGGED',
  'RATE_LIMITED',
  'SWITCHED_OFF',
]);

/** Never sent back to a browser. */
const SECRETS = ['password', 'currentPassword', 'newPassword', 'confirmPassword', 'code'];

/**
 * Only the schema's own fields reach the parser. One that is sent twice, or as a file, counts as not filled in; those
 * in `lists` may repeat.
 */
function knownFields(form: FormData, schema: z.ZodObject, lists: readonly string[]): FormData {
  const known = new FormData();
  for (const name of Object.keys(schema.shape)) {
    const texts = form.getAll(name).filter((value) => typeof value === 'string');
    if (texts.length === 1 || lists.includes(name)) for (const text of texts) known.append(name, text);
  }
  return known;
}

/**
 * Reads a form, checks it against the operation's schema and runs the operation. What the person can mend is a value;
 * anything else is thrown.
 * @throws AppError UNSUPPORTED_MEDIA_TYPE and whatever `run` throws that does not belong at the form
 */
export async function submitForm<S extends z.ZodObject, T>(
  request: Request,
  schema: S,
  run: (input: z.output<S>) => Promise<T>,
  lists: readonly string[] = [],
): Promise<Submitted<T>> {
  const submission = parseWithZod(knownFields(await readForm(request), schema, lists), { schema });
  const hideFields = SECRETS;
  const headers = new Headers();
  if (submission.status !== 'success')
    return { ok: false, lastResult: submission.reply({ hideFields }), refusal: { status: 400, headers } };
  try {
    return { ok: true, value: await run(submission.value), lastResult: submission.reply({ hideFields }) };
  } catch (error) {
    if (!isAppError(error) || !AT_THE_FORM.has(error.code)) throw error;
    const { fields, message, code, retryAfterSeconds } = error;
    if (retryAfterSeconds !== undefined) headers.set('Retry-After', String(Math.ceil(retryAfterSeconds)));
    const reply = fields ? { fieldErrors: fields } : { formErrors: [message] };
    return {
      ok: false,
      lastResult: submission.reply({ ...reply, hideFields }),
      refusal: { status: STATUS[code], headers },
    };
  }
}

/** The answer to a form that was refused. */
export function formAgain({ lastResult, refusal }: Extract<Submitted<unknown>, { ok: false }>) {
  return data({ lastResult }, refusal);
}
