import { createHash, randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { AppError, conflict } from '#app/domain/errors.ts';
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
import { newId } from '#app/platform/ids.server.ts';
import type { FirstPayment } from '#app/domain/billing/billing-state.ts';
import { pageFrom, type PageRequest } from '#app/platform/pagination.server.ts';
import type { ReferralRecord } from '#models/index.server.ts';
import { repos } from './repositories.server.ts';

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
  /** Where that page is, and the cursor of the next one. */
  paging: { page: number; limit: number; total: number; next: string | null };
  /** When the credit ends; null when there is none. */
  creditUntil: Date | null;
}

const SHOWN_REFERRALS = 100;

async function ownAccount(ctx: Ctx, userId: string) {
  const user = await repos(ctx).users.find(userId);
  if (user === null) throw new AppError('NOT_FOUND', 'There is no such account.');
  return user;
}

function invitationOf({ appUrl }: Ctx, code: string): Invitation {
  const link = referralLink(appUrl, code);
  return { code, link, shareText: shareText(link) };
}

/**
 * The signed-in user's link and referrals.
 * @throws AppError UNAUTHENTICATED, INVALID_INPUT
 */
export async function getReferrals(
  ctx: Ctx,
  request: PageRequest = { page: 1, limit: SHOWN_REFERRALS },
): Promise<ReferralView> {
  const { id } = authoriseUser(ctx.actor, 'referral.read');
  const { referralCode, creditUntil } = await ownAccount(ctx, id);
  const totals = await repos(ctx).referrals.countByStatus(id);
  const { pending, credited, reversed } = totals;
  const { items, paging } = await pageFrom<ReferralRecord>(request, {
    name: 'referrals',
    kinds: ['instant', 'text'],
    placeOf: ({ createdAt, place }) => [createdAt, place],
    read: (slice) => repos(ctx).referrals.list(id, slice),
    count: () => Promise.resolve(pending + credited + reversed),
  });
  return {
    invitation:
      referralCode == null || !mayDo(ctx.actor, 'referral.make-code')
        ? null
        : invitationOf(ctx, referralCode),
    ledger: items.map(({ createdAt, status, creditedAt, reversedAt }) => ({
      since: createdAt,
      standing: status,
      changedAt: reversedAt ?? creditedAt,
    })),
    totals,
    paging,
    creditUntil: creditUntil !== null && creditUntil > ctx.now() ? creditUntil : null,
  };
}

/**
 * Creates the signed-in user's code if there is none. Only accounts created at the terminal have none.
 * @throws AppError UNAUTHENTICATED, EMAIL_NOT_CONFIRMED
 */
export async function createReferralCode(ctx: Ctx): Promise<Invitation> {
  const { id } = authoriseUser(ctx.actor, 'referral.make-code');
  return ctx.transaction(async () => {
    const user = await ownAccount(ctx, id);
    if (user.referralCode != null) return invitationOf(ctx, user.referralCode);
    const code = await claimReferralCode(ctx, id);
    await fillReferralPlace(ctx, { id, code }, await findReferrer(ctx, user.referredByCode));
    await repos(ctx).users.setReferralCode(id, code);
    return invitationOf(ctx, code);
  });
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
  const id = code === null ? null : await repos(ctx).referralCodes.findOwner(code);
  return code === null || id === null ? null : { id, code };
}

/** Attempts to find a free code; with a million accounts, about one first attempt in all hits a used code. */
const CODE_ATTEMPTS = 10;

/** Claims a free code for an account: a step of registration. */
export async function claimReferralCode(ctx: Ctx, userId: string): Promise<string> {
  authorise(ctx.actor, 'referral.begin');
  for (let attempt = 0; attempt < CODE_ATTEMPTS; attempt += 1) {
    const code = referralCode(randomBytes(REFERRAL_CODE_BYTES));
    if (code !== null && (await repos(ctx).referralCodes.claim(code, userId))) return code;
  }
  throw conflict('CHANGED_MEANWHILE', 'No code could be created. Please try again.');
}

/** Records who referred an account. Repeating it, or doing it for a closed place, changes nothing. */
export async function beginReferral(ctx: Ctx, referredId: string, { id, code }: Referrer): Promise<void> {
  if (!mayRefer({ referrerId: id, referredId })) return;
  const createdAt = ctx.now();
  const referral = { userId: id, code, grantId: `referral-${newId(createdAt)}`, createdAt };
  await repos(ctx).referrals.begin(referralPlace(referredId), referral);
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
  else await repos(ctx).referrals.close(referralPlace(id), { userId: id, code, createdAt: ctx.now() });
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

/**
 * Credits both accounts of a referral once the referred one has made its first payment, and takes both credits back if
 * that payment is refunded or disputed: both and the referral's status, or nothing. Call it with each change of billing.
 * @param userId the account that pays
 * @returns the credits that changed
 */
export async function applyReferralPayment(
  ctx: Ctx,
  userId: string,
  payment: FirstPayment,
): Promise<ReferralCredit[]> {
  authorise(ctx.actor, 'referral.apply-payment');
  if (payment === 'none') return [];
  return ctx.transaction(async () => {
    const referral = await repos(ctx).referrals.findByPlace(referralPlace(userId));
    if (referral === null) return [];
    const at = ctx.now();
    const { status, change } = nextStatus(referral.status, payment);
    if (status === referral.status) return [];
    const when = status === 'credited' ? { creditedAt: at } : { reversedAt: at };
    await repos(ctx).referrals.changeStatus(referral, status, when);
    if (change === null) return [];
    const { grantId } = referral;
    const credits: ReferralCredit[] = [];
    for (const id of [referral.userId, userId]) {
      const credit = await changeCredit(ctx, id, (known) =>
        change === 'grant'
          ? grantCredit(known, { id: grantId, grantedAt: at })
          : reverseCredit(known, grantId, at),
      );
      if (credit === null) continue;
      if (credit.isChanged && change === 'grant') await notifyOfCredit(ctx, id, credit.until);
      credits.push({ userId: id, change: change === 'grant' ? 'granted' : 'taken-back', grantId });
    }
    ctx.log.info({ userId, changes: credits.length, payment }, 'referral credit applied');
    return credits;
  });
}

/**
 * Ends all credit of an account at once, as part of an admin's downgrade.
 * @returns whether there was any
 */
export async function endAllCredit(ctx: Ctx, userId: string): Promise<boolean> {
  authorise(ctx.actor, 'referral.end-credit');
  const at = ctx.now();
  return ctx.transaction(
    async () => (await changeCredit(ctx, userId, (grants) => endCredit(grants, at)))?.isChanged ?? false,
  );
}

/**
 * Changes the grants of an account and the end of its credit, in a transaction.
 * @returns the end of the credit afterwards; null when there is no such account
 */
async function changeCredit(
  ctx: Ctx,
  userId: string,
  change: (grants: readonly CreditGrant[]) => CreditGrant[],
): Promise<{ isChanged: boolean; until: Date | null } | null> {
  const known = await repos(ctx).users.findCredit(userId);
  if (known === null) return null;
  const grants = change(known);
  const isChanged = !isDeepStrictEqual(grants, known);
  const until = creditUntil(grants);
  if (isChanged) await repos(ctx).users.setCredit(userId, grants, until);
  return { isChanged, until };
}

async function notifyOfCredit(ctx: Ctx, userId: string, until: Date | null): Promise<void> {
  const user = await repos(ctx).users.find(userId);
  if (user === null || until === null) return;
  const { appUrl, mailQueue } = ctx;
  const { timeZone } = user;
  await mailQueue.post(
    user.email,
    referralCreditedMail({ appUrl, at: until, timeZone, days: REFERRAL_CREDIT_DAYS }),
  );
}
