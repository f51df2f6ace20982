import type { FirstPayment } from '#app/domain/billing/billing-state.ts';
import { AppError } from '#app/domain/errors.ts';
import { referralCreditedMail } from '#app/domain/accounts/account-mails.ts';
import {
  creditUntil,
  endCredit,
  grantCredit,
  REFERRAL_CREDIT_DAYS,
  reverseCredit,
  type CreditGrant,
} from '#app/domain/referrals/referral-credit.ts';
import { nextStanding } from '#app/domain/referrals/referral-status.ts';
import type { ReferralRecord } from '#models/index.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { beginReferral, findReferrer, referralPlace } from './referral-start.server.ts';

/** What a referral's standing means for one of its two accounts. */
export interface StandingCredit {
  userId: string;
  change: 'granted' | 'taken-back';
  /** Names the grant. */
  grantId: string;
}

/** An account whose credit was changed. */
export interface ChangedCredit extends StandingCredit {
  creditUntil: Date | null;
}

/**
 * What has to follow from credit, beside the credit itself. Called before the referral counts as settled, and again
 * when a call was cut off: doing it twice must change nothing.
 */
export type FollowCredit = (credits: readonly StandingCredit[]) => Promise<void>;

/** Each round of a race has a winner, so this is far more than can be needed. */
const ATTEMPTS = 200;

/**
 * Changes the grants of an account and the end of its credit, as one update that stands however many happen at once.
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
  throw new AppError('CONFLICT', 'The credit changes too often at the moment. Please try again.');
}

/**
 * The grants as a referral's standing wants them. One that is reversed is written as taken back even where it was
 * never given, so that a slower call which still wants to give it changes nothing.
 */
function asStanding({ grantId, creditedAt, reversedAt }: ReferralRecord) {
  return (grants: readonly CreditGrant[]): CreditGrant[] => {
    if (creditedAt === null) return [...grants];
    const granted = grantCredit(grants, { id: grantId, grantedAt: creditedAt });
    return reversedAt === null ? granted : reverseCredit(granted, grantId, reversedAt);
  };
}

async function tellCredit(ctx: Ctx, userId: string, until: Date | null): Promise<void> {
  const user = await ctx.repos.users.findById(userId);
  if (user === null || until === null) return;
  const { appUrl, postbox } = ctx;
  const { timeZone } = user;
  postbox.post(user.email, referralCreditedMail({ appUrl, at: until, timeZone, days: REFERRAL_CREDIT_DAYS }));
}

async function settleAccount(ctx: Ctx, userId: string, referral: ReferralRecord): Promise<ChangedCredit[]> {
  const changed = await changeCredit(ctx, userId, asStanding(referral));
  if (changed === null) return [];
  const { grantId } = referral;
  const had = changed.before.some(({ id }) => id === grantId);
  const isReversed = referral.reversedAt !== null;
  // Given and taken back in one: nothing the person would notice.
  if (!had && isReversed) return [];
  const until = creditUntil(changed.after);
  if (!isReversed) await tellCredit(ctx, userId, until);
  return [{ userId, change: isReversed ? 'taken-back' : 'granted', grantId, creditUntil: until }];
}

/** What stands for those of the two accounts that are still there. */
async function standingCredits(
  ctx: Ctx,
  { userId: referrerId, grantId, creditedAt, reversedAt }: ReferralRecord,
  referredId: string,
): Promise<StandingCredit[]> {
  if (creditedAt === null) return [];
  const change = reversedAt === null ? 'granted' : 'taken-back';
  const credits: StandingCredit[] = [];
  for (const userId of [referrerId, referredId])
    if ((await ctx.repos.users.findById(userId)) !== null) credits.push({ userId, change, grantId });
  return credits;
}

/** Who referred the account. A registration that was cut off before it said so is finished here. */
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

/** Moves the referral to what the payment says; others may be doing so, too. @returns it as it is then */
async function moved(ctx: Ctx, found: ReferralRecord, payment: FirstPayment): Promise<ReferralRecord | null> {
  const { referrals } = ctx.repos;
  let referral: ReferralRecord | null = found;
  while (referral !== null) {
    const { standing } = nextStanding(referral.standing, payment);
    if (standing === referral.standing) return referral;
    const at = ctx.now();
    const next = standing === 'credited' ? { standing, creditedAt: at } : { standing, reversedAt: at };
    await referrals.move(referral, next);
    referral = await referrals.findByPlace(referral.place);
  }
  return null;
}

/**
 * Credits the referrer of an account, and the account itself, when its first payment was made, and takes both back
 * when it was refunded or disputed. Call it after each change of billing: it does what is missing and nothing twice,
 * whoever else calls it at the same time, and finishes what was cut off. A step of other services, which have asked
 * the policy.
 * @param userId the account that pays
 * @returns whose credit it changed
 */
export async function settleReferral(
  ctx: Ctx,
  userId: string,
  payment: FirstPayment,
  follow: FollowCredit = () => Promise.resolve(),
): Promise<ChangedCredit[]> {
  const place = referralPlace(userId);
  const found = payment === 'none' ? null : await referralOf(ctx, userId);
  let referral = found && (await moved(ctx, found, payment));
  const changes: ChangedCredit[] = [];
  while (referral !== null && !referral.isSettled) {
    changes.push(...(await settleAccount(ctx, referral.userId, referral)));
    changes.push(...(await settleAccount(ctx, userId, referral)));
    await follow(await standingCredits(ctx, referral, userId));
    if (await ctx.repos.referrals.settle(referral)) break;
    referral = await ctx.repos.referrals.findByPlace(place);
  }
  if (changes.length > 0) ctx.log.info({ userId, changes: changes.length, payment }, 'referral settled');
  return changes;
}

/**
 * Ends all credit of an account at once: part of a downgrade. A step of other services.
 * @returns whether there was any to end
 */
export async function endAllCredit(ctx: Ctx, userId: string): Promise<boolean> {
  const at = ctx.now();
  return (await changeCredit(ctx, userId, (grants) => endCredit(grants, at))) !== null;
}
