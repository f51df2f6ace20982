import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { clientKey } from '#app/platform/access/client-key.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';

/** An account with one revision of its password and address. */
interface Account {
  userId: string;
  /** Revision of its password and address. When it changes, every device becomes unknown. */
  revision: number;
}

function sign(secret: string, ...parts: (string | number)[]): string {
  return createHmac('sha256', secret)
    .update(['device', ...parts].join('\n'))
    .digest('base64url');
}

function isSigned(text: string, expected: string): boolean {
  const [a, b] = [Buffer.from(text), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/**
 * A token that the browser keeps and sends at its next sign-in, bound to the account and its password. It says "this
 * browser has signed in to this account before". It gives no access; it only gives failures their own limit.
 */
export function makeDeviceToken(secret: string, { userId, revision }: Account): string {
  const id = randomBytes(16).toString('base64url');
  return [id, sign(secret, userId, id), sign(secret, userId, id, revision)].join('.');
}

/**
 * True when the browser's token belongs to another account or is no longer valid: the data it keeps may then be somebody
 * else's.
 */
export function isOthersDevice(secret: string, userId: string, token: string | null | undefined): boolean {
  if (!token) return false;
  const [id = '', account = ''] = token.split('.');
  return !isSigned(account, sign(secret, userId, id));
}

/** The device id in a token; null unless the token belongs to this account with its current password. */
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

/** The stored mark of a network address that an account was used from: enough to recognise it, and no more. */
export function addressMark({ secret, client }: Pick<Ctx, 'secret' | 'client'>, userId: string): string {
  return createHmac('sha256', secret)
    .update(`address\n${userId}\n${clientKey(client.address)}`)
    .digest('base64url')
    .slice(0, 22);
}
