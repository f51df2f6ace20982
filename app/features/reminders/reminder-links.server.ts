import { calendarDay, dayAfter, momentField } from '#app/domain/time/zoned-time.ts';
import { DAY_MS } from '#app/domain/time/calendar.ts';
import type { DeliveryRecord, DoseRecord, OneTimeSecretRecord } from '#models/index.server.ts';
import { type Ctx, contextAs } from '#app/platform/access/context.server.ts';
import { hashToken, newToken, isToken } from '#app/platform/secrets/secret-tokens.server.ts';
import { isGone } from '#app/domain/accounts/account.ts';
import {
  confirmDoseError,
  DOSE_WARNINGS,
  REPORTED_WARNINGS,
  unconfirmed,
  type DoseWarning,
} from '#app/domain/doses/dose-warnings.ts';
import { AppError, fieldError } from '#app/domain/errors.ts';
import {
  actSchema,
  REMINDER_MESSAGES,
  type ActAction,
  type ActInput,
} from '#app/domain/reminders/reminder-schema.ts';
import { parseInput } from '#app/domain/forms/fields.ts';
import { authorise } from '#app/platform/access/authorise.server.ts';
import { previewDose, skipDose, takeDose } from '#app/features/doses/index.server.ts';
import { moveDose, previewMove } from '#app/features/schedules/index.server.ts';
import { snoozeDose } from './reminders.server.ts';
import { actorOf } from '#app/features/accounts/index.server.ts';
import { repos } from './repositories.server.ts';

/** A dose as the page behind a reminder link shows it. */
interface ActView {
  dose: DoseRecord;
  /** Tomorrow at the time of day it is due, in the owner's time zone: "2026-03-10T08:30". */
  tomorrow: string;
  warnings: readonly DoseWarning[];
  /** What changed since the last dose of the compound; null when nothing did. */
  readBack: string | null;
}

/**
 * The dose that a link in a mail or push is about. Does not use up the link, because mail programs open links too. Needs
 * no sign-in: the secret in the address is the permission.
 * @throws AppError NOT_FOUND for a used, expired or invalid link; PREMIUM_REQUIRED
 */
export async function openActLink(ctx: Ctx, token: string): Promise<ActView> {
  authorise(ctx.actor, 'reminder.act');
  if (!isToken(token)) throw linkIsOver();
  const secret = await repos(ctx).oneTimeSecrets.find(hashToken(token), ACT_PURPOSE, ctx.now());
  if (secret === null) throw linkIsOver();
  const { own, doseId } = await ownerContext(ctx, secret);
  const shown = await previewDose(own, doseId);
  const [, time = ''] = momentField(shown.dose.dueDate, own.timeZone).split('T');
  return { ...shown, tomorrow: `${dayAfter(calendarDay(ctx.now(), own.timeZone), 1)}T${time}` };
}

/**
 * Carries out the choice on the page behind a link and uses up the link. The page sends the codes of the warnings it has
 * shown; any other question about the amount is asked first, and the link stays valid. Needs no sign-in: the secret in the
 * address is the permission.
 * @returns the action
 * @throws AppError NOT_FOUND, INVALID_INPUT, DOSE_ALREADY_LOGGED, CONFLICT, PREMIUM_REQUIRED, CONFIRM_DOSE
 */
export async function actOnLink(ctx: Ctx, token: string, input: ActInput): Promise<ActAction> {
  authorise(ctx.actor, 'reminder.act');
  const { action, minutes, dueDate = '', confirmed } = parseInput(actSchema, input);
  if (action === 'snooze' && minutes === undefined) throw fieldError('minutes', REMINDER_MESSAGES.minutes);
  if (!isToken(token)) throw linkIsOver();
  if (action === 'taken') {
    const { warnings } = await openActLink(ctx, token);
    const open = unconfirmed(warnings, [...REPORTED_WARNINGS, ...confirmed]);
    if (open.length > 0) throw confirmDoseError(open);
  }
  if (action === 'move') await checkMove(ctx, token, dueDate);
  const secret = await repos(ctx).oneTimeSecrets.take(hashToken(token), ACT_PURPOSE, ctx.now());
  if (secret === null) throw linkIsOver();
  const { own, doseId } = await ownerContext(ctx, secret);
  if (action === 'taken') await takeDose(own, doseId, { confirmed: [...DOSE_WARNINGS] });
  else if (action === 'skip') await skipDose(own, doseId);
  else if (action === 'move') await moveDose(own, doseId, { dueDate });
  else await snoozeDose(own, doseId, { minutes });
  return action;
}

/** Checks the new time before the link is used up. @throws AppError as `moveDose` */
async function checkMove(ctx: Ctx, token: string, dueDate: string): Promise<void> {
  const secret = await repos(ctx).oneTimeSecrets.find(hashToken(token), ACT_PURPOSE, ctx.now());
  if (secret === null) throw linkIsOver();
  const { own, doseId } = await ownerContext(ctx, secret);
  await previewMove(own, doseId, { dueDate });
}

/**
 * The context of the link's owner, with their permissions for this one dose but without a session.
 * @throws AppError NOT_FOUND when the account is deleted or suspended
 */
async function ownerContext(ctx: Ctx, secret: OneTimeSecretRecord): Promise<{ own: Ctx; doseId: string }> {
  const user = await repos(ctx).users.find(secret.userId);
  const { doseId } = secret.facts;
  if (user === null || user.suspendedAt !== null || isGone(user, ctx.now()) || typeof doseId !== 'string')
    throw linkIsOver();
  const actor = actorOf(ctx, user, { signInId: 'link', authenticatedAt: new Date(0) });
  return { own: contextAs(ctx, actor), doseId };
}

const linkIsOver = () => new AppError('NOT_FOUND', REMINDER_MESSAGES.linkOver);

const ACT_PURPOSE = 'act-on-dose';

/** How long a link works, in ms. */
const ACT_LIFE_MS = DAY_MS;

/**
 * Creates a link's secret for each delivery about a dose. Only its hash is stored, so a delivery that is sent again
 * gets a new one.
 * @returns the secrets by delivery id
 */
export async function createActTokens(
  ctx: Ctx,
  deliveries: readonly DeliveryRecord[],
): Promise<ReadonlyMap<string, string>> {
  const now = ctx.now();
  const tokens = new Map<string, string>();
  const secrets = deliveries.flatMap(({ id, userId, doseId }) => {
    if (doseId === null) return [];
    const token = newToken();
    tokens.set(id, token);
    return {
      hash: hashToken(token),
      userId,
      purpose: ACT_PURPOSE,
      createdAt: now,
      expiresAt: new Date(now.getTime() + ACT_LIFE_MS),
      failures: 0,
      facts: { doseId },
    } as const;
  });
  await repos(ctx).oneTimeSecrets.createMany(secrets);
  return tokens;
}
