import type { SecondFactorRecord } from '#models/index.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { isSealed, seal, unseal } from '#app/platform/secrets/encrypted-secret.server.ts';

const contextOf = (ownerId: string) => ({ purpose: 'second factor', ownerId });

/** The secret of an authenticator app in its stored form. */
export function sealFactor(ctx: Ctx, ownerId: string, secret: string): string {
  return seal(ctx.secret, contextOf(ownerId), secret);
}

/**
 * The secret that an account shares with an authenticator app, base 32. Null when the server's secret is another than
 * when it was stored: then no code is right, and recovery codes still are.
 */
export function openFactor(
  ctx: Ctx,
  { userId, secret }: Pick<SecondFactorRecord, 'userId' | 'secret'>,
): string | null {
  if (!isSealed(secret)) return secret;
  const plain = unseal(ctx.secret, contextOf(userId), secret);
  if (plain === null) ctx.log.error({ userId }, 'second factor sealed with another SESSION_SECRET');
  return plain;
}

/** Seals a secret that was stored before secrets were sealed. */
export async function sealOldFactor(
  ctx: Ctx,
  { userId, secret }: Pick<SecondFactorRecord, 'userId' | 'secret'>,
): Promise<void> {
  if (isSealed(secret)) return;
  await ctx.repos.secondFactors.replaceSecret(userId, secret, sealFactor(ctx, userId, secret));
}
