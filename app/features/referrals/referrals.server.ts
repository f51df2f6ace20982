import { createHash, randomBytes } from 'node:crypto';
import { AppError } from '#app/domain/errors.ts';
import {
  parseReferralCode,
  REFERRAL_CODE_BYTES,
  referralCode,
  referralLink,
  shareText,
} from '#app/domain/referrals/referral-code.ts';
import { mayRefer, type ReferralStatus } from '#app/domain/referrals/referral-status.ts';
import { drawQr, type QrDrawing } from '#app/integrations/qr.server.ts';
import { authorise, authoriseUser } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { newId } from '#app/platform/ids.server.ts';

/** A referral as the referrer may know it: when it began and its status, but not who it is. */
export interface ReferralEntry {
  since: Date;
  standing: ReferralStatus;
  /** When it was credited or reversed; null while it is pending. */
  changedAt: Date | null;
}

/** What somebody sends to friends. */
export interface Invitation {
  code: string;
  link: string;
  shareText: string;
}

/** Somebody's link and referrals. */
export interface ReferralView {
  /** Null for an account without a code: one that was created at the terminal. */
  invitation: Invitation | null;
  /** The newest first, at most 100; `totals` counts all. */
  ledger: ReferralEntry[];
  totals: Record<ReferralStatus, number>;
  /** When the credit ends; null when there is none. */
  creditUntil: Date | null;
}

const SHOWN_REFERRALS = 100;

async function ownAccount(ctx: Ctx, userId: string) {
  const user = await ctx.repos.users.findById(userId);
  if (user === null) throw new AppError('NOT_FOUND', 'There is no such account.');
  return user;
}

function invitationOf({ appUrl }: Ctx, code: string): Invitation {
  const link = referralLink(appUrl, code);
  return { code, link, shareText: shareText(link) };
}

/**
 * The signed-in user's link and referrals.
 * @throws AppError UNAUTHENTICATED
 */
export async function getReferrals(ctx: Ctx): Promise<ReferralView> {
  const { id } = authoriseUser(ctx.actor, 'referral.read');
  const { referralCode, creditUntil } = await ownAccount(ctx, id);
  const [ledger, totals] = await Promise.all([
    ctx.repos.referrals.list(id, SHOWN_REFERRALS),
    ctx.repos.referrals.countByStanding(id),
  ]);
  return {
    invitation: referralCode == null ? null : invitationOf(ctx, referralCode),
    ledger: ledger.map(({ createdAt, standing, creditedAt, reversedAt }) => ({
      since: createdAt,
      standing,
      changedAt: reversedAt ?? creditedAt,
    })),
    totals,
    creditUntil: creditUntil !== null && creditUntil > ctx.now() ? creditUntil : null,
  };
}

/**
 * Creates the signed-in user's code, unless there is one. Only accounts created at the terminal have none.
 * @throws AppError UNAUTHENTICATED
 */
export async function createReferralCode(ctx: Ctx): Promise<Invitation> {
  const { id } = authoriseUser(ctx.actor, 'referral.make-code');
  const { users, referralCodes } = ctx.repos;
  const user = await ownAccount(ctx, id);
  if (user.referralCode != null) return invitationOf(ctx, user.referralCode);
  const code = await claimReferralCode(ctx, id);
  await fillReferralPlace(ctx, { id, code }, await findReferrer(ctx, user.referredByCode));
  if (await users.setReferralCode(id, code)) return invitationOf(ctx, code);
  await referralCodes.release(code, id);
  return createReferralCode(ctx);
}

/** The link as a QR code. */
export function referralQr({ link }: Pick<Invitation, 'link'>): QrDrawing {
  return drawQr(link);
}

/** The account that a code belongs to. */
export interface Referrer {
  id: string;
  code: string;
}

/** Whose code came with a registration; null without a code, for a malformed one, and for one that nobody has. */
export async function findReferrer(ctx: Ctx, text: string | null | undefined): Promise<Referrer | null> {
  authorise(ctx.actor, 'referral.begin');
  const code = text == null ? null : parseReferralCode(text);
  const id = code === null ? null : await ctx.repos.referralCodes.findOwner(code);
  return code === null || id === null ? null : { id, code };
}

/** Attempts at a free code: among a million accounts about one first attempt meets a code in use. */
const ATTEMPTS = 10;

/** Claims a free code for an account: a step of registration. */
export async function claimReferralCode(ctx: Ctx, userId: string): Promise<string> {
  authorise(ctx.actor, 'referral.begin');
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const code = referralCode(randomBytes(REFERRAL_CODE_BYTES));
    if (code !== null && (await ctx.repos.referralCodes.claim(code, userId))) return code;
  }
  throw new AppError('CONFLICT', 'No code could be created. Please try again.');
}

/** Records who referred an account. Doing it again, or for a place that is closed, changes nothing. */
export async function beginReferral(ctx: Ctx, referredId: string, { id, code }: Referrer): Promise<void> {
  if (!mayRefer({ referrerId: id, referredId })) return;
  const createdAt = ctx.now();
  const referral = { userId: id, code, grantId: `referral-${newId(createdAt)}`, createdAt };
  await ctx.repos.referrals.begin(referralPlace(referredId), referral);
}

/**
 * Records who referred a new account, or closes its place: an account is referred at registration or never, and at most
 * once, since its place is the key.
 */
export async function fillReferralPlace(
  ctx: Ctx,
  { id, code }: Referrer,
  referrer: Referrer | null,
): Promise<void> {
  authorise(ctx.actor, 'referral.begin');
  if (referrer !== null) await beginReferral(ctx, id, referrer);
  else await ctx.repos.referrals.close(referralPlace(id), { userId: id, code, createdAt: ctx.now() });
}

/** The key of an account's place as somebody's referral. It does not reveal the account. */
export function referralPlace(accountId: string): string {
  return createHash('sha256').update(`referred:${accountId}`).digest('base64url');
}
