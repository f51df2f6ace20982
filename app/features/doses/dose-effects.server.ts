import { isSite } from '#app/domain/tracking/sites.ts';
import type { DoseChanges, DoseRecord, OwnedDose } from '#models/index.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { fitUndoneDose, refreshScheduleDates } from '#app/features/schedules/index.server.ts';
import { recordDoseSite, removeDoseSite } from '#app/features/tracking/index.server.ts';
import { recordEvents } from '#app/features/webhooks/index.server.ts';
import { doseData, takenDoseData, type EventFacts } from '#app/domain/webhooks/webhook.ts';
import { applyStockDraws, returnStockDraws } from '#app/features/vials/index.server.ts';
import { HOUR_MS } from '#app/domain/time/calendar.ts';
import { missedAt } from '#app/domain/doses/dose.ts';
import { MISSED_AFTER_HOURS } from '#app/domain/reminders/notification-choices.ts';
import { authorise } from '#app/platform/access/authorise.server.ts';
import { getNotificationChoices } from '#app/platform/mail/notification-choices.server.ts';
import { repos } from './repositories.server.ts';

/** What becomes of a dose: its changed fields, or `removed` for one that was created when it was taken. */
export type DoseChange = DoseChanges | 'removed';

/**
 * Changes a dose with everything that follows from it. Part of an act.
 * @param before the dose as that act has read it
 * @returns the dose afterwards; null if undo removed it, because it was created when taken or its schedule no longer has it
 */
export async function applyDoseChange(
  ctx: Ctx,
  ownerId: string,
  before: DoseRecord,
  change: DoseChange,
): Promise<DoseRecord | null> {
  if (before.status === 'taken') await returnTaken(ctx, ownerId, before);
  if (change === 'removed') {
    await repos(ctx).doses.delete(ownerId, before.id);
    if (before.scheduleId !== null) await refreshScheduleDates(ctx, ownerId, before.scheduleId);
    return null;
  }
  const dose = await repos(ctx).doses.change(ownerId, before.id, change);
  return dose === null ? null : applyDoseEffects(ctx, ownerId, dose);
}

/**
 * Writes what follows from a dose as it is now: its draws from stock, its entry in the site log, reminders marked as read,
 * webhook events and the dates of its schedule. Part of the act that wrote the dose.
 * @returns the dose afterwards; null if its schedule no longer has it
 */
export async function applyDoseEffects(
  ctx: Ctx,
  ownerId: string,
  dose: DoseRecord,
): Promise<DoseRecord | null> {
  const { id, status, scheduleId } = dose;
  if (status === 'taken') await recordTaken(ctx, ownerId, dose);
  if (status !== 'pending') await repos(ctx).reminders.markDoseRead(ownerId, id);
  await recordEvents(ctx, ownerId, eventsOf(dose, ctx.now()));
  if (scheduleId === null) return dose;
  if (status === 'pending') return fitUndoneDose(ctx, ownerId, { ...dose, scheduleId });
  await refreshScheduleDates(ctx, ownerId, scheduleId);
  return dose;
}

/** Webhook events about a dose that its owner has logged. */
function eventsOf(dose: DoseRecord, now: Date): EventFacts[] {
  const { id: doseId, status, takenAt, actedAt } = dose;
  if (status === 'missed' || status === 'skipped')
    return [untakenEvent(`dose.${status}`, dose, actedAt ?? now)];
  if (status !== 'taken' || takenAt === null) return [];
  const data = takenDoseData({ ...dose, takenAt });
  return [{ type: 'dose.taken', key: stockKey(dose), at: actedAt ?? now, doseId, data }];
}

/** The webhook event about a missed or skipped dose, sent once for each due time it had. */
function untakenEvent(type: 'dose.missed' | 'dose.skipped', dose: DoseRecord, at: Date): EventFacts {
  const { id: doseId, dueDate } = dose;
  return { type, key: `${doseId}:${dueDate.getTime()}`, at, doseId, data: doseData(dose) };
}

/** Identifies the ledger entries of a dose; new each time it is taken. */
export const stockKey = ({ id, round }: DoseRecord): string => `${id}:${round}`;

/** Draws a taken dose from stock, and logs its injection site. */
async function recordTaken(ctx: Ctx, ownerId: string, dose: DoseRecord): Promise<void> {
  const { draws, takenAt } = dose;
  if (draws.length > 0) {
    await repos(ctx).doses.addDraws(ownerId, [dose]);
    await applyStockDraws(ctx, ownerId, { key: stockKey(dose), draws, at: takenAt ?? ctx.now() });
  }
  await recordSite(ctx, ownerId, dose);
}

/** Logs the injection site of a taken dose, if it has one. Part of an act. */
export async function recordSite(ctx: Ctx, ownerId: string, dose: DoseRecord): Promise<void> {
  const { id: doseId, site, takenAt, name, actualDose, doseUnit, draws } = dose;
  if (site === null || !isSite(site) || takenAt === null) return;
  const compoundId = draws[0]?.compoundId ?? null;
  await recordDoseSite(ctx, ownerId, { doseId, site, takenAt, name, dose: actualDose, doseUnit, compoundId });
}

/** Reverses that. */
async function returnTaken(ctx: Ctx, ownerId: string, dose: DoseRecord): Promise<void> {
  const { id, site, draws } = dose;
  if (draws.length > 0) {
    await returnStockDraws(ctx, ownerId, { key: stockKey(dose), draws, at: ctx.now() });
    await repos(ctx).doses.removeDraws(ownerId, dose);
  }
  if (site !== null) await removeDoseSite(ctx, ownerId, id);
}

const BATCH = 200;

const earlier = (now: Date, ms: number) => new Date(now.getTime() - ms);

/** Sets when unlogged doses become missed, according to their owners' settings. */
async function setMissTimes(ctx: Ctx, found: readonly OwnedDose[]): Promise<void> {
  const hours = new Map<string, number>();
  const times: { userId: string; id: string; missAt: Date }[] = [];
  for (const { userId, dose } of found) {
    const known = hours.get(userId) ?? (await getNotificationChoices(ctx, userId)).missedAfterHours;
    hours.set(userId, known);
    times.push({ userId, id: dose.id, missAt: missedAt(dose.dueDate, known) });
  }
  await repos(ctx).doses.setMissTimes(times);
}

/** Marks a dose as missed, with what follows from it. @returns whether it was still pending */
function markMissed(ctx: Ctx, { userId, dose: { id } }: OwnedDose): Promise<boolean> {
  return ctx.transaction(async () => {
    const dose = await repos(ctx).doses.miss(userId, id, ctx.now());
    if (dose === null) return false;
    await recordEvents(ctx, userId, [untakenEvent('dose.missed', dose, dose.missAt ?? ctx.now())]);
    // A schedule that counts from the last dose continues with the next one.
    if (dose.scheduleId !== null && (dose.chain ?? null) !== null)
      await refreshScheduleDates(ctx, userId, dose.scheduleId);
    return true;
  });
}

/**
 * Marks doses as missed that were not logged within the hours their owner chose. A change that the owner makes meanwhile is
 * never overwritten. A job of the worker; any number of workers share the doses, each of which becomes missed once.
 * @returns how many became missed
 */
export async function markMissedDoses(ctx: Ctx, stopping?: AbortSignal): Promise<number> {
  authorise(ctx.actor, 'dose.sweep');
  const now = ctx.now();
  const dueUpTo = earlier(now, MISSED_AFTER_HOURS.min * HOUR_MS);
  const { doses } = repos(ctx);
  const isStopping = () => stopping?.aborted === true;
  for (let untimed: OwnedDose[] = [], more = true; more && !isStopping(); more = untimed.length > 0) {
    untimed = await doses.chooseUntimed(dueUpTo, BATCH);
    await setMissTimes(ctx, untimed);
  }
  let missed = 0;
  for (let due: OwnedDose[] = [], more = true; more && !isStopping(); more = due.length > 0) {
    due = await doses.chooseMissed(now, BATCH);
    for (const one of due) if (!isStopping() && (await markMissed(ctx, one))) missed += 1;
  }
  return missed;
}
