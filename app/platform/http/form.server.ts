import { AppError } from '#app/domain/errors.ts';

const FORM_TYPES = /^(application\/x-www-form-urlencoded|multipart\/form-data)\b/i;

/** @throws AppError UNSUPPORTED_MEDIA_TYPE for a request whose body is not a form */
export function requireFormType(request: Request): void {
  if (FORM_TYPES.test(request.headers.get('content-type') ?? '')) return;
  throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'This address takes a form.');
}

/** What is answered to a form whose bytes make no sense. */
export function unreadableForm(cause: unknown): AppError {
  return new AppError('INVALID_INPUT', 'The form could not be read. Please send it again.', { cause });
}

/**
 * The body of a page form.
 * @throws AppError UNSUPPORTED_MEDIA_TYPE for another content type, INVALID_INPUT for a body that cannot be read.
 */
export async function readForm(request: Request): Promise<FormData> {
  requireFormType(request);
  try {
    return await request.formData();
  } catch (error) {
    throw unreadableForm(error);
  }
}

/** The one text of a field; empty when it is absent, repeated or a file. */
export function formText(form: FormData, name: string): string {
  const [value, ...more] = form.getAll(name);
  return typeof value === 'string' && more.length === 0 ? value : '';
}
