import { createHash, randomBytes } from 'node:crypto';
import { AppError } from '#app/domain/errors.ts';
import { mayRefer } from '#app/domain/referrals/referral-status.ts';
import { parseReferralCode, REFERRAL_CODE_BYTES, referralCode } from '#app/domain/referrals/referral-code.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { newId } from '#app/platform/ids.server.ts';

/** Names the place that an account has as somebody's referral, without naming the account. */
export function referralPlace(accountId: string): string {
  return createHash('sha256').update(`referred:${accountId}`).digest('base64url');
}

/** Who gave out a code. */
export interface Referrer {
  id: string;
  code: string;
}

/** Who gave out a code that came with a registration; null for none, one that cannot be, or one nobody has. */
export async function findReferrer(ctx: Ctx, text: string | null | undefined): Promise<Referrer | null> {
  const code = text == null ? null : parseReferralCode(text);
  const id = code === null ? null : await ctx.repos.referralCodes.findOwner(code);
  return code === null || id === null ? null : { id, code };
}

/** Guesses at a free code; two of a million accounts meet about once. */
const GUESSES = 10;

/** Takes a free code for an account. A step of registration and of making one later. */
export async function claimReferralCode(ctx: Ctx, userId: string): Promise<string> {
  for (let guess = 0; guess < GUESSES; guess += 1) {
    const code = referralCode(randomBytes(REFERRAL_CODE_BYTES));
    if (code !== null && (await ctx.repos.referralCodes.claim(code, userId))) return code;
  }
  throw new AppError('CONFLICT', 'No code could be made. Please try again.');
}

/** Keeps who referred an account. Doing it again, or for a place that is closed, changes nothing. */
export async function beginReferral(ctx: Ctx, referredId: string, { id, code }: Referrer): Promise<void> {
  if (!mayRefer({ referrerId: id, referredId })) return;
  const createdAt = ctx.now();
  const referral = { userId: id, code, grantId: `referral-${newId(createdAt)}`, createdAt };
  await ctx.repos.referrals.begin(referralPlace(referredId), referral);
}

/**
 * Fills an account's place with who referred it, else closes it: from then on, by the key of that place, nobody else
 * can refer the account, and it least of all.
 */
export async function fillReferralPlace(
  ctx: Ctx,
  { id, code }: Referrer,
  referrer: Referrer | null,
): Promise<void> {
  if (referrer !== null) await beginReferral(ctx, id, referrer);
  else await ctx.repos.referrals.close(referralPlace(id), { userId: id, code, createdAt: ctx.now() });
}
