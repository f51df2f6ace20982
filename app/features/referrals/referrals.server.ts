import { AppError } from '#app/domain/errors.ts';
import { referralLink, shareText } from '#app/domain/referrals/referral-code.ts';
import type { ReferralStanding } from '#app/domain/referrals/referral-status.ts';
import { drawQr, type QrDrawing } from '#app/integrations/qr.server.ts';
import { authoriseUser } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { claimReferralCode, fillReferralPlace, findReferrer } from './referral-start.server.ts';

/** A referral as the referrer may know it: when and how it stands, not who. */
export interface ReferralEntry {
  since: Date;
  standing: ReferralStanding;
  /** When it was credited or reversed; null while it is pending. */
  changedAt: Date | null;
}

/** What an account gives to others. */
export interface Invitation {
  code: string;
  link: string;
  shareText: string;
}

/** What somebody's referrals brought. */
export interface ReferralView {
  /** Null for an account that has no code yet: one that was made at the terminal. */
  invitation: Invitation | null;
  /** The newest first, at most {@link SHOWN_REFERRALS}. */
  ledger: ReferralEntry[];
  totals: Record<ReferralStanding, number>;
  /** End of the credit that runs; null when none does. */
  creditUntil: Date | null;
}

/** As many as the page lists; the totals count all. */
export const SHOWN_REFERRALS = 100;

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
 * Gives the signed-in user a code, unless there is one. Registration does so for everybody who comes that way.
 * @throws AppError UNAUTHENTICATED
 */
export async function makeReferralCode(ctx: Ctx): Promise<Invitation> {
  const { id } = authoriseUser(ctx.actor, 'referral.make-code');
  const { users, referralCodes } = ctx.repos;
  const user = await ownAccount(ctx, id);
  if (user.referralCode != null) return invitationOf(ctx, user.referralCode);
  const code = await claimReferralCode(ctx, id);
  await fillReferralPlace(ctx, { id, code }, await findReferrer(ctx, user.referredByCode));
  if (await users.setReferralCode(id, code)) return invitationOf(ctx, code);
  await referralCodes.release(code, id);
  return makeReferralCode(ctx);
}

/** The link as a picture to scan. */
export function referralQr({ link }: Pick<Invitation, 'link'>): QrDrawing {
  return drawQr(link);
}
