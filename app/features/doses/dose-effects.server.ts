import { isSite } from '#app/domain/tracking/sites.ts';
import type { DoseRecord } from '#models/index.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { finishUndoneDose, refreshScheduleDates } from '#app/features/schedules/index.server.ts';
import { recordDoseSite, removeDoseSite } from '#app/features/tracking/index.server.ts';
import { recordEvents } from '#app/features/webhooks/index.server.ts';
import { doseData, takenDoseData, type ToldEvent } from '#app/domain/webhooks/webhook.ts';
import { applyStockDraws, returnStockDraws } from '#app/features/vials/index.server.ts';

/**
 * Applies the later effects of a dose's last change: stock, site log, reminders (marked as read), what webhooks are told,
 * and the dates of its schedule. Each part can be repeated safely, so a change that was cut off is finished by running all
 * of it again.
 * @returns the dose afterwards; null if undoing removed it: it was made when it was taken, or its schedule no longer has it
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

/** What webhooks are told of a dose that its owner has logged. */
function eventsOf(dose: DoseRecord, now: Date): ToldEvent[] {
  const { id: doseId, status, takenAt, actedAt } = dose;
  if (status === 'missed') return [missedEvent(dose, actedAt ?? now)];
  if (status !== 'taken' || takenAt === null) return [];
  const data = takenDoseData({ ...dose, takenAt });
  return [{ type: 'dose.taken', key: stockKey(dose), at: actedAt ?? now, doseId, data }];
}

/** What webhooks are told of a dose that was missed, once for each time that it was planned for. */
export function missedEvent(dose: DoseRecord, at: Date): ToldEvent {
  const { id: doseId, dueDate } = dose;
  return { type: 'dose.missed', key: `${doseId}:${dueDate.getTime()}`, at, doseId, data: doseData(dose) };
}

/** Identifies the ledger entries of a dose; each time it is taken gets new ones. */
export const stockKey = ({ id, round }: DoseRecord): string => `${id}:${round}`;

/** Taken, and not on its way to being undone. */
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
