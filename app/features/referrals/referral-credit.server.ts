import type { FirstPayment } from '#app/domain/billing/billing-state.ts';
import { AppError } from '#app/domain/errors.ts';
import { referralCreditedMail } from '#app/domain/referrals/referral-mails.ts';
import {
  creditUntil,
  endCredit,
  grantCredit,
  REFERRAL_CREDIT_DAYS,
  reverseCredit,
  type CreditGrant,
} from '#app/domain/referrals/referral-credit.ts';
import { nextStatus } from '#app/domain/referrals/referral-status.ts';
import type { ReferralRecord } from '#models/index.server.ts';
import { authorise } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { beginReferral, findReferrer, referralPlace } from './referrals.server.ts';

/** The credit that one of a referral's two accounts has by its status. */
export interface ReferralCredit {
  userId: string;
  change: 'granted' | 'taken-back';
  grantId: string;
}

/** An account whose credit changed. */
export interface ChangedCredit extends ReferralCredit {
  creditUntil: Date | null;
}

/**
 * What follows from credit besides the credit itself, such as a later renewal. Called before the referral counts as
 * settled, and again when a call was cut off: calling it twice must change nothing.
 */
export type FollowCredit = (credits: readonly ReferralCredit[]) => Promise<void>;

/**
 * Credits both accounts of a referral when the referred one has made its first payment, and takes both credits back
 * when that was refunded or disputed. Call it after each change of billing: it does what is missing and nothing twice,
 * also when several calls run at once, and finishes what was cut off.
 * @param userId the account that pays
 * @returns the accounts whose credit it changed
 */
export async function settleReferral(
  ctx: Ctx,
  userId: string,
  payment: FirstPayment,
  follow: FollowCredit = () => Promise.resolve(),
): Promise<ChangedCredit[]> {
  authorise(ctx.actor, 'referral.settle');
  const place = referralPlace(userId);
  const found = payment === 'none' ? null : await referralOf(ctx, userId);
  let referral = found && (await moveTo(ctx, found, payment));
  const changes: ChangedCredit[] = [];
  while (referral !== null && !referral.isSettled) {
    changes.push(...(await settleAccount(ctx, referral.userId, referral)));
    changes.push(...(await settleAccount(ctx, userId, referral)));
    await follow(await creditsOf(ctx, referral, userId));
    if (await ctx.repos.referrals.settle(referral)) break;
    referral = await ctx.repos.referrals.findByPlace(place);
  }
  if (changes.length > 0) ctx.log.info({ userId, changes: changes.length, payment }, 'referral settled');
  return changes;
}

/**
 * Ends all credit of an account at once: part of an admin's downgrade.
 * @returns whether there was any to end
 */
export async function endAllCredit(ctx: Ctx, userId: string): Promise<boolean> {
  authorise(ctx.actor, 'referral.end-credit');
  const at = ctx.now();
  return (await changeCredit(ctx, userId, (grants) => endCredit(grants, at))) !== null;
}

/** Each round of a race has a winner, so this is far more than can ever be needed. */
const ATTEMPTS = 200;

/**
 * Changes the grants of an account and the end of its credit in one update; concurrent changes all take effect.
 * @returns null when nothing changed, or there is no such account
 */
async function changeCredit(
  ctx: Ctx,
  userId: string,
  change: (grants: readonly CreditGrant[]) => CreditGrant[],
): Promise<{ before: CreditGrant[]; after: CreditGrant[] } | null> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const known = await ctx.repos.users.findCredit(userId);
    if (known === null) return null;
    const grants = change(known.grants);
    if (JSON.stringify(grants) === JSON.stringify(known.grants)) return null;
    const next = { grants, until: creditUntil(grants) };
    if (await ctx.repos.users.replaceCredit(userId, known, next))
      return { before: known.grants, after: grants };
  }
  throw new AppError('CONFLICT', 'The credit is being changed elsewhere. Please try again.');
}

/**
 * The grants as a referral's status requires them. A reversed one is recorded as taken back even where it was never
 * given, so that a slower call which still wants to give it changes nothing.
 */
function grantsFor({ grantId, creditedAt, reversedAt }: ReferralRecord) {
  return (grants: readonly CreditGrant[]): CreditGrant[] => {
    if (creditedAt === null) return [...grants];
    const granted = grantCredit(grants, { id: grantId, grantedAt: creditedAt });
    return reversedAt === null ? granted : reverseCredit(granted, grantId, reversedAt);
  };
}

async function notifyOfCredit(ctx: Ctx, userId: string, until: Date | null): Promise<void> {
  const user = await ctx.repos.users.findById(userId);
  if (user === null || until === null) return;
  const { appUrl, mailQueue } = ctx;
  const { timeZone } = user;
  mailQueue.post(
    user.email,
    referralCreditedMail({ appUrl, at: until, timeZone, days: REFERRAL_CREDIT_DAYS }),
  );
}

async function settleAccount(ctx: Ctx, userId: string, referral: ReferralRecord): Promise<ChangedCredit[]> {
  const changed = await changeCredit(ctx, userId, grantsFor(referral));
  if (changed === null) return [];
  const { grantId } = referral;
  const had = changed.before.some(({ id }) => id === grantId);
  const isReversed = referral.reversedAt !== null;
  // Given and taken back in one step: the person notices nothing.
  if (!had && isReversed) return [];
  const until = creditUntil(changed.after);
  if (!isReversed) await notifyOfCredit(ctx, userId, until);
  return [{ userId, change: isReversed ? 'taken-back' : 'granted', grantId, creditUntil: until }];
}

/** The credits of those of the two accounts that still exist. */
async function creditsOf(
  ctx: Ctx,
  { userId: referrerId, grantId, creditedAt, reversedAt }: ReferralRecord,
  referredId: string,
): Promise<ReferralCredit[]> {
  if (creditedAt === null) return [];
  const change = reversedAt === null ? 'granted' : 'taken-back';
  const credits: ReferralCredit[] = [];
  for (const userId of [referrerId, referredId])
    if ((await ctx.repos.users.findById(userId)) !== null) credits.push({ userId, change, grantId });
  return credits;
}

/** The account's referral. A registration that was cut off before it recorded the referral is completed here. */
async function referralOf(ctx: Ctx, userId: string): Promise<ReferralRecord | null> {
  const { referrals, users } = ctx.repos;
  const found = await referrals.findByPlace(referralPlace(userId));
  if (found !== null) return found;
  const user = await users.findById(userId);
  const referrer = await findReferrer(ctx, user?.referredByCode);
  if (referrer === null) return null;
  await beginReferral(ctx, userId, referrer);
  return referrals.findByPlace(referralPlace(userId));
}

/** Moves the referral to the status that the payment requires; others may be doing so, too. @returns it as it is then */
async function moveTo(
  ctx: Ctx,
  found: ReferralRecord,
  payment: FirstPayment,
): Promise<ReferralRecord | null> {
  const { referrals } = ctx.repos;
  let referral: ReferralRecord | null = found;
  while (referral !== null) {
    const { standing } = nextStatus(referral.standing, payment);
    if (standing === referral.standing) return referral;
    const at = ctx.now();
    const next = standing === 'credited' ? { standing, creditedAt: at } : { standing, reversedAt: at };
    await referrals.move(referral, next);
    referral = await referrals.findByPlace(referral.place);
  }
  return null;
}
