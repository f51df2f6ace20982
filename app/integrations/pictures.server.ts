import { AppError, isAppError } from '#app/domain/errors.ts';
import {
  IMAGE_MESSAGES,
  imageKindOf,
  MAX_IMAGE_BYTES,
  MAX_IMAGE_PIXELS,
} from '#app/domain/forms/image-schema.ts';

/** A picture that is safe to store and show: re-encoded from its pixels, without anything else from the uploaded file. */
export interface CleanPicture {
  bytes: Buffer;
  contentType: string;
  width: number;
  height: number;
}

/** Longest side of a stored picture, in pixels; enough for any screen. */
const LONGEST_SIDE = 2048;

/** The error for a rejected file, shown at its field. */
const refusal =
  (field: string) =>
  (code: 'INVALID_INPUT' | 'PAYLOAD_TOO_LARGE' | 'UNSUPPORTED_MEDIA_TYPE', message: string) =>
    new AppError(code, message, { fields: { [field]: [message] } });

/** Pictures that may wait; further ones are rejected. */
const MOST_WAITING = 20;

let waiting = 0;
let lastTurn: Promise<unknown> = Promise.resolve();

/**
 * Runs tasks one after the other. A decoder occupies one of the few threads it shares with password hashing and
 * compression, and up to 100 MB: many at once would block everyone's sign-in.
 * @throws AppError RATE_LIMITED when too many are waiting
 */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (waiting >= MOST_WAITING)
    throw new AppError('RATE_LIMITED', 'Many pictures are being processed. Try again in a moment.', {
      retryAfterSeconds: 10,
    });
  waiting += 1;
  const turn = lastTurn.then(work);
  lastTurn = turn.catch(() => undefined);
  try {
    return await turn;
  } finally {
    waiting -= 1;
  }
}

/** Loaded with the first picture, because the library is large and most processes never need it. */
async function library() {
  const { default: sharp } = await import('sharp');
  // One thread per picture and no cache, to leave resources for the rest of the server.
  sharp.concurrency(1);
  sharp.cache(false);
  return sharp;
}

/**
 * Re-encodes an uploaded picture from its pixels: upright, at most 2048 pixels wide or high, without metadata (location,
 * camera, embedded files). Its type is detected from the content.
 * @param field the form field it was sent in
 * @throws AppError UNSUPPORTED_MEDIA_TYPE for anything but JPEG, PNG and WebP, PAYLOAD_TOO_LARGE, INVALID_INPUT for one
 * that cannot be decoded or has too many pixels, RATE_LIMITED when many are already being processed
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
    const { data, info } = await inTurn(() =>
      picture
        .rotate()
        .resize({ width: LONGEST_SIDE, height: LONGEST_SIDE, fit: 'inside', withoutEnlargement: true })
        .toFormat(kind, { quality: 82 })
        .timeout({ seconds: 20 })
        .toBuffer({ resolveWithObject: true }),
    );
    return { bytes: data, contentType: `image/${kind}`, width: info.width, height: info.height };
  } catch (error) {
    if (isAppError(error)) throw error;
    const tooMany = error instanceof Error && /pixel limit/i.test(error.message);
    throw refused('INVALID_INPUT', tooMany ? IMAGE_MESSAGES.pixels : IMAGE_MESSAGES.broken);
  }
}
