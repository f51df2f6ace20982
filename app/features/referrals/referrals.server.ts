import { createHash, randomBytes } from 'node:crypto';
import { AppError } from '#app/domain/errors.ts';
import {
  parseReferralCode,
  REFERRAL_CODE_BYTES,
  referralCode,
  referralLink,
  shareText,
  mayRefer,
  type ReferralStatus,
  creditUntil,
  endCredit,
  grantCredit,
  REFERRAL_CREDIT_DAYS,
  reverseCredit,
  type CreditGrant,
  nextStatus,
  referralCreditedMail,
} from '#app/domain/referrals/referral.ts';
import { drawQr, type QrDrawing } from '#app/integrations/qr.server.ts';
import { authorise, authoriseUser, mayDo } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { compareAndSet, LOST } from '#app/platform/compare-and-set.server.ts';
import { newId } from '#app/platform/ids.server.ts';
import type { FirstPayment } from '#app/domain/billing/billing-state.ts';
import type { ReferralRecord } from '#models/index.server.ts';

/** A referral as its referrer sees it: its date and status, but not who it is. */
interface ReferralEntry {
  since: Date;
  standing: ReferralStatus;
  /** When it was credited or reversed; null while it is pending. */
  changedAt: Date | null;
}

/** What users send to friends. */
interface Invitation {
  code: string;
  link: string;
  shareText: string;
}

/** A user's link and referrals. */
interface ReferralView {
  /** Null for an account without a code (one created at the terminal) or with an unconfirmed address. */
  invitation: Invitation | null;
  /** One page of referrals, newest first; `totals` counts all. */
  ledger: ReferralEntry[];
  totals: Record<ReferralStatus, number>;
  /** When the credit ends; null when there is none. */
  creditUntil: Date | null;
}

const SHOWN_REFERRALS = 100;

async function ownAccount(ctx: Ctx, userId: string) {
  const user = await ctx.repos.users.find(userId);
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
export async function getReferrals(
  ctx: Ctx,
  { page, limit }: { page: number; limit: number } = { page: 1, limit: SHOWN_REFERRALS },
): Promise<ReferralView> {
  const { id } = authoriseUser(ctx.actor, 'referral.read');
  const { referralCode, creditUntil } = await ownAccount(ctx, id);
  const [ledger, totals] = await Promise.all([
    ctx.repos.referrals.list(id, limit, (page - 1) * limit),
    ctx.repos.referrals.countByStatus(id),
  ]);
  return {
    invitation:
      referralCode == null || !mayDo(ctx.actor, 'referral.make-code')
        ? null
        : invitationOf(ctx, referralCode),
    ledger: ledger.map(({ createdAt, status, creditedAt, reversedAt }) => ({
      since: createdAt,
      standing: status,
      changedAt: reversedAt ?? creditedAt,
    })),
    totals,
    creditUntil: creditUntil !== null && creditUntil > ctx.now() ? creditUntil : null,
  };
}

/**
 * Creates the signed-in user's code if there is none. Only accounts created at the terminal have none.
 * @throws AppError UNAUTHENTICATED, EMAIL_NOT_CONFIRMED
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
interface Referrer {
  id: string;
  code: string;
}

/** The owner of the code sent with a registration; null for a missing, malformed or unknown code. */
export async function findReferrer(ctx: Ctx, text: string | null | undefined): Promise<Referrer | null> {
  authorise(ctx.actor, 'referral.begin');
  const code = text == null ? null : parseReferralCode(text);
  const id = code === null ? null : await ctx.repos.referralCodes.findOwner(code);
  return code === null || id === null ? null : { id, code };
}

/** Attempts to find a free code; with a million accounts, about one first attempt in all hits a used code. */
const CODE_ATTEMPTS = 10;

/** Claims a free code for an account: a step of registration. */
export async function claimReferralCode(ctx: Ctx, userId: string): Promise<string> {
  authorise(ctx.actor, 'referral.begin');
  const claim = async () => {
    const code = referralCode(randomBytes(REFERRAL_CODE_BYTES));
    return code !== null && (await ctx.repos.referralCodes.claim(code, userId)) ? code : LOST;
  };
  return compareAndSet(claim, 'No code could be created. Please try again.', CODE_ATTEMPTS);
}

/** Records who referred an account. Repeating it, or doing it for a closed place, changes nothing. */
export async function beginReferral(ctx: Ctx, referredId: string, { id, code }: Referrer): Promise<void> {
  if (!mayRefer({ referrerId: id, referredId })) return;
  const createdAt = ctx.now();
  const referral = { userId: id, code, grantId: `referral-${newId(createdAt)}`, createdAt };
  await ctx.repos.referrals.begin(referralPlace(referredId), referral);
}

/**
 * Records who referred a new account, or closes its place. An account can be referred only at registration, and only
 * once because its place is the key.
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

/** The key of an account's place in the referrals. It does not reveal the account. */
export function referralPlace(accountId: string): string {
  return createHash('sha256').update(`referred:${accountId}`).digest('base64url');
}

/** A change to the credit of one of a referral's two accounts. */
export interface ReferralCredit {
  userId: string;
  change: 'granted' | 'taken-back';
  grantId: string;
}

/** An account whose credit changed. */
interface ChangedCredit extends ReferralCredit {
  creditUntil: Date | null;
}

/**
 * Further effects of credit, such as a later renewal. Called before the referral is marked as done and again after an
 * interruption, so it must be idempotent.
 */
type FollowCredit = (credits: readonly ReferralCredit[]) => Promise<void>;

/**
 * Credits both accounts of a referral once the referred one has made its first payment, and takes both credits back if
 * that payment is refunded or disputed. Call it after each change of billing: it does only what is missing, even when
 * calls run concurrently, and completes interrupted ones.
 * @param userId the account that pays
 * @returns the accounts whose credit it changed
 */
export async function applyReferralPayment(
  ctx: Ctx,
  userId: string,
  payment: FirstPayment,
  follow: FollowCredit = () => Promise.resolve(),
): Promise<ChangedCredit[]> {
  authorise(ctx.actor, 'referral.apply-payment');
  const place = referralPlace(userId);
  const found = payment === 'none' ? null : await referralOf(ctx, userId);
  let referral = found && (await moveTo(ctx, found, payment));
  const changes: ChangedCredit[] = [];
  while (referral !== null && !referral.isSettled) {
    changes.push(...(await creditAccount(ctx, referral.userId, referral)));
    changes.push(...(await creditAccount(ctx, userId, referral)));
    await follow(await creditsOf(ctx, referral, userId));
    if (await ctx.repos.referrals.markCredited(referral)) break;
    referral = await ctx.repos.referrals.findByPlace(place);
  }
  if (changes.length > 0)
    ctx.log.info({ userId, changes: changes.length, payment }, 'referral credit applied');
  return changes;
}

/**
 * Ends all credit of an account at once, as part of an admin's downgrade.
 * @returns whether there was any
 */
export async function endAllCredit(ctx: Ctx, userId: string): Promise<boolean> {
  authorise(ctx.actor, 'referral.end-credit');
  const at = ctx.now();
  return (await changeCredit(ctx, userId, (grants) => endCredit(grants, at))) !== null;
}

const CREDIT_BUSY = 'This credit is being changed elsewhere. Please try again.';

/**
 * Changes the grants of an account and the end of its credit in one update; concurrent changes all take effect.
 * @returns null when nothing changed, or there is no such account
 */
async function changeCredit(
  ctx: Ctx,
  userId: string,
  change: (grants: readonly CreditGrant[]) => CreditGrant[],
): Promise<{ before: CreditGrant[]; after: CreditGrant[] } | null> {
  return compareAndSet(async () => {
    const known = await ctx.repos.users.findCredit(userId);
    if (known === null) return null;
    const grants = change(known.grants);
    if (JSON.stringify(grants) === JSON.stringify(known.grants)) return null;
    const next = { grants, until: creditUntil(grants) };
    const isWritten = await ctx.repos.users.replaceCredit(userId, known, next);
    return isWritten ? { before: known.grants, after: grants } : LOST;
  }, CREDIT_BUSY);
}

/**
 * Updates the grants to match a referral's status. A reversal is recorded even if the grant was never given, so that a
 * slower call cannot give it afterwards.
 */
function grantsFor({ grantId, creditedAt, reversedAt }: ReferralRecord) {
  return (grants: readonly CreditGrant[]): CreditGrant[] => {
    if (creditedAt === null) return [...grants];
    const granted = grantCredit(grants, { id: grantId, grantedAt: creditedAt });
    return reversedAt === null ? granted : reverseCredit(granted, grantId, reversedAt);
  };
}

async function notifyOfCredit(ctx: Ctx, userId: string, until: Date | null): Promise<void> {
  const user = await ctx.repos.users.find(userId);
  if (user === null || until === null) return;
  const { appUrl, mailQueue } = ctx;
  const { timeZone } = user;
  await mailQueue.post(
    user.email,
    referralCreditedMail({ appUrl, at: until, timeZone, days: REFERRAL_CREDIT_DAYS }),
  );
}

async function creditAccount(ctx: Ctx, userId: string, referral: ReferralRecord): Promise<ChangedCredit[]> {
  const changed = await changeCredit(ctx, userId, grantsFor(referral));
  if (changed === null) return [];
  const { grantId } = referral;
  const had = changed.before.some(({ id }) => id === grantId);
  const isReversed = referral.reversedAt !== null;
  // Given and taken back in one step, so there is nothing to report.
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
    if ((await ctx.repos.users.find(userId)) !== null) credits.push({ userId, change, grantId });
  return credits;
}

/** The account's referral. Completes a registration that was interrupted before it recorded the referral. */
async function referralOf(ctx: Ctx, userId: string): Promise<ReferralRecord | null> {
  const { referrals, users } = ctx.repos;
  const found = await referrals.findByPlace(referralPlace(userId));
  if (found !== null) return found;
  const user = await users.find(userId);
  const referrer = await findReferrer(ctx, user?.referredByCode);
  if (referrer === null) return null;
  await beginReferral(ctx, userId, referrer);
  return referrals.findByPlace(referralPlace(userId));
}

/** Moves the referral to the status that the payment requires. @returns the updated referral, null when it is gone */
async function moveTo(
  ctx: Ctx,
  found: ReferralRecord,
  payment: FirstPayment,
): Promise<ReferralRecord | null> {
  const { referrals } = ctx.repos;
  let referral: ReferralRecord | null = found;
  return compareAndSet(async () => {
    if (referral === null) return null;
    const { status } = nextStatus(referral.status, payment);
    if (status === referral.status) return referral;
    const at = ctx.now();
    const moved = await referrals.changeStatus(
      referral,
      status,
      status === 'credited' ? { creditedAt: at } : { reversedAt: at },
    );
    if (moved !== null) return moved;
    referral = await referrals.findByPlace(found.place);
    return LOST;
  }, CREDIT_BUSY);
}
