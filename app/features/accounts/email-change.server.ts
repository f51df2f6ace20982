import { isGone } from '#app/domain/accounts/account.ts';
import { AppError, conflict, fieldError } from '#app/domain/errors.ts';
import {
  emailChangeAskedMail,
  emailChangedMail,
  emailConfirmationMail,
  emailConfirmMail,
} from '#app/domain/accounts/account-mails.ts';
import {
  changeEmailSchema,
  CONFIRMATION_HOURS,
  EMAIL_MESSAGES,
  EMAIL_MINUTES,
  type ChangeEmailInput,
} from '#app/domain/accounts/account-schema.ts';
import { HOUR_MS, MINUTE_MS } from '#app/domain/time/calendar.ts';
import { parseInput } from '#app/domain/forms/fields.ts';
import { afterCommit, type UserRecord } from '#models/index.server.ts';
import { recordAudit } from '#app/platform/audit/audit.server.ts';
import { authorise, authoriseUser, authoriseRecent } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { moveCustomer } from '#app/features/billing/index.server.ts';
import {
  createOneTimeSecret,
  findOneTimeSecret,
  takeOneTimeSecret,
} from '#app/platform/secrets/secret-tokens.server.ts';
import { endSignIns } from './sessions.server.ts';
import { THROTTLE_RULES } from '#app/platform/access/throttle.server.ts';
import { repos } from './repositories.server.ts';

/** A link that proves that its recipient reads mail at an address: the account's own, or its new one. */
const PURPOSE = 'confirm-email';

/** Mails the link that confirms the address of a new account. */
export async function mailConfirmation(
  ctx: Ctx,
  { id, email }: { id: string; email: string },
): Promise<void> {
  const lifeMs = CONFIRMATION_HOURS * HOUR_MS;
  const { appUrl } = ctx;
  await ctx.transaction(async () => {
    const token = await createOneTimeSecret(ctx, { userId: id, purpose: PURPOSE, lifeMs, facts: { email } });
    await ctx.mailQueue.post(
      email,
      emailConfirmationMail({ appUrl, token, validHours: CONFIRMATION_HOURS, isSelling: ctx.isSelling }),
    );
  });
}

/**
 * Mails the confirmation link again.
 * @throws AppError CONFLICT when the address is confirmed, RATE_LIMITED
 */
export async function resendConfirmation(ctx: Ctx): Promise<void> {
  const user = authoriseUser(ctx.actor, 'account.confirm-email');
  if (user.hasConfirmedEmail) throw conflict('ALREADY_CONFIRMED', EMAIL_MESSAGES.confirmedAlready);
  await ctx.throttle.take({ rule: THROTTLE_RULES.emailConfirmation, who: user.id });
  await mailConfirmation(ctx, user);
}

/**
 * Starts an address change: a link goes to the new address, a notice to the old one. For an address of another account the
 * answer is the same, but no mail is sent to it.
 * @throws AppError RECENT_SIGN_IN_REQUIRED, INVALID_INPUT, RATE_LIMITED
 */
export async function askForEmailChange(ctx: Ctx, input: ChangeEmailInput): Promise<void> {
  const user = authoriseRecent(ctx, 'account.change-email');
  const { email } = parseInput(changeEmailSchema, input);
  if (email === user.email) throw fieldError('email', EMAIL_MESSAGES.same);
  await ctx.throttle.take({ rule: THROTTLE_RULES.emailChange, who: user.id });
  const holder = await repos(ctx).addresses.findOwner(email);
  const at = ctx.now();
  const lifeMs = EMAIL_MINUTES * MINUTE_MS;
  const isFree = holder === null || holder === user.id;
  const { appUrl, timeZone, mailQueue } = ctx;
  await ctx.transaction(async () => {
    const secret = { userId: user.id, purpose: PURPOSE, lifeMs, facts: { email } } as const;
    const token = await createOneTimeSecret(ctx, secret);
    await recordAudit(ctx, { action: 'account.ask-email-change', subjectId: user.id, before: {}, after: {} });
    await mailQueue.post(user.email, emailChangeAskedMail({ appUrl, at, timeZone }));
    const mail = emailConfirmMail({ appUrl, token, validMinutes: EMAIL_MINUTES });
    await mailQueue.post(isFree ? email : null, mail);
  });
}

const linkIsOver = () => new AppError('NOT_FOUND', EMAIL_MESSAGES.over);

/** What a link confirms: the account's current address, or a new one. */
export type EmailLink = 'own-address' | 'new-address';

/**
 * Checks that a link works, without using it up.
 * @throws AppError NOT_FOUND when it was used, has expired or is not one of ours
 */
export async function checkEmailLink(ctx: Ctx, token: string): Promise<EmailLink> {
  authorise(ctx.actor, 'email.confirm');
  const found = await findOneTimeSecret(ctx, PURPOSE, token);
  if (found === null) throw linkIsOver();
  const user = await repos(ctx).users.find(found.userId);
  return user?.email === found.facts['email'] ? 'own-address' : 'new-address';
}

/**
 * Confirms the address that the link was mailed to. For a new account's own address nothing else changes. A new address
 * replaces the account's: links mailed to the old one stop working, and all sessions end except that of the browser that
 * opened the link.
 * @throws AppError NOT_FOUND when the link was used or has expired, or another account has taken the address
 */
export async function confirmEmail(ctx: Ctx, token: string): Promise<EmailLink> {
  await checkEmailLink(ctx, token);
  return ctx.transaction(() => useLink(ctx, token));
}

async function useLink(ctx: Ctx, token: string): Promise<EmailLink> {
  const taken = await takeOneTimeSecret(ctx, PURPOSE, token);
  const user = taken === null ? null : await repos(ctx).users.find(taken.userId);
  const email = taken?.facts['email'];
  if (user === null || user.suspendedAt !== null || isGone(user, ctx.now()) || typeof email !== 'string')
    throw linkIsOver();
  if (email !== user.email) {
    await changeEmail(ctx, user, email);
    return 'new-address';
  }
  if (await repos(ctx).users.confirmEmail(user.id, email, ctx.now()))
    await recordAudit(ctx, { action: 'account.confirm-email', subjectId: user.id, before: {}, after: {} });
  return 'own-address';
}

async function changeEmail(ctx: Ctx, user: UserRecord, email: string): Promise<void> {
  if (!(await repos(ctx).addresses.claim(email, user.id))) throw linkIsOver();
  if (!(await repos(ctx).users.replaceEmail(user.id, user.email, email, ctx.now()))) throw linkIsOver();
  await repos(ctx).addresses.release(user.email, user.id);
  await repos(ctx).oneTimeSecrets.clear(user.id);
  const { actor } = ctx;
  const isOwnBrowser = actor.kind === 'user' && actor.id === user.id;
  await endSignIns(ctx, user.id, isOwnBrowser ? actor.sessionId : null);
  await recordAudit(ctx, { action: 'account.change-email', subjectId: user.id, before: {}, after: {} });
  const { appUrl } = ctx;
  await ctx.mailQueue.post(user.email, emailChangedMail({ appUrl, at: ctx.now(), timeZone: user.timeZone }));
  await afterCommit(() => moveCustomer(ctx, user, email));
}
