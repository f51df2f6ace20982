import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Ctx } from '#app/platform/access/context.server.ts';

/** An account as of one password and address. */
interface Account {
  userId: string;
  /** Of its password and address: with a new one every device is a stranger again. */
  revision: number;
}

function sign(secret: string, ...parts: (string | number)[]): string {
  return createHmac('sha256', secret)
    .update(['device', ...parts].join('\n'))
    .digest('base64url');
}

function isSigned(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/**
 * A token for the browser to keep and send at its next sign-in: an id, whose it is, and as of which password. It says
 * "this browser has signed in to this account before", opens nothing, and only gives failures a count of their own.
 */
export function makeDeviceToken(secret: string, { userId, revision }: Account): string {
  const id = randomBytes(16).toString('base64url');
  return [id, sign(secret, userId, id), sign(secret, userId, id, revision)].join('.');
}

/**
 * True when the browser says that somebody else signed in here last, or says it in words that are not ours (any more):
 * what it keeps may then be somebody else's.
 */
export function isOthersDevice(secret: string, userId: string, token: string | null | undefined): boolean {
  if (!token) return false;
  const [id = '', account = ''] = token.split('.');
  return !isSigned(account, sign(secret, userId, id));
}

/** The id of the device behind a token; null when the token is not of this account with its present password. */
export function readDeviceToken(
  secret: string,
  { userId, revision }: Account,
  token: string | null | undefined,
): string | null {
  const [id, account, credential, rest] = (token ?? '').split('.');
  if (!id || !account || !credential || rest !== undefined) return null;
  const isOurs =
    isSigned(account, sign(secret, userId, id)) && isSigned(credential, sign(secret, userId, id, revision));
  return isOurs ? id : null;
}

/** What is remembered of a network address that an account was used from: enough to know it again, and no more. */
export function addressMark({ secret, client }: Pick<Ctx, 'secret' | 'client'>, userId: string): string {
  return createHmac('sha256', secret)
    .update(`address\n${userId}\n${client.address}`)
    .digest('base64url')
    .slice(0, 22);
}
