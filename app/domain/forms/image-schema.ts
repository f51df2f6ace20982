/** Most bytes of an uploaded picture. */
export const MAX_IMAGE_BYTES = 5 * 1024 * 1024;

/** Most pixels of a picture, because a small file can decode to gigabytes. */
export const MAX_IMAGE_PIXELS = 24_000_000;

/** Most pictures of a side effect. */
export const MAX_IMAGES_EACH = 10;

/** Most pictures of an account. */
export const IMAGE_QUOTA = { count: 50, bytes: 100 * 1024 * 1024 } as const;

export const IMAGE_MESSAGES = {
  none: 'Choose a picture',
  kind: 'Only JPEG, PNG and WebP pictures can be added',
  size: 'Pictures can be at most 5 MB',
  broken: 'This picture cannot be read',
  pixels: 'A picture can have at most 24 million pixels',
  each: 'A side effect can have at most 10 pictures',
  quota: 'You have reached the limit of 50 pictures or 100 MB. Delete some first.',
  notFound: 'This picture does not exist.',
} as const;

export type ImageKind = 'jpeg' | 'png' | 'webp';

const startsWith = (bytes: Uint8Array, at: number, start: readonly number[]) =>
  start.every((byte, index) => bytes[at + index] === byte);

/**
 * The kind of a picture by its first bytes, not by its declared type.
 * JPEG: ISO/IEC 10918-1 (SOI and a marker); PNG: its signature (W3C PNG, 5.2); WebP: RIFF container (RFC 9649).
 * @returns null for anything else
 */
export function imageKindOf(bytes: Uint8Array): ImageKind | null {
  if (startsWith(bytes, 0, [0xff, 0xd8, 0xff])) return 'jpeg';
  if (startsWith(bytes, 0, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])) return 'png';
  const isRiff = startsWith(bytes, 0, [0x52, 0x49, 0x46, 0x46]);
  return isRiff && startsWith(bytes, 8, [0x57, 0x45, 0x42, 0x50]) ? 'webp' : null;
}
