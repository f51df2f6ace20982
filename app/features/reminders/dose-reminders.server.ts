import { MINUTE_MS } from '#app/domain/time/calendar.ts';
import { randomUUID } from 'node:crypto';
import { planReminder, type PlannedReminder } from '#app/domain/reminders/reminder-stages.ts';
import { reminderTexts } from '#app/domain/reminders/reminder-texts.ts';
import type { RemindableDose, ReminderMove, ReminderRow } from '#models/index.server.ts';
import { authorise } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { doseData, type EventFacts } from '#app/domain/webhooks/webhook.ts';
import { recordEvents } from '#app/features/webhooks/index.server.ts';
import { inParallel } from '#app/platform/map-concurrent.server.ts';
import {
  deliveriesFor,
  REMINDER_LIFE_MS,
  reminderIdOfDose,
} from '#app/platform/mail/reminder-outbox.server.ts';
import { findRecipient, type Recipient } from '#app/platform/mail/notification-choices.server.ts';
import { repos } from './repositories.server.ts';

export interface RemindOptions {
  /** Doses per batch. */
  batch?: number;
  /** How long a worker's claim lasts, in ms; after that another worker takes over. */
  leaseMs?: number;
}

/** Owners looked up concurrently. */
const WIDTH = 8;

type Recipients = ReadonlyMap<string, Recipient | null>;

async function recipientsOf(ctx: Ctx, doses: readonly RemindableDose[]): Promise<Recipients> {
  const found = new Map<string, Recipient | null>();
  await inParallel([...new Set(doses.map(({ userId }) => userId))], WIDTH, async (userId) => {
    found.set(userId, await findRecipient(ctx, userId));
  });
  return found;
}

function reminderOf(dose: RemindableDose, { step, isQuiet }: PlannedReminder): ReminderRow {
  const { message, discreet } = reminderTexts(dose, step.stage);
  return {
    _id: reminderIdOfDose(dose.id, dose.dueDate, dose.remindCount),
    userId: dose.userId,
    doseId: dose.id,
    type: step.stage,
    message,
    discreetMessage: discreet,
    reminderTime: step.at,
    isRead: false,
    isSent: false,
    isQuiet,
    shownAt: null,
    expiresAt: new Date(step.at.getTime() + REMINDER_LIFE_MS),
  };
}

/** The `dose.due` events of one owner's doses in a batch: one for each time that a dose was planned for. */
function dueEvents(
  doses: readonly RemindableDose[],
  made: readonly { reminder: ReminderRow }[],
  userId: string,
): EventFacts[] {
  const due = new Set(
    made.filter(({ reminder }) => reminder.type !== 'upcoming').map(({ reminder }) => reminder.doseId),
  );
  return doses
    .filter((dose) => dose.userId === userId && due.has(dose.id))
    .map((dose) => ({
      type: 'dose.due',
      key: `${dose.id}:${dose.dueDate.getTime()}`,
      at: dose.dueDate,
      doseId: dose.id,
      data: doseData(dose),
    }));
}

/**
 * Writes the reminders of a batch, then their deliveries and webhook events, then each dose's next reminder. If this is cut
 * off, another worker writes the same under the same ids.
 * @param now when the doses were claimed, so that a dose moved since then counts as newer
 */
async function writeReminders(
  ctx: Ctx,
  { mark, now }: { mark: string; now: Date },
  doses: readonly RemindableDose[],
): Promise<void> {
  const recipients = await recipientsOf(ctx, doses);
  const moves: ReminderMove[] = [];
  const made: { reminder: ReminderRow; recipient: Recipient }[] = [];
  for (const dose of doses) {
    const { id, userId } = dose;
    const recipient = recipients.get(userId) ?? null;
    if (recipient === null || dose.status !== 'pending') {
      moves.push({ userId, id, next: null });
      continue;
    }
    const planned = planReminder(dose.dueDate, dose.step, recipient.choices.repeatOverdue, now);
    moves.push({ userId, id, next: planned.next });
    made.push({ reminder: reminderOf(dose, planned), recipient });
  }
  await repos(ctx).reminders.createMissing(made.map(({ reminder }) => reminder));
  const deliveries = made.flatMap(({ reminder, recipient }) => deliveriesFor(reminder, recipient, now));
  await repos(ctx).deliveries.createMissing(deliveries);
  await inParallel([...recipients.keys()], WIDTH, (userId) =>
    recordEvents(ctx, userId, dueEvents(doses, made, userId)),
  );
  await repos(ctx).doseReminding.move(mark, moves);
}

/**
 * Writes the reminders that are due, for all accounts. A job of the worker; any number of workers may run it at once.
 * @returns the number of doses
 */
export async function remindOfDoses(
  ctx: Ctx,
  stopping?: AbortSignal,
  { batch = 100, leaseMs = MINUTE_MS }: RemindOptions = {},
): Promise<number> {
  authorise(ctx.actor, 'reminder.work');
  let done = 0;
  while (stopping?.aborted !== true) {
    const now = ctx.now();
    const mark = randomUUID();
    const until = new Date(now.getTime() + leaseMs);
    const doses = await repos(ctx).doseReminding.claim(now, until, mark, batch);
    if (doses.length === 0) break;
    await writeReminders(ctx, { mark, now }, doses);
    done += doses.length;
  }
  return done;
}
