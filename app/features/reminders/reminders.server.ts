import { MINUTE_MS } from '#app/domain/time/calendar.ts';
import { slotStart } from '#app/domain/doses/time-slot.ts';
import { AppError, conflict } from '#app/domain/errors.ts';
import { BELL_LENGTH, STALE_AFTER_MINUTES, snoozedStep } from '#app/domain/reminders/reminder-stages.ts';
import {
  REMINDER_MESSAGES,
  reminderFormSchema,
  reminderListSchema,
  shownSchema,
  snoozeSchema,
  type ReminderFormInput,
  type ReminderListInput,
  type ShownInput,
  type SnoozeInput,
} from '#app/domain/reminders/reminder-schema.ts';
import { isHeldBack } from '#app/domain/reminders/quiet-hours.ts';
import { parseInput } from '#app/domain/forms/fields.ts';
import type { ReminderRecord } from '#models/index.server.ts';
import { authorisePremiumUser } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { getNotificationChoices } from '#app/platform/mail/notification-choices.server.ts';
import { pageFrom } from '#app/platform/pagination.server.ts';
import { premiumOwner } from '#app/platform/access/owner.server.ts';
import { reminderView, type ReminderView } from '#app/domain/reminders/reminder-texts.ts';
import { repos } from './repositories.server.ts';

/** What the bell shows. */
interface Bell {
  /** Newest first. */
  reminders: readonly ReminderRecord[];
  /** Counted up to ten. */
  unread: number;
  /** Whether there are more than the bell lists. */
  hasMore: boolean;
  /** Muted until the owner's midnight. */
  isMuted: boolean;
}

/** The bell as its component shows it. */
export async function getBellView(
  ctx: Ctx,
  timeZone: string,
): Promise<Omit<Bell, 'reminders'> & { reminders: ReminderView[] }> {
  const { reminders, ...rest } = await getBell(ctx);
  const now = ctx.now();
  return { ...rest, reminders: reminders.map((reminder) => reminderView(reminder, now, timeZone)) };
}

/** @throws AppError UNAUTHENTICATED, PREMIUM_REQUIRED */
export async function getBell(ctx: Ctx): Promise<Bell> {
  const { id } = authorisePremiumUser(ctx.actor, 'reminder.read');
  const newest = await repos(ctx).reminders.list(id, { unreadOnly: false, skip: 0, limit: BELL_LENGTH + 1 });
  const unread = newest.length === 0 ? 0 : await repos(ctx).reminders.count(id, true, BELL_LENGTH);
  const { mutedUntil } = await getNotificationChoices(ctx, id);
  return {
    reminders: newest.slice(0, BELL_LENGTH),
    unread,
    hasMore: newest.length > BELL_LENGTH,
    isMuted: (mutedUntil ?? 0) > ctx.now(),
  };
}

/** A page of reminders. */
interface ReminderPage {
  reminders: ReminderRecord[];
  page: number;
  limit: number;
  total: number;
  /** The cursor of the next page; null at the end. */
  next: string | null;
  unreadOnly: boolean;
}

/** @throws AppError UNAUTHENTICATED, PREMIUM_REQUIRED, INVALID_INPUT */
export async function listReminders(ctx: Ctx, input: ReminderListInput = {}): Promise<ReminderPage> {
  const { id } = authorisePremiumUser(ctx.actor, 'reminder.read');
  const { unread, ...request } = parseInput(reminderListSchema, input);
  const { items, paging } = await pageFrom<ReminderRecord>(request, {
    name: 'reminders',
    kinds: ['instant', 'text'],
    placeOf: (reminder) => [reminder.reminderTime, reminder.id],
    read: (slice) => repos(ctx).reminders.list(id, { unreadOnly: unread, ...slice }),
    count: () => repos(ctx).reminders.count(id, unread),
  });
  return { reminders: items, ...paging, unreadOnly: unread };
}

const reminderNotFound = () => new AppError('NOT_FOUND', REMINDER_MESSAGES.none);

/** A reminder, whether one of its doses is still pending, and when their time slot begins if several are. */
type OpenReminder = ReminderRecord & { isOpen: boolean; slot: Date | null };

/** @throws AppError NOT_FOUND */
export async function getReminder(ctx: Ctx, id: string): Promise<OpenReminder> {
  const user = authorisePremiumUser(ctx.actor, 'reminder.read');
  const reminder = await repos(ctx).reminders.find(user.id, id);
  if (reminder === null) throw reminderNotFound();
  const pending = await openDosesOf(ctx, user.id, reminder);
  const first = pending.length > 1 ? await repos(ctx).doses.find(user.id, pending[0] ?? '') : null;
  return { ...reminder, isOpen: pending.length > 0, slot: first && slotStart(first.dueDate) };
}

/** The doses of a reminder that are not logged. */
async function openDosesOf(ctx: Ctx, ownerId: string, { doseIds }: ReminderRecord): Promise<string[]> {
  if (doseIds.length === 0) return [];
  return [...(await repos(ctx).doseReminding.pendingAmong(ownerId, doseIds)).keys()];
}

/** @throws AppError NOT_FOUND */
export async function markReminderRead(ctx: Ctx, id: string): Promise<ReminderRecord> {
  const user = authorisePremiumUser(ctx.actor, 'reminder.change');
  const reminder = await repos(ctx).reminders.markRead(user.id, id);
  if (reminder === null) throw reminderNotFound();
  return reminder;
}

/** @returns how many were unread */
export async function markAllRemindersRead(ctx: Ctx): Promise<number> {
  const user = authorisePremiumUser(ctx.actor, 'reminder.change');
  return repos(ctx).reminders.markAllRead(user.id);
}

/**
 * Snoozes a dose: its next reminder comes after the given minutes, and earlier ones are marked as read.
 * @param email the owner, when called from the terminal
 * @throws AppError NOT_FOUND, CONFLICT when the dose is already logged, PREMIUM_REQUIRED
 */
export async function snoozeDose(
  ctx: Ctx,
  doseId: string,
  input: SnoozeInput,
  email?: string,
): Promise<void> {
  const owner = await premiumOwner(ctx, 'reminder.change', email);
  const { minutes } = parseInput(snoozeSchema, input);
  const dose = await repos(ctx).doses.find(owner.id, doseId);
  if (dose === null) throw reminderNotFound();
  const step = snoozedStep(dose.dueDate, ctx.now(), minutes);
  await ctx.transaction(async () => {
    if (!(await repos(ctx).doseReminding.snooze(owner.id, doseId, step)))
      throw conflict('WRONG_STATE', REMINDER_MESSAGES.notPending);
    await repos(ctx).reminders.markDoseRead(owner.id, doseId);
  });
}

/** Snoozes the doses of one of the signed-in user's reminders. @throws as {@link snoozeDose} */
export async function snoozeReminder(ctx: Ctx, id: string, input: SnoozeInput): Promise<void> {
  const user = authorisePremiumUser(ctx.actor, 'reminder.change');
  const reminder = await repos(ctx).reminders.find(user.id, id);
  if (reminder === null || reminder.doseId === null) throw reminderNotFound();
  const open = await openDosesOf(ctx, user.id, reminder);
  await snoozeDoses(ctx, open.length > 0 ? open : [reminder.doseId], input);
}

/** Snoozes several doses to the same moment, in one act. @throws as {@link snoozeDose} */
export async function snoozeDoses(ctx: Ctx, ids: readonly string[], input: SnoozeInput): Promise<void> {
  authorisePremiumUser(ctx.actor, 'reminder.change');
  const now = ctx.now();
  const act = { ...ctx, now: () => now };
  await act.transaction(async () => {
    for (const id of ids) await snoozeDose(act, id, input);
  });
}

/**
 * Marks a reminder as read or snoozes it, as its form says.
 * @throws AppError NOT_FOUND, INVALID_INPUT, CONFLICT
 */
export async function changeReminder(
  ctx: Ctx,
  id: string,
  input: ReminderFormInput,
): Promise<{ intent: 'read' | 'snooze'; reminder: ReminderRecord | null }> {
  authorisePremiumUser(ctx.actor, 'reminder.change');
  const { intent, minutes } = parseInput(reminderFormSchema, input);
  if (intent === 'read') return { intent, reminder: await markReminderRead(ctx, id) };
  await snoozeReminder(ctx, id, { minutes });
  return { intent, reminder: null };
}

/** Reminders that an open page should show as browser notifications now; none if that is turned off. */
export async function listUnshownReminders(ctx: Ctx): Promise<readonly ReminderRecord[]> {
  const { id } = authorisePremiumUser(ctx.actor, 'reminder.read');
  const choices = await getNotificationChoices(ctx, id);
  if (!choices.inPage) return [];
  const now = ctx.now();
  const from = new Date(now.getTime() - STALE_AFTER_MINUTES * MINUTE_MS);
  const unshown = await repos(ctx).reminders.listUnshown(id, from, now, BELL_LENGTH);
  const reminders = unshown.filter(({ type }) => !isHeldBack(choices, type, { now, timeZone: ctx.timeZone }));
  if (!choices.discreet) return reminders;
  return reminders.map((reminder) => ({ ...reminder, message: reminder.discreetMessage }));
}

/** Notes which reminders an open page has shown. */
export async function markRemindersShown(ctx: Ctx, input: ShownInput): Promise<void> {
  const { id } = authorisePremiumUser(ctx.actor, 'reminder.change');
  const { ids } = parseInput(shownSchema, input);
  if (ids.length > 0) await repos(ctx).reminders.markShown(id, ids, ctx.now());
}
