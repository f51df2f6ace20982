/** Most bytes of a picture that is sent. */
export const MAX_IMAGE_BYTES = 5 * 1024 * 1024;

/** Most pixels of it: a small file can unfold to gigabytes. */
export const MAX_IMAGE_PIXELS = 24_000_000;

/** Pictures of one side effect. */
export const MAX_IMAGES_EACH = 10;

/** What one account can keep. */
export const IMAGE_QUOTA = { count: 50, bytes: 100 * 1024 * 1024 } as const;

export const IMAGE_MESSAGES = {
  none: 'Choose a picture',
  kind: 'Only JPEG, PNG and WebP pictures can be added',
  size: 'A picture can have at most 5 MB',
  broken: 'This picture cannot be read',
  pixels: 'A picture can have at most 24 million pixels',
  each: 'A side effect can have at most 10 pictures',
  quota: 'There is no room for more pictures: an account holds 50, or 100 MB. Delete some first.',
  notFound: 'There is no such picture.',
} as const;

export type ImageKind = 'jpeg' | 'png' | 'webp';

const startsWith = (bytes: Uint8Array, at: number, wanted: readonly number[]) =>
  wanted.every((byte, index) => bytes[at + index] === byte);

/**
 * What a file is by its first bytes, whatever it calls itself.
 * JPEG: ISO/IEC 10918-1 (SOI and a marker); PNG: its signature (W3C PNG, 5.2); WebP: RIFF container (RFC 9649).
 * @returns null for anything else
 */
export function imageKindOf(bytes: Uint8Array): ImageKind | null {
  if (startsWith(bytes, 0, [0xff, 0xd8, 0xff])) return 'jpeg';
  if (startsWith(bytes, 0, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])) return 'png';
  const isRiff = startsWith(bytes, 0, [0x52, 0x49, 0x46, 0x46]);
  return isRiff && startsWith(bytes, 8, [0x57, 0x45, 0x42, 0x50]) ? 'webp' : null;
}
