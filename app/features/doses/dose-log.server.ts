import { unconfirmed } from '#app/domain/doses/dose-warnings.ts';
import { logDoseSchema, type LogDoseFields, type LogDoseInput } from '#app/domain/doses/dose-schema.ts';
import { parseInput } from '#app/domain/forms/parse-input.ts';
import { localDateTime } from '#app/domain/time/days.ts';
import type { DoseRecord } from '#models/index.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { doseNotFound } from './dose-change.server.ts';
import { readIntake, planIntake, takenChanges } from './intake-planning.server.ts';
import { applyDoseEffects } from './dose-effects.server.ts';
import type { TakeOutcome } from './doses.server.ts';
import { idFromKey } from '#app/platform/ids.server.ts';
import { premiumOwner, type PremiumOwner } from '#app/platform/access/premium-owner.server.ts';

/** A dose that no schedule has, before it is taken: due when it is taken. */
function unscheduledDose(id: string, owner: PremiumOwner, fields: LogDoseFields, at: Date): DoseRecord {
  const [localDay = '', wallTime = ''] = localDateTime(at, owner.timeZone).split(' ');
  return {
    id,
    scheduleId: null,
    scheduleRevision: 0,
    name: fields.name,
    compoundId: null,
    localDay,
    wallTime,
    timeZone: owner.timeZone,
    dueDate: at,
    doseAmount: fields.actualDose,
    doseUnit: fields.doseUnit,
    route: fields.route || null,
    status: 'pending',
    takenAt: null,
    actualDose: null,
    notes: null,
    site: null,
    round: 0,
    draws: [],
    stockDone: true,
    remindAt: null,
    remindStage: 'due',
    remindCount: 0,
    remindClaimedUntil: null,
    version: 0,
  };
}

/**
 * Logs a dose that no schedule has, and draws it from the stock. Undoing it removes it.
 * @param idempotencyKey names one press of the button: sent twice, it logs one dose
 * @param email whose, at the terminal
 * @returns the dose with its warnings, or what has to be asked first
 * @throws AppError INVALID_INPUT, PREMIUM_REQUIRED, NOT_FOUND (no such account)
 */
export async function logDose(
  ctx: Ctx,
  input: LogDoseInput,
  { idempotencyKey, email }: { idempotencyKey?: string | undefined; email?: string | undefined } = {},
): Promise<TakeOutcome> {
  const owner = await premiumOwner(ctx, 'dose.change', email);
  const fields = parseInput(logDoseSchema, input);
  const now = ctx.now();
  const draft = unscheduledDose(idFromKey('dose', now, owner.id, idempotencyKey), owner, fields, now);
  const intake = readIntake(ctx, owner, draft, fields);
  const { draws, warnings } = await planIntake(ctx, owner.id, intake);
  if (unconfirmed(warnings, fields.confirmed).length > 0) return { done: false, warnings };
  const due = unscheduledDose(draft.id, owner, fields, intake.takenAt);
  const taken: DoseRecord = {
    ...due,
    ...takenChanges(due, intake, draws, fields),
    before: { status: 'pending', notes: null },
    actedAt: now,
    stockDone: false,
  };
  const { dose } = await ctx.repos.doses.insertLogged(owner.id, taken);
  const settled = await applyDoseEffects(ctx, owner.id, dose);
  if (settled === null) throw doseNotFound();
  return { done: true, dose: settled, warnings };
}
