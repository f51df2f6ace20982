import { data } from '@remix-run/node';
import { isAppError, type AppError, type FieldErrors } from '#app/domain/errors.ts';
import { readForm } from './form.server.ts';
import { STATUS } from './status.ts';

/** A form that was refused: what is wrong, and what was typed. */
export interface RefusedForm {
  errors: FieldErrors;
  /** About the form as a whole. */
  formErrors: string[];
  /** Every text that was sent, by name. */
  values: Record<string, string>;
}

/** Codes that belong at the form: the person can do something about them there. */
const AT_THE_FORM = new Set<AppError['code']>([
  'INVALID_INPUT',
  'CONFLICT',
  'RATE_LIMITED',
  'PLAN_LIMIT',
  'SWITCHED_OFF',
]);

const MAX_SHOWN = 4000;
/** A text as long as a whole catalogue goes back too, so that it can be mended. */
const MAX_SHOWN_TEXT = 1024 * 1024;

function textsOf(form: FormData): Record<string, string> {
  const values: Record<string, string> = {};
  for (const [name, value] of form) {
    if (typeof value !== 'string' || name in values) continue;
    values[name] = value.slice(0, name === 'text' ? MAX_SHOWN_TEXT : MAX_SHOWN);
  }
  return values;
}

/**
 * Reads a form whose fields depend on what is stored, and runs an operation with it. What the person can mend comes
 * back as an answer with the form's texts; anything else is thrown.
 * @throws AppError UNSUPPORTED_MEDIA_TYPE and whatever `run` throws that does not belong at the form
 */
export async function tryForm<T>(request: Request, run: (form: FormData) => Promise<T>) {
  const form = await readForm(request);
  try {
    return { ok: true as const, value: await run(form) };
  } catch (error) {
    if (!isAppError(error) || !AT_THE_FORM.has(error.code)) throw error;
    const { fields, message, retryAfterSeconds } = error;
    const headers = new Headers();
    if (retryAfterSeconds !== undefined) headers.set('Retry-After', String(Math.ceil(retryAfterSeconds)));
    const refused: RefusedForm = {
      errors: fields ?? {},
      formErrors: fields ? [] : [message],
      values: textsOf(form),
    };
    return { ok: false as const, answer: data(refused, { status: STATUS[error.code], headers }) };
  }
}
