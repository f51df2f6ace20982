import { isSite } from '#app/domain/tracking/sites.ts';
import type { DoseRecord, OwnedDose } from '#models/index.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { finishUndoneDose, refreshScheduleDates } from '#app/features/schedules/index.server.ts';
import { recordDoseSite, removeDoseSite } from '#app/features/tracking/index.server.ts';
import { recordEvents } from '#app/features/webhooks/index.server.ts';
import { doseData, takenDoseData, type ToldEvent } from '#app/domain/webhooks/webhook.ts';
import { applyStockDraws, returnStockDraws } from '#app/features/vials/index.server.ts';
import { HOUR_MS, MINUTE_MS } from '#app/domain/time/calendar.ts';
import { missedAt } from '#app/domain/doses/dose.ts';
import { MISSED_AFTER_HOURS } from '#app/domain/reminders/notification-choices.ts';
import { authorise } from '#app/platform/access/authorise.server.ts';
import { getNotificationChoices } from '#app/platform/mail/notification-choices.server.ts';

/**
 * Applies the side effects of a dose's last change: stock, site log, reminders (marked as read), webhook events and the
 * dates of its schedule. Each part can be repeated safely, so an interrupted change is finished by running all of them again.
 * @returns the dose afterwards; null if undo removed it, because it was created when taken or its schedule no longer has it
 */
export async function applyDoseEffects(
  ctx: Ctx,
  ownerId: string,
  dose: DoseRecord,
): Promise<DoseRecord | null> {
  if (dose.stockDone) return dose;
  await applyStockEffect(ctx, ownerId, dose);
  await applySiteEffect(ctx, ownerId, dose);
  if (!isTakenForGood(dose)) await ctx.repos.doses.forgetDraws(ownerId, dose);
  if (dose.undoing === true) {
    if (dose.scheduleId !== null) await refreshScheduleDates(ctx, ownerId, dose.scheduleId);
    await ctx.repos.doses.deleteVersion(ownerId, dose.id, dose.version);
    return null;
  }
  if (dose.status !== 'pending') await ctx.repos.reminders.markDoseRead(ownerId, dose.id);
  await recordEvents(ctx, ownerId, eventsOf(dose, ctx.now()));
  if (dose.scheduleId !== null) await refreshScheduleDates(ctx, ownerId, dose.scheduleId);
  const rest = dose.status === 'taken' ? {} : { draws: [] };
  const finish = () => ctx.repos.doses.finish(ownerId, dose.id, dose.version, rest);
  if (dose.status === 'pending') return finishUndoneDose(ctx, ownerId, dose, finish);
  await finish();
  return { ...dose, ...rest, stockDone: true };
}

/** Webhook events about a dose that its owner has logged. */
function eventsOf(dose: DoseRecord, now: Date): ToldEvent[] {
  const { id: doseId, status, takenAt, actedAt } = dose;
  if (status === 'missed') return [missedEvent(dose, actedAt ?? now)];
  if (status !== 'taken' || takenAt === null) return [];
  const data = takenDoseData({ ...dose, takenAt });
  return [{ type: 'dose.taken', key: stockKey(dose), at: actedAt ?? now, doseId, data }];
}

/** The webhook event about a missed dose, sent once for each due time it had. */
function missedEvent(dose: DoseRecord, at: Date): ToldEvent {
  const { id: doseId, dueDate } = dose;
  return { type: 'dose.missed', key: `${doseId}:${dueDate.getTime()}`, at, doseId, data: doseData(dose) };
}

/** Identifies the ledger entries of a dose; new each time it is taken. */
export const stockKey = ({ id, round }: DoseRecord): string => `${id}:${round}`;

/** Taken, and not being undone. */
const isTakenForGood = ({ status, undoing }: DoseRecord): boolean => status === 'taken' && undoing !== true;

async function applyStockEffect(ctx: Ctx, ownerId: string, dose: DoseRecord): Promise<void> {
  const { draws, actedAt } = dose;
  if (draws.length === 0) return;
  const entry = { key: stockKey(dose), draws, at: dose.takenAt ?? actedAt ?? ctx.now() };
  await (isTakenForGood(dose) ? applyStockDraws(ctx, ownerId, entry) : returnStockDraws(ctx, ownerId, entry));
}

/** A taken dose with an injection site has an entry in the site log; undoing it removes the entry. */
async function applySiteEffect(ctx: Ctx, ownerId: string, dose: DoseRecord): Promise<void> {
  const { id: doseId, site, takenAt, name, actualDose, doseUnit, draws } = dose;
  if (isTakenForGood(dose) && site !== null && isSite(site) && takenAt !== null) {
    const compoundId = draws[0]?.compoundId ?? null;
    await recordDoseSite(ctx, ownerId, {
      doseId,
      site,
      takenAt,
      name,
      dose: actualDose,
      doseUnit,
      compoundId,
    });
  } else if (dose.round > 0) {
    await removeDoseSite(ctx, ownerId, doseId);
  }
}

const BATCH = 200;

/** Changes older than this with unfinished effects count as abandoned: their request was interrupted. */
const ABANDONED_AFTER_MS = MINUTE_MS;

const earlier = (now: Date, ms: number) => new Date(now.getTime() - ms);

/**
 * Finishes the effects of changes that were interrupted after the dose was saved. Several workers may run this at once,
 * because every effect can be repeated safely.
 * @returns how many were finished
 */
export async function finishDoseEffects(ctx: Ctx): Promise<number> {
  authorise(ctx.actor, 'dose.sweep');
  const found = await ctx.repos.doses.findUnfinished(earlier(ctx.now(), ABANDONED_AFTER_MS), BATCH);
  for (const { userId, dose } of found) await applyDoseEffects(ctx, userId, dose);
  return found.length;
}

/** Sets when unlogged doses become missed, according to their owners' settings. */
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
  // Recorded before the update, so that an interruption can't lose the event; it is only sent if the dose is missed.
  await recordEvents(ctx, userId, [missedEvent(dose, dose.missAt ?? ctx.now())]);
  const isMissed = (await ctx.repos.doses.compareAndSet(userId, dose.id, dose.version, changes)) !== null;
  // A schedule that counts from the last dose continues with the next one.
  if (isMissed && dose.scheduleId !== null && (dose.chain ?? null) !== null)
    await refreshScheduleDates(ctx, userId, dose.scheduleId);
  return isMissed;
}

/**
 * Marks doses as missed that were not logged within the hours their owner chose. The update applies only to the version
 * that was read, so it never overwrites a change the owner makes meanwhile. @returns how many became missed
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
