import { AppError } from '#app/domain/errors.ts';
import {
  IMAGE_MESSAGES,
  imageKindOf,
  MAX_IMAGE_BYTES,
  MAX_IMAGE_PIXELS,
} from '#app/domain/forms/image-schema.ts';

/** A picture that is safe to keep and to show: made anew from its pixels, nothing of the file it came in. */
export interface CleanPicture {
  bytes: Buffer;
  contentType: string;
  width: number;
  height: number;
}

/** Longest side that is kept; more than any screen shows of a rash. */
const LONGEST_SIDE = 2048;

/** What is said about a file that is not taken, at its field. */
const refusal =
  (field: string) =>
  (code: 'INVALID_INPUT' | 'PAYLOAD_TOO_LARGE' | 'UNSUPPORTED_MEDIA_TYPE', message: string) =>
    new AppError(code, message, { fields: { [field]: [message] } });

/** Loaded with the first picture: the library is large and most processes never see one. */
async function library() {
  const { default: sharp } = await import('sharp');
  // One picture at a time and none kept in memory: this is one of many things that the server does.
  sharp.concurrency(1);
  sharp.cache(false);
  return sharp;
}

/**
 * Makes a picture anew from the pixels of what was sent: turned upright, at most 2048 pixels wide or high, without
 * metadata (no place, no camera, no embedded files). What it is, is read from its content.
 * @param field the form's field that it came in
 * @throws AppError UNSUPPORTED_MEDIA_TYPE for anything but JPEG, PNG and WebP, PAYLOAD_TOO_LARGE, INVALID_INPUT for one
 * that cannot be decoded or has too many pixels
 */
export async function cleanPicture(sent: Uint8Array, field = 'image'): Promise<CleanPicture> {
  const refused = refusal(field);
  if (sent.byteLength === 0) throw refused('INVALID_INPUT', IMAGE_MESSAGES.none);
  if (sent.byteLength > MAX_IMAGE_BYTES) throw refused('PAYLOAD_TOO_LARGE', IMAGE_MESSAGES.size);
  const kind = imageKindOf(sent);
  if (kind === null) throw refused('UNSUPPORTED_MEDIA_TYPE', IMAGE_MESSAGES.kind);
  const sharp = await library();
  const picture = sharp(sent, {
    limitInputPixels: MAX_IMAGE_PIXELS,
    failOn: 'error',
    sequentialRead: true,
    pages: 1,
  });
  try {
    const { data, info } = await picture
      .rotate()
      .resize({ width: LONGEST_SIDE, height: LONGEST_SIDE, fit: 'inside', withoutEnlargement: true })
      .toFormat(kind, { quality: 82 })
      .timeout({ seconds: 20 })
      .toBuffer({ resolveWithObject: true });
    return { bytes: data, contentType: `image/${kind}`, width: info.width, height: info.height };
  } catch (error) {
    const tooMany = error instanceof Error && /pixel limit/i.test(error.message);
    throw refused('INVALID_INPUT', tooMany ? IMAGE_MESSAGES.pixels : IMAGE_MESSAGES.broken);
  }
}
