import { beforeChange } from '#app/domain/doses/dose.ts';
import { doseLine, type DoseLine } from '#app/domain/doses/dose-line.ts';
import { unconfirmed, type DoseWarning } from '#app/domain/doses/dose-warnings.ts';
import { backfillSchema, MAX_BACKFILL, type BackfillInput } from '#app/domain/doses/dose-schema.ts';
import { parseInput } from '#app/domain/forms/fields.ts';
import { instantsOfDays } from '#app/domain/time/zoned-time.ts';
import type { DoseRecord } from '#models/index.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { changeDose, planIntake, plannedAmount, takenChanges, type Intake } from './doses.server.ts';
import { premiumOwner, type PremiumOwner } from '#app/platform/access/owner.server.ts';
import { repos } from './repositories.server.ts';

/** A period of days, both ends included. */
export interface BackfillDays {
  from: string;
  to: string;
}

const isUnlogged = ({ status }: DoseRecord): boolean => status === 'pending' || status === 'missed';

/**
 * The signed-in user's past doses that are not logged, earliest first.
 * @param scheduleId only those of this schedule
 * @returns at most {@link MAX_BACKFILL} lines, and whether there are more
 * @throws AppError PREMIUM_REQUIRED
 */
export async function listUnloggedDoses(
  ctx: Ctx,
  days: BackfillDays,
  scheduleId?: string,
): Promise<{ rows: DoseLine[]; more: boolean }> {
  const { id, timeZone } = await premiumOwner(ctx, 'dose.read');
  const now = ctx.now();
  const { from, before } = instantsOfDays(days.from, days.to, timeZone);
  const end = before === null || before > now ? now : before;
  const found = await repos(ctx).doses.list(id, {
    ...(from && { from }),
    before: end,
    status: ['pending', 'missed'],
    ...(scheduleId !== undefined && { scheduleId }),
    limit: MAX_BACKFILL + 1,
  });
  const rows = found.slice(0, MAX_BACKFILL).map((dose) => doseLine(dose, timeZone, now));
  return { rows, more: found.length > MAX_BACKFILL };
}

/** The intake of a dose taken as planned, at the time it was due. */
function plannedIntake(dose: DoseRecord, { syringe }: PremiumOwner): Intake {
  const { id, name, doseAmount, doseUnit, dueDate, scheduleId, compoundId } = dose;
  const intake = { id, name, amount: doseAmount, doseUnit, takenAt: dueDate, scheduleId, syringe };
  const blend = dose.blend ?? null;
  return {
    ...intake,
    planned: plannedAmount(dose),
    namedVial: null,
    preferredVial: compoundId,
    blend,
    doseOf: blend?.doseOf ?? null,
  };
}

/** How many doses were logged, or the warnings to confirm first, in which case nothing was saved. */
export type BackfillOutcome = { done: true; count: number } | { done: false; warnings: DoseWarning[] };

/** The warnings of all doses, each checked on its own, without repeats. */
async function collectWarnings(
  ctx: Ctx,
  owner: PremiumOwner,
  doses: readonly DoseRecord[],
): Promise<DoseWarning[]> {
  const found: DoseWarning[] = [];
  for (const dose of doses)
    found.push(...(await planIntake(ctx, owner, plannedIntake(dose, owner))).warnings);
  return found.filter(({ message }, index) => found.findIndex((one) => one.message === message) === index);
}

/** Logs one dose, unless it has been logged in the meantime. @returns whether it was logged */
async function logAsPlanned(ctx: Ctx, owner: PremiumOwner, id: string): Promise<boolean> {
  const { result } = await changeDose<boolean>(ctx, owner.id, id, async (dose) => {
    if (!isUnlogged(dose) || dose.dueDate > ctx.now()) return { change: null, result: false };
    const intake = plannedIntake(dose, owner);
    const plan = await planIntake(ctx, owner, intake);
    const before = beforeChange({ ...dose, before: dose.before ?? null }, 'taken');
    const details = { ...(dose.notes === null ? {} : { notes: dose.notes }), now: ctx.now() };
    return { change: { ...takenChanges(dose, intake, plan, details), before }, result: true };
  });
  return result;
}

/**
 * Logs past doses as taken, each as planned and at its due time, and draws them from stock. Skips doses that belong to
 * someone else, are not due yet or are already logged.
 * @throws AppError INVALID_INPUT, PREMIUM_REQUIRED
 */
export async function backfillDoses(ctx: Ctx, input: BackfillInput): Promise<BackfillOutcome> {
  const owner = await premiumOwner(ctx, 'dose.change');
  const { ids, confirmed } = parseInput(backfillSchema, input);
  const found = await Promise.all([...new Set(ids)].map((id) => repos(ctx).doses.find(owner.id, id)));
  const doses = found
    .filter((dose) => dose !== null)
    .filter(isUnlogged)
    .sort((a, b) => a.dueDate.getTime() - b.dueDate.getTime());
  const warnings = unconfirmed(await collectWarnings(ctx, owner, doses), confirmed);
  if (warnings.length > 0) return { done: false, warnings };
  let count = 0;
  for (const { id } of doses) if (await logAsPlanned(ctx, owner, id)) count += 1;
  return { done: true, count };
}
