import type { SubmissionResult } from '@conform-to/react';
import { parseWithZod } from '@conform-to/zod/v4';
import { Authenticator } from 'remix-auth';
import { FormStrategy } from 'remix-auth-form';
import { isAppError, type AppError } from '#app/domain/errors.ts';
import type * as z from 'zod';
import type { SignInStep } from './sign-in-steps.server.ts';
import { requireFormType, unreadableForm } from '#app/platform/http/forms.server.ts';
import { STATUS } from '#app/platform/http/status.ts';

/** Either somebody is signed in, or the form goes back with what is wrong; secrets stay out of it. */
export type Attempt =
  | { ok: true; step: SignInStep; redirectTo: string | null }
  | { ok: false; lastResult: SubmissionResult<string[]>; status: number; retryAfterSeconds?: number };

const SECRETS = ['password', 'confirmPassword'] as const;

/** Codes that belong at the form: the person can do something about them there. */
const AT_THE_FORM = new Set<AppError['code']>([
  'INVALID_INPUT',
  'INVALID_CREDENTIALS',
  'REGISTRATION_FAILED',
  'SUSPENDED',
  'FORBIDDEN',
  'RATE_LIMITED',
  'SWITCHED_OFF',
]);

/** Only the schema's own fields reach the parser; one that is sent twice, or as a file, counts as not filled in. */
function knownFields(form: FormData, schema: z.ZodObject): FormData {
  const known = new FormData();
  for (const name of Object.keys(schema.shape)) {
    const [value, ...more] = form.getAll(name);
    if (typeof value === 'string' && more.length === 0) known.append(name, value);
  }
  return known;
}

async function attempt<S extends z.ZodObject>(
  form: FormData,
  schema: S,
  run: (input: z.output<S>) => Promise<SignInStep>,
): Promise<Attempt> {
  const submission = parseWithZod(knownFields(form, schema), { schema });
  const hideFields = [...SECRETS];
  if (submission.status !== 'success')
    return { ok: false, lastResult: submission.reply({ hideFields }), status: 400 };
  try {
    const redirectTo = form.get('redirectTo');
    return {
      ok: true,
      step: await run(submission.value),
      redirectTo: typeof redirectTo === 'string' ? redirectTo : null,
    };
  } catch (error) {
    if (!isAppError(error) || !AT_THE_FORM.has(error.code)) throw error;
    const { fields, message, code, retryAfterSeconds } = error;
    const lastResult = fields
      ? submission.reply({ fieldErrors: fields, hideFields })
      : submission.reply({ formErrors: [message], hideFields });
    return {
      ok: false,
      lastResult,
      status: STATUS[code],
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    };
  }
}

/**
 * Reads a sign-in or registration form and tries it. The body is read once, inside the form strategy; what is wrong
 * with a field is a value, not an exception.
 * @throws AppError UNSUPPORTED_MEDIA_TYPE, INVALID_INPUT for a body that is no form
 */
export async function authenticateForm<S extends z.ZodObject>(
  request: Request,
  schema: S,
  run: (input: z.output<S>) => Promise<SignInStep>,
): Promise<Attempt> {
  requireFormType(request);
  let isRead = false;
  const strategy = new FormStrategy<Attempt>(({ form }) => {
    isRead = true;
    return attempt(form, schema, run);
  });
  try {
    return await new Authenticator<Attempt>().use(strategy, 'form').authenticate('form', request);
  } catch (error) {
    throw isRead ? error : unreadableForm(error);
  }
}
