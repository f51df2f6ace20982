import { isSite } from '#app/domain/tracking/sites.ts';
import type { DoseRecord } from '#models/index.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { refreshScheduleDates } from '#app/features/schedules/index.server.ts';
import { recordDoseSite, removeDoseSite } from '#app/features/tracking/index.server.ts';
import { applyStockDraws, returnStockDraws } from '#app/features/vials/index.server.ts';

/** The name of a dose's ledger entries; each time it is taken has its own. */
const stockKey = ({ id, round }: DoseRecord): string => `${id}:${round}`;

/** Whether a dose is taken and stays so. */
const isTakenForGood = ({ status, undoing }: DoseRecord): boolean => status === 'taken' && undoing !== true;

async function applyStockEffect(ctx: Ctx, ownerId: string, dose: DoseRecord): Promise<void> {
  const { draws, actedAt } = dose;
  if (draws.length === 0) return;
  const entry = { key: stockKey(dose), draws, at: dose.takenAt ?? actedAt ?? ctx.now() };
  await (isTakenForGood(dose) ? applyStockDraws(ctx, ownerId, entry) : returnStockDraws(ctx, ownerId, entry));
}

/** The log of injection sites has an entry for a dose with a site, for as long as it is taken. */
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

/**
 * Writes what follows from the last change of a dose: the stock, the log of sites, the dates of its schedule,
 * and its reminders, which are read. Every part may be done
 * twice, so whoever comes across a dose whose change was cut off just does it again.
 * @returns the dose as it is then; null when it was logged without a schedule and is undone now
 */
export async function applyDoseEffects(ctx: Ctx, ownerId: string, dose: DoseRecord): Promise<DoseRecord | null> {
  if (dose.stockDone) return dose;
  await applyStockEffect(ctx, ownerId, dose);
  await applySiteEffect(ctx, ownerId, dose);
  if (dose.undoing === true) {
    await ctx.repos.doses.removeVersion(ownerId, dose.id, dose.version);
    return null;
  }
  if (dose.status !== 'pending') await ctx.repos.reminders.markDoseRead(ownerId, dose.id);
  if (dose.scheduleId !== null) await refreshScheduleDates(ctx, ownerId, dose.scheduleId);
  const rest = dose.status === 'taken' ? {} : { draws: [] };
  await ctx.repos.doses.settle(ownerId, dose.id, dose.version, rest);
  return { ...dose, ...rest, stockDone: true };
}
