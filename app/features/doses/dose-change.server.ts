import { AppError } from '#app/domain/errors.ts';
import { DOSE_MESSAGES } from '#app/domain/doses/dose-schema.ts';
import type { DoseChanges, DoseRecord } from '#models/index.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { applyDoseEffects } from './dose-effects.server.ts';

/** Two tabs make a change fail once; more often than this somebody changes it all the time. */
const ATTEMPTS = 5;

export const doseNotFound = () => new AppError('NOT_FOUND', DOSE_MESSAGES.notFound);

/**
 * One of an owner's doses, with everything written that followed from its last change.
 * @throws AppError NOT_FOUND for a missing and a foreign one alike
 */
export async function getCurrentDose(ctx: Ctx, ownerId: string, id: string): Promise<DoseRecord> {
  const dose = await ctx.repos.doses.findOne(ownerId, id);
  const settled = dose === null ? null : await applyDoseEffects(ctx, ownerId, dose);
  if (settled === null) throw doseNotFound();
  return settled;
}

/** What to write, or a result that needs nothing written. */
export type Decision<T> = { changes: DoseChanges; result: T } | { changes: null; result: T };

/**
 * Changes a dose by one atomic update from the state that `decide` was given, then writes what follows from it. When
 * somebody else was quicker, it is decided anew.
 * @returns the dose as it is now (null: it is gone), and what `decide` said
 * @throws AppError NOT_FOUND, CONFLICT when it never stays still, and what `decide` throws
 */
export async function changeDose<T>(
  ctx: Ctx,
  ownerId: string,
  id: string,
  decide: (dose: DoseRecord) => Promise<Decision<T>> | Decision<T>,
): Promise<{ dose: DoseRecord | null; result: T }> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const dose = await getCurrentDose(ctx, ownerId, id);
    const { changes, result } = await decide(dose);
    if (changes === null) return { dose, result };
    const written = { ...changes, actedAt: ctx.now(), stockDone: false };
    const changed = await ctx.repos.doses.compareAndSet(ownerId, id, dose.version, written);
    if (changed !== null) return { dose: await applyDoseEffects(ctx, ownerId, changed), result };
  }
  throw new AppError('CONFLICT', DOSE_MESSAGES.changedMeanwhile);
}
