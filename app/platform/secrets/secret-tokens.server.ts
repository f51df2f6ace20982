import { createHash, randomBytes } from 'node:crypto';
import type { OneTimeSecretRecord } from '#models/index.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { repos } from './repositories.server.ts';

const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** A new secret token: 256 random bits. */
export const newToken = () => randomBytes(32).toString('base64url');

/** Only this hash of a token is stored. */
export const hashToken = (token: string) => createHash('sha256').update(token).digest('base64url');

/** False for texts that cannot be one of our tokens and need no lookup. */
export const isToken = (text: string) => TOKEN.test(text);

type Purpose = OneTimeSecretRecord['purpose'];

interface NewOneTimeSecret {
  userId: string;
  purpose: Purpose;
  lifeMs: number;
  /** Data needed later; never a secret. */
  facts?: Record<string, unknown>;
}

/**
 * Creates a secret that works once and for a short time, such as for a link in a mail.
 * @returns the secret; only its hash is stored
 */
export async function createOneTimeSecret(
  ctx: Ctx,
  { userId, purpose, lifeMs, facts = {} }: NewOneTimeSecret,
): Promise<string> {
  const createdAt = ctx.now();
  const expiresAt = new Date(createdAt.getTime() + lifeMs);
  const secret = newToken();
  const hash = hashToken(secret);
  await repos(ctx).oneTimeSecrets.create({ hash, userId, purpose, createdAt, expiresAt, failures: 0, facts });
  return secret;
}

/** Finds a secret without using it up. @returns null if it was used, has expired or is unknown */
export async function findOneTimeSecret(
  ctx: Ctx,
  purpose: Purpose,
  secret: string,
): Promise<OneTimeSecretRecord | null> {
  if (!isToken(secret)) return null;
  return repos(ctx).oneTimeSecrets.find(hashToken(secret), purpose, ctx.now());
}

/** Uses a secret up. @returns null if it was used, has expired or is unknown */
export async function takeOneTimeSecret(
  ctx: Ctx,
  purpose: Purpose,
  secret: string,
): Promise<OneTimeSecretRecord | null> {
  if (!isToken(secret)) return null;
  return repos(ctx).oneTimeSecrets.take(hashToken(secret), purpose, ctx.now());
}
