import { data } from '@remix-run/node';
import { isAppError, type AppError } from '#app/domain/errors.ts';
import { readForm } from './form.server.ts';
import { STATUS } from './status.ts';

/** Codes that belong at the form: the person can choose another file, or make room. */
const AT_THE_FORM = new Set<AppError['code']>([
  'INVALID_INPUT',
  'UNSUPPORTED_MEDIA_TYPE',
  'PAYLOAD_TOO_LARGE',
  'CONFLICT',
  'RATE_LIMITED',
]);

/** A file as it was sent; empty when none was. */
export interface SentFile {
  fileName: string;
  bytes: Uint8Array;
}

/**
 * Reads a form with one file and keeps it.
 * @returns what was wrong with the file, or null when it is kept
 * @throws AppError for a request that is no form, and whatever does not belong at it
 */
export async function submitFile(
  request: Request,
  field: string,
  keep: (file: SentFile) => Promise<unknown>,
) {
  const [file, ...more] = (await readForm(request)).getAll(field);
  const sent = file instanceof File && more.length === 0 ? file : new File([], '');
  try {
    await keep({ fileName: sent.name, bytes: new Uint8Array(await sent.arrayBuffer()) });
    return null;
  } catch (error) {
    if (!isAppError(error) || !AT_THE_FORM.has(error.code)) throw error;
    const headers = new Headers();
    if (error.retryAfterSeconds !== undefined)
      headers.set('Retry-After', String(Math.ceil(error.retryAfterSeconds)));
    return data({ error: error.message }, { status: STATUS[error.code], headers });
  }
}
