import { MINUTE_MS } from '#app/domain/time/calendar.ts';
import { randomUUID } from 'node:crypto';
import {
  planReminder,
  type PlannedReminder,
  type ReminderStep,
} from '#app/domain/reminders/reminder-stages.ts';
import { reminderTitle, slotTexts } from '#app/domain/reminders/reminder-texts.ts';
import { slotEnd, slotStart } from '#app/domain/doses/time-slot.ts';
import type { RemindableDose, ReminderMove, ReminderRow } from '#models/index.server.ts';
import { authorise } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { doseData, type EventFacts } from '#app/domain/webhooks/webhook.ts';
import { recordEvents } from '#app/features/webhooks/index.server.ts';
import { inParallel } from '#app/platform/map-concurrent.server.ts';
import {
  deliveriesFor,
  REMINDER_LIFE_MS,
  reminderIdOfSlot,
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

/** Doses that a reminder is about at most. */
const MAX_REMINDED = 100;

/** The doses that one reminder is about: those of an owner that are due within the same quarter of an hour. */
interface ReminderSlot {
  userId: string;
  start: Date;
  /** The latest step among the claimed doses. */
  step: ReminderStep;
  /** The doses that this worker has claimed. */
  claimed: RemindableDose[];
}

/** The part of a dose that its reminder needs. */
type RemindedDose = Omit<RemindableDose, 'userId' | 'step'>;

/** The claimed doses by owner and time slot. */
function slotsOf(doses: readonly RemindableDose[]): ReminderSlot[] {
  const slots = new Map<string, ReminderSlot>();
  for (const dose of doses) {
    const { userId, dueDate, step } = dose;
    const start = slotStart(dueDate);
    const key = `${userId} ${start.getTime()}`;
    const { claimed, ...known } = slots.get(key) ?? { userId, start, step, claimed: [] };
    const latest = known.step.at < step.at ? step : known.step;
    slots.set(key, { ...known, step: latest, claimed: [...claimed, dose] });
  }
  return [...slots.values()];
}

/**
 * The pending doses that are announced with the claimed ones of a slot, and those. A dose that was put off for longer than a
 * slot has its own time.
 */
async function announcedDoses(
  ctx: Ctx,
  { userId, start, step, claimed }: ReminderSlot,
): Promise<RemindedDose[]> {
  const range = { from: start, before: slotEnd(start) };
  const pending = await repos(ctx).doses.list(userId, { ...range, status: 'pending', limit: MAX_REMINDED });
  const until = slotEnd(step.at);
  const others = pending.filter(({ id, remindAt, remindStage }) => {
    if (remindAt === null || claimed.some((dose) => dose.id === id)) return false;
    return step.stage === 'upcoming' ? remindStage === 'upcoming' : remindAt <= until;
  });
  return [...claimed, ...others].sort((a, b) => a.dueDate.getTime() - b.dueDate.getTime());
}

function reminderOf(
  { userId, start }: ReminderSlot,
  doses: readonly RemindedDose[],
  { step, isQuiet }: PlannedReminder,
  now: Date,
): ReminderRow {
  const { message, discreet } = slotTexts(doses, step.stage);
  const doseIds = doses.map(({ id }) => id);
  return {
    _id: reminderIdOfSlot(userId, start),
    userId,
    doseId: doseIds[0] ?? null,
    doseIds,
    openIds: doseIds,
    stepAt: step.at,
    type: step.stage,
    message,
    discreetMessage: discreet,
    reminderTime: now,
    isRead: false,
    isSent: false,
    isQuiet,
    shownAt: null,
    expiresAt: new Date(now.getTime() + REMINDER_LIFE_MS),
  };
}

/** The `dose.due` events of an owner's reminders: one for each time that a dose was planned for. */
const dueEvents = (made: readonly Made[], userId: string): EventFacts[] =>
  made
    .filter(({ reminder }) => reminder.userId === userId && reminder.type !== 'upcoming')
    .flatMap(({ doses }) => doses)
    .map((dose) => ({
      type: 'dose.due',
      key: `${dose.id}:${dose.dueDate.getTime()}`,
      at: dose.dueDate,
      doseId: dose.id,
      data: doseData(dose),
    }));

/** A worker's hold on the doses of a batch. */
interface Hold {
  mark: string;
  /** When the doses were claimed, so that a dose moved since then counts as newer. */
  now: Date;
  until: Date;
}

interface Made {
  reminder: ReminderRow;
  recipient: Recipient;
  doses: readonly RemindedDose[];
}

/**
 * Writes the reminders of a batch, then their deliveries and webhook events, then each dose's next reminder. If this is cut
 * off, another worker writes the same under the same ids.
 */
async function writeReminders(ctx: Ctx, hold: Hold, claimed: readonly RemindableDose[]): Promise<void> {
  const { mark, now, until } = hold;
  const recipients = await recipientsOf(ctx, claimed);
  const moves = new Map<string, ReminderMove>(
    claimed.map(({ userId, id }) => [id, { userId, id, next: null }]),
  );
  const made: Made[] = [];
  const open = claimed.filter(({ userId, status }) => recipients.get(userId) && status === 'pending');
  await inParallel(slotsOf(open), WIDTH, async (slot) => {
    const recipient = recipients.get(slot.userId);
    const doses = await announcedDoses(ctx, slot);
    const [first] = doses;
    if (!recipient || first === undefined) return;
    const planned = planReminder(first.dueDate, slot.step, recipient.choices.repeatOverdue, now);
    const joined = doses.filter(({ id }) => !moves.has(id)).map(({ id }) => ({ userId: slot.userId, id }));
    await repos(ctx).doseReminding.join(now, until, mark, joined);
    for (const id of [...slot.claimed, ...joined].map((dose) => dose.id))
      moves.set(id, { userId: slot.userId, id, next: planned.next });
    made.push({ reminder: reminderOf(slot, doses, planned, now), recipient, doses });
  });
  await repos(ctx).reminders.announce(made.map(({ reminder }) => reminder));
  const deliveries = made.flatMap(({ reminder, recipient, doses }) => {
    const title = doses.length > 1 ? reminderTitle(reminder.type, false, doses.length) : null;
    return deliveriesFor(reminder, recipient, now, title);
  });
  await repos(ctx).deliveries.createMissing(deliveries);
  await inParallel([...recipients.keys()], WIDTH, (userId) =>
    recordEvents(ctx, userId, dueEvents(made, userId)),
  );
  await repos(ctx).doseReminding.move(mark, [...moves.values()]);
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
    await writeReminders(ctx, { mark, now, until }, doses);
    done += doses.length;
  }
  return done;
}
