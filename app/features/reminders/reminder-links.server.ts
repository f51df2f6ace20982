import type * as z from 'zod';
import { shownQuestion, type ShownQuestion } from '#app/domain/doses/dose-question.ts';
import type { DrawLine } from '#app/domain/doses/draw-line.ts';
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
import { authorise, authorisePremiumUser } from '#app/platform/access/authorise.server.ts';
import {
  linesOfDoses,
  previewDose,
  skipDose,
  takeDose,
  takeDoses,
} from '#app/features/doses/index.server.ts';
import { moveDose, previewMove } from '#app/features/schedules/index.server.ts';
import { snoozeDose, snoozeDoses } from './reminders.server.ts';
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
  /** The open doses of a link about several; empty when at most one of them is open. */
  rows: DrawLine[];
}

/**
 * The dose that a link in a mail or push is about. Does not use up the link, because mail programs open links too. Needs
 * no sign-in: the secret in the address is the permission.
 * @throws AppError NOT_FOUND for a used, expired or invalid link; PREMIUM_REQUIRED
 */
export async function openActLink(ctx: Ctx, token: string): Promise<ActView> {
  authorise(ctx.actor, 'reminder.act');
  const { own, doseIds } = await readLink(ctx, token);
  const doses = await dosesOf(own, doseIds);
  const open = doses.filter(({ status }) => status === 'pending');
  const [first] = open.length > 0 ? open : doses;
  if (first === undefined) throw linkIsOver();
  const shown = await previewDose(own, first.id);
  const rows = open.length > 1 ? await linesOfDoses(own, open) : [];
  const [, time = ''] = momentField(shown.dose.dueDate, own.timeZone).split('T');
  return { ...shown, rows, tomorrow: `${dayAfter(calendarDay(ctx.now(), own.timeZone), 1)}T${time}` };
}

/** The doses of a link that still exist, in the order they are due. */
async function dosesOf(own: Ctx, doseIds: readonly string[]): Promise<DoseRecord[]> {
  const { id } = authorisePremiumUser(own.actor, 'dose.read');
  const found: DoseRecord[] = [];
  for (const doseId of doseIds) {
    const dose = await repos(own).doses.find(id, doseId);
    if (dose !== null) found.push(dose);
  }
  return found;
}

/** What a link has done, or what has to be answered first, in which case it still works. */
type ActOutcome = { did: ActAction | 'together' } | { questions: ShownQuestion[] };

/** Takes doses of a link about several, and then uses it up. What is already taken is never taken again. */
async function takeOfLink(
  ctx: Ctx,
  token: string,
  { ids, takenAt, answers }: z.output<typeof actSchema>,
  { own, doseIds, open }: { own: Ctx; doseIds: readonly string[]; open: readonly string[] },
): Promise<ActOutcome> {
  const chosen = ids ?? [...open];
  if (!chosen.every((id) => doseIds.includes(id))) throw linkIsOver();
  const outcome = await takeDoses(own, {
    ids: chosen,
    answers,
    ...(takenAt !== undefined && { takenAt }),
  });
  if (!outcome.done) return { questions: outcome.questions.map(shownQuestion) };
  await repos(ctx).oneTimeSecrets.take(hashToken(token), ACT_PURPOSE, ctx.now());
  return { did: 'together' };
}

/** The choice on the page behind a link about several doses that are open. Skipping and moving are for one dose. */
async function actOnSeveral(
  ctx: Ctx,
  token: string,
  input: z.output<typeof actSchema>,
  link: { own: Ctx; doseIds: readonly string[]; open: readonly string[] },
): Promise<ActOutcome> {
  if (input.action === 'taken') return takeOfLink(ctx, token, input, link);
  if (input.action !== 'snooze') throw fieldError('action', REMINDER_MESSAGES.action);
  if ((await repos(ctx).oneTimeSecrets.take(hashToken(token), ACT_PURPOSE, ctx.now())) === null)
    throw linkIsOver();
  await snoozeDoses(link.own, link.open, { minutes: input.minutes });
  return { did: 'snooze' };
}

/**
 * Carries out the choice on the page behind a link and uses up the link. The page sends the codes of the warnings it has
 * shown; any other question about the amount is asked first, and the link stays valid. Needs no sign-in: the secret in the
 * address is the permission.
 * @returns the action, or for several doses what has to be answered first
 * @throws AppError NOT_FOUND, INVALID_INPUT, DOSE_ALREADY_LOGGED, CONFLICT, PREMIUM_REQUIRED, CONFIRM_DOSE
 */
export async function actOnLink(ctx: Ctx, token: string, input: ActInput): Promise<ActOutcome> {
  authorise(ctx.actor, 'reminder.act');
  const fields = parseInput(actSchema, input);
  const { action, minutes, dueDate = '', confirmed } = fields;
  if (action === 'snooze' && minutes === undefined) throw fieldError('minutes', REMINDER_MESSAGES.minutes);
  const { warnings, rows, dose } = await openActLink(ctx, token);
  const { own, doseIds } = await readLink(ctx, token);
  if (rows.length > 0)
    return actOnSeveral(ctx, token, fields, { own, doseIds, open: rows.map(({ id }) => id) });
  if (action === 'taken') {
    const open = unconfirmed(warnings, [...REPORTED_WARNINGS, ...confirmed]);
    if (open.length > 0) throw confirmDoseError(open);
  }
  // Checks the new time before the link is used up.
  if (action === 'move') await previewMove(own, dose.id, { dueDate });
  if ((await repos(ctx).oneTimeSecrets.take(hashToken(token), ACT_PURPOSE, ctx.now())) === null)
    throw linkIsOver();
  if (action === 'taken') await takeDose(own, dose.id, { confirmed: [...DOSE_WARNINGS] });
  else if (action === 'skip') await skipDose(own, dose.id);
  else if (action === 'move') await moveDose(own, dose.id, { dueDate });
  else await snoozeDose(own, dose.id, { minutes });
  return { did: action };
}

/** The owner and the doses of a link that is not used up. @throws AppError NOT_FOUND */
async function readLink(ctx: Ctx, token: string): Promise<{ own: Ctx; doseIds: readonly string[] }> {
  if (!isToken(token)) throw linkIsOver();
  const secret = await repos(ctx).oneTimeSecrets.find(hashToken(token), ACT_PURPOSE, ctx.now());
  if (secret === null) throw linkIsOver();
  return ownerContext(ctx, secret);
}

/**
 * The context of the link's owner, with their permissions for its doses but without a session.
 * @throws AppError NOT_FOUND when the account is deleted or suspended
 */
async function ownerContext(ctx: Ctx, secret: OneTimeSecretRecord) {
  const user = await repos(ctx).users.find(secret.userId);
  // Links of before are about one dose.
  const { doseId, doseIds = [doseId] } = secret.facts;
  const ids = Array.isArray(doseIds) ? doseIds.filter((id) => typeof id === 'string') : [];
  if (user === null || user.suspendedAt !== null || isGone(user, ctx.now()) || ids.length === 0)
    throw linkIsOver();
  const actor = actorOf(ctx, user, { signInId: 'link', authenticatedAt: new Date(0) });
  return { own: contextAs(ctx, actor), doseIds: ids };
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
  const secrets = deliveries.flatMap(({ id, userId, doseId, doseIds = [doseId] }) => {
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
      facts: { doseIds },
    } as const;
  });
  await repos(ctx).oneTimeSecrets.createMany(secrets);
  return tokens;
}
