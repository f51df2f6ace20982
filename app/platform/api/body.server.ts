import { AppError } from '#app/domain/errors.ts';
import type { Upload } from './operation.ts';

/** Levels of lists and objects within each other that a body may have. */
const MAX_DEPTH = 20;

const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\s*(?:;\s*charset="?utf-8"?\s*)?$/i;

/** False when lists and objects stand in each other too deep. Walks without recursion: depth is what is doubtful. */
function isShallow(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; depth <= MAX_DEPTH; depth += 1) {
    level = level.flatMap((entry) =>
      typeof entry === 'object' && entry !== null ? Object.values(entry as object) : [],
    );
    if (level.length === 0) return true;
  }
  return false;
}

function decode(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new AppError('INVALID_INPUT', 'The body is not valid UTF-8.', { cause });
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new AppError('INVALID_INPUT', 'The body is not valid JSON.', { cause });
  }
}

/**
 * The JSON object of a call; no body at all counts as an empty one.
 * @throws AppError UNSUPPORTED_MEDIA_TYPE, INVALID_INPUT
 */
export async function readJsonBody(request: Request): Promise<Record<string, unknown>> {
  const bytes = await request.arrayBuffer();
  if (bytes.byteLength === 0) return {};
  if (!JSON_TYPE.test(request.headers.get('Content-Type')?.trim() ?? ''))
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'Send the body as application/json in UTF-8.');
  const value = parse(decode(bytes));
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new AppError('INVALID_INPUT', 'The body must be a JSON object.');
  if (!isShallow(value)) throw new AppError('INVALID_INPUT', 'The body is nested too deeply.');
  return value as Record<string, unknown>;
}

/**
 * The one file of a call: in a multipart form, or as the body where the call allows it.
 * @throws AppError UNSUPPORTED_MEDIA_TYPE, INVALID_INPUT
 */
export async function readUpload(request: Request, { field, asBody = [] }: Upload): Promise<File> {
  const type = request.headers.get('Content-Type') ?? '';
  const [bare = ''] = type.toLowerCase().split(';');
  if (asBody.includes(bare.trim())) return new File([await request.arrayBuffer()], '', { type: bare.trim() });
  if (!/^multipart\/form-data\b/i.test(type)) {
    const names = ['multipart/form-data', ...asBody].join(', ');
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', `Send the file as ${names}.`);
  }
  const wrong = (message: string, cause?: unknown) =>
    new AppError('INVALID_INPUT', message, { fields: { [field]: [message] }, cause });
  let form: FormData;
  try {
    form = await request.formData();
  } catch (cause) {
    throw wrong('The form could not be read.', cause);
  }
  const [file, ...more] = form.getAll(field);
  if (!(file instanceof File) || more.length > 0) throw wrong(`Send one file in "${field}".`);
  return file;
}
