import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Says "this browser has signed in to this account before". It opens nothing; it only gives a count of its own. */
export interface KnownDevice {
  id: string;
}

function sign(secret: string, userId: string, id: string): string {
  return createHmac('sha256', secret).update(`device\n${userId}\n${id}`).digest('base64url');
}

/** A token for the browser to keep and send at its next sign-in. */
export function makeDeviceToken(secret: string, userId: string): string {
  const id = randomBytes(16).toString('base64url');
  return `${id}.${sign(secret, userId, id)}`;
}

/**
 * True when the browser says that somebody else signed in here last, or says it in words that are not ours (any more):
 * what it keeps may then be somebody else's.
 */
export function isOthersDevice(secret: string, userId: string, token: string | null | undefined): boolean {
  return Boolean(token) && readDeviceToken(secret, userId, token) === null;
}

/** The device behind a token, null when the token is not of this account. */
export function readDeviceToken(
  secret: string,
  userId: string,
  token: string | null | undefined,
): KnownDevice | null {
  const [id, signature, rest] = (token ?? '').split('.');
  if (!id || !signature || rest !== undefined) return null;
  const expected = Buffer.from(sign(secret, userId, id));
  const given = Buffer.from(signature);
  return given.length === expected.length && timingSafeEqual(given, expected) ? { id } : null;
}
