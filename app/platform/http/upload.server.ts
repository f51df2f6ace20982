import { unstable_parseMultipartFormData, type UploadHandler } from '@remix-run/node';
import { isAppError } from '#app/domain/errors.ts';
import { requireFormType, unreadableForm } from './form.server.ts';

/** A file of a form while it arrives. */
export interface ArrivingFile {
  bytes: AsyncIterable<Uint8Array>;
  /** As the browser names it; null when it does not. */
  fileName: string | null;
}

async function readAway(bytes: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _piece of bytes);
}

/**
 * Hands the file of a form on while it still arrives: nothing of it is kept here. What is refused is read to its end all
 * the same, since a browser that is still sending shows no answer. Other fields and further files are passed over.
 * @param take is called at most once
 * @returns what `take` gave; null when the form has no such file
 * @throws AppError UNSUPPORTED_MEDIA_TYPE, INVALID_INPUT for what is no form, and what `take` throws
 */
export async function takeUpload<T>(
  request: Request,
  field: string,
  take: (file: ArrivingFile) => Promise<T>,
): Promise<T | null> {
  requireFormType(request);
  let outcome: { value: T } | { error: unknown } | null = null;
  const handle: UploadHandler = async ({ name, filename, data }) => {
    if (name === field && filename !== undefined && outcome === null) {
      outcome = await take({ bytes: data, fileName: filename === '' ? null : filename }).then(
        (value) => ({ value }),
        (error: unknown) => ({ error }),
      );
    }
    await readAway(data);
    return undefined;
  };
  try {
    await unstable_parseMultipartFormData(request, handle);
  } catch (error) {
    throw isAppError(error) ? error : unreadableForm(error);
  }
  const settled = outcome as { value: T } | { error: unknown } | null;
  if (settled === null) return null;
  if ('error' in settled) throw settled.error;
  return settled.value;
}
