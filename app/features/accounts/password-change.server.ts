import { AppError, conflict, fieldError } from '#app/domain/errors.ts';
import { RESET_LINK_OVER } from '#app/domain/accounts/account.ts';
import { passwordChangedMail, passwordResetMail } from '#app/domain/accounts/account-mails.ts';
import {
  ACCOUNT_MESSAGES,
  changePasswordSchema,
  confirmPasswordSchema,
  forgotPasswordSchema,
  RESET_MINUTES,
  resetPasswordSchema,
  type ChangePasswordInput,
  type ConfirmPasswordInput,
  type ForgotPasswordInput,
  type ResetPasswordInput,
} from '#app/domain/accounts/account-schema.ts';
import { passkeySchema } from '#app/domain/accounts/passkey-schema.ts';
import { parseInput } from '#app/domain/forms/fields.ts';
import { recordAudit } from '#app/platform/audit/audit.server.ts';
import { authorise, authoriseRecent, authoriseUser } from '#app/platform/access/authorise.server.ts';
import type { Ctx, SignedInUser } from '#app/platform/access/context.server.ts';
import { THROTTLE_RULES } from '#app/platform/access/throttle.server.ts';
import { makeDeviceToken } from './known-client.server.ts';
import { checkPasskey } from './passkeys.server.ts';
import {
  hashPassword,
  mayUsePassword,
  refuseCommonPassword,
  requirePasswords,
  verifyPassword,
} from './passwords.server.ts';
import { checkCodeIfNeeded, requireCode } from './second-factor.server.ts';
import { endSignIns, rotateSession, type StartedSession } from './sessions.server.ts';
import { MINUTE_MS, shownDay } from '#app/domain/time/calendar.ts';
import type { UserRecord } from '#models/index.server.ts';
import {
  createOneTimeSecret,
  findOneTimeSecret,
  takeOneTimeSecret,
} from '#app/platform/secrets/secret-tokens.server.ts';
import { webhookHost } from '#app/domain/webhooks/webhook.ts';
import { shareState } from '#app/domain/reports/report-share.ts';
import { repos } from './repositories.server.ts';

/**
 * Changes the signed-in user's password and ends all their other sessions; the current one continues. On request it also
 * ends links that work without signing in.
 * @returns a new device token for this browser; with the new password all other browsers become unknown
 * @throws AppError SWITCHED_OFF, INVALID_INPUT at the wrong field, SECOND_FACTOR_REQUIRED, RATE_LIMITED, CONFLICT when it was changed
 * elsewhere at the same moment
 */
export async function changePassword(ctx: Ctx, input: ChangePasswordInput): Promise<{ deviceToken: string }> {
  const user = authoriseUser(ctx.actor, 'account.change-password');
  requirePasswords(ctx, user.role);
  const { currentPassword, newPassword, code, endLinks } = parseInput(changePasswordSchema, input);
  await refuseCommonPassword(newPassword, 'newPassword');
  const oldHash = await checkOwnPassword(ctx, user, currentPassword, 'currentPassword');
  await requireCode(ctx, user, code);
  return replacePassword(ctx, user, { oldHash, newPassword, endLinks });
}

/**
 * Sets the first password of a signed-in user who signs in elsewhere. Otherwise the same as {@link changePassword}.
 * @throws AppError RECENT_SIGN_IN_REQUIRED; INVALID_INPUT; RATE_LIMITED; CONFLICT when the account has a password
 */
export async function setFirstPassword(
  ctx: Ctx,
  input: ResetPasswordInput,
): Promise<{ deviceToken: string }> {
  const user = authoriseRecent(ctx, 'account.change-password');
  requirePasswords(ctx, user.role);
  const { password } = parseInput(resetPasswordSchema, input);
  await refuseCommonPassword(password);
  return replacePassword(ctx, user, { oldHash: null, newPassword: password, endLinks: false });
}

async function replacePassword(
  ctx: Ctx,
  user: SignedInUser,
  { oldHash, newPassword, endLinks }: { oldHash: string | null; newPassword: string; endLinks: boolean },
): Promise<{ deviceToken: string }> {
  const newHash = await hashPassword(callerOf(ctx, user.id), newPassword);
  return ctx.transaction(async () => {
    const revision = await repos(ctx).users.changePassword(user.id, oldHash, newHash);
    if (revision === null) {
      throw conflict('CHANGED_MEANWHILE', 'The password was just changed elsewhere. Please try again.');
    }
    await repos(ctx).oneTimeSecrets.clear(user.id);
    await endSignIns(ctx, user.id, user.sessionId);
    if (endLinks) await endOpenLinks(ctx, user.id);
    await recordAudit(ctx, { action: 'account.change-password', subjectId: user.id, before: {}, after: {} });
    const { appUrl, timeZone } = ctx;
    await ctx.mailQueue.post(user.email, passwordChangedMail({ appUrl, at: ctx.now(), timeZone }));
    return { deviceToken: makeDeviceToken(ctx.secret, { userId: user.id, revision }) };
  });
}

/**
 * Checks the password again, and a code if the account has a second factor. The session continues under a new secret and
 * counts as a recent sign-in.
 * @param token the session's current secret, which stops working
 * @throws AppError INVALID_INPUT at the password or the code, RATE_LIMITED, UNAUTHENTICATED
 */
export async function confirmPassword(
  ctx: Ctx,
  input: ConfirmPasswordInput,
  token: string,
): Promise<StartedSession> {
  const user = authoriseUser(ctx.actor, 'account.confirm-password');
  requirePasswords(ctx, user.role);
  const { password, code } = parseInput(confirmPasswordSchema, input);
  await checkOwnPassword(ctx, user, password, 'password');
  await checkCodeIfNeeded(ctx, user, code);
  ctx.log.info({ userId: user.id }, 'password confirmed');
  return rotateSession(ctx, token, { authenticatedAt: ctx.now() });
}

/**
 * Checks one of the account's passkeys instead of the password and the second factor.
 * @throws AppError INVALID_INPUT, RATE_LIMITED, UNAUTHENTICATED
 */
export async function confirmWithPasskey(
  ctx: Ctx,
  input: { passkey: string },
  token: string,
): Promise<StartedSession> {
  const user = authoriseUser(ctx.actor, 'account.confirm-password');
  await checkPasskey(ctx, user, parseInput(passkeySchema, input).passkey);
  ctx.log.info({ userId: user.id }, 'passkey confirmed');
  return rotateSession(ctx, token, { authenticatedAt: ctx.now() });
}

/**
 * Checks the password that a signed-in user entered again.
 * @param field the form field that gets the message
 * @returns the hash it belongs to
 * @throws AppError INVALID_INPUT at the field, RATE_LIMITED
 */
async function checkOwnPassword(
  ctx: Ctx,
  user: SignedInUser,
  password: string,
  field: string,
): Promise<string> {
  const hash = await repos(ctx).users.findPasswordHash(user.id);
  const message = ACCOUNT_MESSAGES.wrongPassword;
  await ctx.throttle.checkGuess(
    [{ rule: THROTTLE_RULES.passwordCheck, who: user.id }],
    () => verifyPassword(callerOf(ctx, user.id), hash, password),
    () => fieldError(field, message),
  );
  return hash ?? '';
}

const callerOf = ({ client }: Ctx, account: string) => ({ address: client.address, account });

const PURPOSE = 'reset-password';

/** The owner of links for unknown addresses, so that the database does the same work as for known ones. */
const NOBODY = 'nobody';

/**
 * Mails a link to choose a new password. Does the same work whether or not the address has an account; only the mail,
 * which goes out afterwards, differs.
 * @throws AppError INVALID_INPUT, RATE_LIMITED
 */
export async function askForPasswordReset(ctx: Ctx, input: ForgotPasswordInput): Promise<void> {
  authorise(ctx.actor, 'password.reset');
  const { email } = parseInput(forgotPasswordSchema, input);
  await ctx.throttle.take({ rule: THROTTLE_RULES.resetClient, who: ctx.client.address });
  await ctx.throttle.take({ rule: THROTTLE_RULES.resetAddress, who: email });
  const user = await repos(ctx).users.find((await repos(ctx).addresses.findOwner(email)) ?? NOBODY);
  const lifeMs = RESET_MINUTES * MINUTE_MS;
  const { appUrl } = ctx;
  const isReachable = user !== null && user.suspendedAt === null && mayUsePassword(ctx, user.role);
  await ctx.transaction(async () => {
    const token = await createOneTimeSecret(ctx, { userId: user?.id ?? NOBODY, purpose: PURPOSE, lifeMs });
    const mail = passwordResetMail({ appUrl, token, validMinutes: RESET_MINUTES });
    await ctx.mailQueue.post(isReachable ? user.email : null, mail);
  });
  ctx.log.info({ userId: user?.id ?? null }, 'password reset requested');
}

const linkIsOver = () => new AppError('NOT_FOUND', RESET_LINK_OVER);

/**
 * Checks that a link works, without using it up.
 * @throws AppError NOT_FOUND when it was used, has expired or is not one of ours
 */
export async function checkResetLink(ctx: Ctx, token: string): Promise<void> {
  authorise(ctx.actor, 'password.reset');
  if ((await findOneTimeSecret(ctx, PURPOSE, token)) === null) throw linkIsOver();
}

/** Uses up the link and all other links of the account. */
async function takeLink(ctx: Ctx, token: string): Promise<UserRecord> {
  const taken = await takeOneTimeSecret(ctx, PURPOSE, token);
  const user = taken === null ? null : await repos(ctx).users.find(taken.userId);
  if (user === null || user.suspendedAt !== null || !mayUsePassword(ctx, user.role)) throw linkIsOver();
  await repos(ctx).oneTimeSecrets.clear(user.id);
  return user;
}

/**
 * Sets a new password through a mailed link, ends all sessions of the account and revokes its personal tokens, passkeys, links with other services,
 * shared reports, calendar link, webhooks, ntfy topic and push messages. A second factor stays: the new password alone does not sign in to an account that has
 * one.
 * @throws AppError INVALID_INPUT, after which the link still works; NOT_FOUND when the link does not work
 */
export async function resetPassword(ctx: Ctx, token: string, input: ResetPasswordInput): Promise<void> {
  await checkResetLink(ctx, token);
  const { password } = parseInput(resetPasswordSchema, input);
  await refuseCommonPassword(password);
  const passwordHash = await hashPassword(callerOf(ctx, token), password);
  await ctx.transaction(async () => {
    const { id, email, timeZone } = await takeLink(ctx, token);
    await repos(ctx).users.setPasswordHash(id, passwordHash);
    // The link came by mail, so the address works.
    await repos(ctx).users.confirmEmail(id, email, ctx.now());
    await endSignIns(ctx, id, null);
    // A user who forgot the password may have lost control of more. A change while signed in keeps the tokens.
    await repos(ctx).apiTokens.clear(id);
    await repos(ctx).passkeys.clear(id);
    await repos(ctx).identities.clear(id);
    await endOpenLinks(ctx, id);
    await recordAudit(ctx, { action: 'account.reset-password', subjectId: id, before: {}, after: {} });
    await ctx.mailQueue.post(email, passwordChangedMail({ appUrl: ctx.appUrl, at: ctx.now(), timeZone }));
  });
}

/** Browsers that get push messages although their session is over. */
async function listLeftBrowsers(ctx: Ctx, userId: string) {
  const left = [];
  for (const browser of await repos(ctx).pushSubscriptions.list(userId))
    if (!(await repos(ctx).sessions.isRunning(userId, browser.signInId, ctx.now()))) left.push(browser);
  return left;
}

/**
 * What reaches out of the signed-in user's account without a session, as texts for a list: shared reports, the calendar link,
 * webhooks, the ntfy topic, and browsers with push messages whose session is over. Users who change their password may want to
 * end these too.
 */
export async function listOpenLinks(ctx: Ctx): Promise<string[]> {
  const { id } = authoriseUser(ctx.actor, 'account.read');
  const [shares, feed, webhooks, topic, browsers] = await Promise.all([
    repos(ctx).reportShares.list(id),
    repos(ctx).calendarFeeds.findOf(id),
    repos(ctx).webhooks.list(id),
    repos(ctx).ntfyTopics.find(id),
    listLeftBrowsers(ctx, id),
  ]);
  const reports = shares
    .filter((share) => shareState(share, ctx.now()) === 'open')
    .map(({ label, start, end }) => {
      const days = `${shownDay(start)} to ${shownDay(end)}`;
      return label === null ? `Report of ${days}` : `Report of ${days}, for ${label}`;
    });
  return [
    ...reports,
    ...(feed === null ? [] : ['Calendar link']),
    ...webhooks.map(({ url }) => `Webhook to ${webhookHost(url)}`),
    ...(topic === null ? [] : [`ntfy topic at ${webhookHost(topic.url)}`]),
    ...browsers.map(({ browser }) => `Push notifications to ${browser}, whose session is over`),
  ];
}

/** Ends everything that {@link listOpenLinks} lists. The account's owner has proved who they are. */
async function endOpenLinks(ctx: Ctx, userId: string): Promise<void> {
  await repos(ctx).reportShares.revokeAll(userId, ctx.now());
  await repos(ctx).calendarFeeds.delete(userId);
  for (const { id } of await repos(ctx).webhooks.list(userId)) {
    await repos(ctx).webhooks.delete(userId, id);
    await repos(ctx).webhookDeliveries.deleteOf(userId, id);
  }
  if (await repos(ctx).ntfyTopics.delete(userId))
    await repos(ctx).notificationChoices.update(userId, { ntfy: false });
  for (const { id } of await listLeftBrowsers(ctx, userId))
    await repos(ctx).pushSubscriptions.delete(userId, id);
}
