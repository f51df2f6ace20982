import { HOUR_MS, MINUTE_MS } from '#app/domain/time/calendar.ts';
import { missedAt } from '#app/domain/doses/dose.ts';
import { MISSED_AFTER_HOURS } from '#app/domain/reminders/notification-choices.ts';
import type { OwnedDose } from '#models/index.server.ts';
import { refreshScheduleDates } from '#app/features/schedules/index.server.ts';
import { authorise } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { applyDoseEffects, missedEvent } from './dose-effects.server.ts';
import { recordEvents } from '#app/features/webhooks/index.server.ts';
import { getNotificationChoices } from '#app/platform/mail/notification-choices.server.ts';

const BATCH = 200;

/** Older changes with unfinished effects count as abandoned: their request was cut off. */
const ABANDONED_AFTER_MS = MINUTE_MS;

const earlier = (now: Date, ms: number) => new Date(now.getTime() - ms);

/**
 * Finishes the effects of changes that were cut off after the dose was written. Several workers may run it at once,
 * since every effect can be repeated safely.
 * @returns how many were finished
 */
export async function finishDoseEffects(ctx: Ctx): Promise<number> {
  authorise(ctx.actor, 'dose.sweep');
  const found = await ctx.repos.doses.findUnfinished(earlier(ctx.now(), ABANDONED_AFTER_MS), BATCH);
  for (const { userId, dose } of found) await applyDoseEffects(ctx, userId, dose);
  return found.length;
}

/** Stores when doses that nobody logs become missed, by their owners' settings. */
async function setMissTimes(ctx: Ctx, found: readonly OwnedDose[]): Promise<void> {
  const hours = new Map<string, number>();
  for (const { userId, dose } of found) {
    const known = hours.get(userId) ?? (await getNotificationChoices(ctx, userId)).missedAfterHours;
    hours.set(userId, known);
    await ctx.repos.doses.setMissTime(userId, dose.id, missedAt(dose.dueDate, known));
  }
}

/** @returns whether it was still pending */
async function markMissed(ctx: Ctx, { userId, dose }: OwnedDose): Promise<boolean> {
  const changes = { status: 'missed' as const, remindAt: null, remindClaimedUntil: null };
  // Before: what is cut off in between is told when it has become true, and not at all when it has not.
  await recordEvents(ctx, userId, [missedEvent(dose, dose.missAt ?? ctx.now())]);
  const isMissed = (await ctx.repos.doses.compareAndSet(userId, dose.id, dose.version, changes)) !== null;
  // What counts from the last dose goes on with the next one.
  if (isMissed && dose.scheduleId !== null && (dose.chain ?? null) !== null)
    await refreshScheduleDates(ctx, userId, dose.scheduleId);
  return isMissed;
}

/**
 * Marks doses as missed that nobody logged within the hours their owner chose. The update applies only to the state
 * that was read, so it never overwrites a change the owner makes in the meantime. @returns how many became missed
 */
export async function markMissedDoses(ctx: Ctx): Promise<number> {
  authorise(ctx.actor, 'dose.sweep');
  const now = ctx.now();
  const dueUpTo = earlier(now, MISSED_AFTER_HOURS.min * HOUR_MS);
  for (;;) {
    const untimed = await ctx.repos.doses.findUntimed(dueUpTo, BATCH);
    await setMissTimes(ctx, untimed);
    if (untimed.length < BATCH) break;
  }
  let missed = 0;
  for (;;) {
    const found = await ctx.repos.doses.findMissed(now, BATCH);
    for (const one of found) if (await markMissed(ctx, one)) missed += 1;
    if (found.length < BATCH) return missed;
  }
}
