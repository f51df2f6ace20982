import { AppError } from '#app/domain/errors.ts';

const FORM_TYPES = /^(application\/x-www-form-urlencoded|multipart\/form-data)\b/i;

/**
 * The body of a page form.
 * @throws AppError UNSUPPORTED_MEDIA_TYPE for another content type, INVALID_INPUT for a body that cannot be read.
 */
export async function readForm(request: Request): Promise<FormData> {
  const type = request.headers.get('content-type') ?? '';
  if (!FORM_TYPES.test(type)) throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'This address takes a form.');
  try {
    return await request.formData();
  } catch (error) {
    throw new AppError('INVALID_INPUT', 'The form could not be read. Please send it again.', {
      cause: error,
    });
  }
}

/**
 * Form fields as plain values: one text each, a list where a name repeats, files left out. Deciding what is valid is
 * the schema's business.
 */
export function formValues(form: FormData | URLSearchParams): Record<string, string | string[]> {
  const values: Record<string, string | string[]> = Object.create(null) as Record<string, string | string[]>;
  for (const [name, value] of form.entries()) {
    if (typeof value !== 'string') continue;
    const earlier = values[name];
    values[name] = earlier === undefined ? value : [...(Array.isArray(earlier) ? earlier : [earlier]), value];
  }
  return values;
}
