import type { DoseUnit } from '#app/domain/calculator/calculation.ts';
import {
  asNeededText,
  nextFrom,
  type TakenAround,
  type DoseWarning,
  amountKey,
} from '#app/domain/doses/dose-warnings.ts';
import { doseOnDay, runsOn } from '#app/domain/schedules/occurrences.ts';
import type { AsNeeded } from '#app/domain/schedules/schedule-rule.ts';
import { partOn } from '#app/domain/schedules/plan-changes.ts';
import { SCHEDULE_MESSAGES } from '#app/domain/schedules/schedule-schema.ts';
import {
  DOSE_MESSAGES,
  NAMED_PLAN,
  takeDoseSchema,
  type TakeDoseInput,
} from '#app/domain/doses/dose-schema.ts';
import { drawLines, type AsNeededLine } from '#app/domain/doses/draw-line.ts';
import { AppError, conflict } from '#app/domain/errors.ts';
import { parseInput } from '#app/domain/forms/fields.ts';
import { calendarDay } from '#app/domain/time/zoned-time.ts';
import { vialNameKey, type Vial } from '#app/domain/vials/vial.ts';
import { pickNamed } from '#app/domain/records/pick-named.ts';
import type { DoseRecord, ScheduleRecord } from '#models/index.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { premiumOwner, type PremiumOwner } from '#app/platform/access/owner.server.ts';
import { idFromKey } from '#app/platform/ids.server.ts';
import { countOnDay, doseDueAt, logTaken, previewIntake, type TakeOutcome } from './doses.server.ts';
import { readBacks } from './read-back.server.ts';
import { repos } from './repositories.server.ts';

/** An as-needed schedule. */
type AsNeededPlan = ScheduleRecord & { frequency: AsNeeded };

/** A schedule with its compound, vial and dose on the day of `at`. */
const current = (plan: ScheduleRecord, at: Date): ScheduleRecord =>
  partOn(plan, calendarDay(at, plan.timeZone));

const isAsNeeded = (schedule: ScheduleRecord): schedule is AsNeededPlan =>
  schedule.frequency.kind === 'as-needed';

/**
 * Takes an as-needed dose: creates it, logs it as taken and draws it from stock. Undoing it removes it. Also works while the
 * schedule is paused or has ended.
 * @param input as for a planned dose; the amount defaults to the schedule's
 * @param idempotencyKey identifies one submission: sent twice, it creates one dose
 * @param email the owner, when called from the terminal
 * @returns the dose with its warnings, or the warnings that still need confirming
 * @throws AppError NOT_FOUND, CONFLICT for a schedule with planned doses, INVALID_INPUT, PREMIUM_REQUIRED, PLAN_LIMIT when
 *   the account is full
 */
export async function takeAsNeeded(
  ctx: Ctx,
  scheduleId: string,
  input: TakeDoseInput = {},
  { idempotencyKey, email }: { idempotencyKey?: string | undefined; email?: string | undefined } = {},
): Promise<TakeOutcome> {
  const owner = await premiumOwner(ctx, 'dose.change', email);
  const fields = parseInput(takeDoseSchema, input);
  const plan = await getAsNeededPlan(ctx, owner.id, scheduleId);
  const id = idFromKey('dose', ctx.now(), owner.id, idempotencyKey && `${scheduleId} ${idempotencyKey}`);
  return logTaken(ctx, owner, fields, (at) => asNeededDose(id, plan, at));
}

/** @throws AppError NOT_FOUND, also for someone else's schedule; CONFLICT for one with planned doses */
async function getAsNeededPlan(ctx: Ctx, ownerId: string, id: string): Promise<AsNeededPlan> {
  const schedule = await repos(ctx).schedules.find(ownerId, id);
  if (schedule === null) throw new AppError('NOT_FOUND', SCHEDULE_MESSAGES.notFound);
  if (!isAsNeeded(schedule)) throw conflict('NOT_AS_NEEDED', DOSE_MESSAGES.notAsNeeded);
  return schedule;
}

/**
 * The owner's as-needed schedule named in the terminal, by its id or by its name if that is unique.
 * @throws AppError NOT_FOUND, INVALID_INPUT at `asNeeded` if several have the name
 */
export async function findAsNeededPlan(
  ctx: Ctx,
  nameOrId: string,
  email?: string,
): Promise<{ id: string; name: string }> {
  const owner = await premiumOwner(ctx, 'dose.read', email);
  const plans = (await repos(ctx).schedules.listAsNeeded(owner.id, MOST_PLANS)).map((plan) =>
    current(plan, ctx.now()),
  );
  return pickNamed(plans, nameOrId, NAMED_PLAN);
}

/** A pending dose of an as-needed schedule, due when it is taken. */
function asNeededDose(id: string, plan: AsNeededPlan, at: Date): DoseRecord {
  const { name, compoundId, blend } = current(plan, at);
  return doseDueAt(at, plan.timeZone, {
    id,
    scheduleId: plan.id,
    scheduleRevision: plan.revision,
    asNeeded: true,
    name,
    compoundId,
    ...(blend && { blend }),
    doseAmount: doseOnDay(plan, calendarDay(at, plan.timeZone)),
    doseUnit: plan.doseUnit,
    route: plan.route,
  });
}

/** Maximum number of as-needed schedules on a page. */
const MOST_PLANS = 20;

/**
 * The signed-in user's as-needed schedules in force now, newest first, with what to draw, when the last dose was taken, and
 * when the next one needs no confirmation.
 * @param vials the owner's active ones
 * @throws AppError PREMIUM_REQUIRED
 */
export async function listAsNeeded(
  ctx: Ctx,
  owner: PremiumOwner,
  vials: readonly Vial[],
): Promise<AsNeededLine[]> {
  const now = ctx.now();
  const plans = (await repos(ctx).schedules.listAsNeeded(owner.id, MOST_PLANS))
    .filter(isAsNeeded)
    .filter((plan) => plan.isActive && runsOn(plan, now));
  return asNeededLines(ctx, owner, plans, vials);
}

async function asNeededLines(
  ctx: Ctx,
  owner: PremiumOwner,
  plans: readonly AsNeededPlan[],
  vials: readonly Vial[],
): Promise<AsNeededLine[]> {
  if (plans.length === 0) return [];
  const now = ctx.now();
  const { timeZone, syringe } = owner;
  const doses = plans.map((plan) => asNeededDose(plan.id, plan, now));
  const readBackByName = await readBacks(ctx, owner, doses, vials);
  const lines = drawLines(doses, vials, { timeZone, now, syringe, readBacks: readBackByName });
  const taken = await Promise.all(doses.map(({ name }) => takenAround(ctx, owner, name)));
  return lines.map((line, index) => {
    const rule = plans[index]?.frequency ?? { kind: 'as-needed' };
    const around = taken[index] ?? { before: null, after: null, onDay: 0 };
    return {
      ...line,
      paceText: asNeededText(rule, now, around, timeZone),
      isEarly: nextFrom(rule, now, around, timeZone) !== null,
    };
  });
}

async function takenAround(ctx: Ctx, owner: PremiumOwner, name: string): Promise<TakenAround> {
  const now = ctx.now();
  const nameKey = vialNameKey(name);
  const [{ before, after }, onDay] = await Promise.all([
    repos(ctx).doses.neighbours(owner.id, nameKey, now, ''),
    countOnDay(ctx, owner, { nameKey, at: now, exceptId: '' }),
  ]);
  return { before, after, onDay };
}

/** Data of the page for one as-needed dose. */
export interface AsNeededView {
  line: AsNeededLine;
  /** Decimal text in `doseUnit`. */
  planned: string;
  doseUnit: DoseUnit;
  /** For a blend, the component the dose is measured in. */
  doseOf: string | null;
  compoundId: string | null;
  /** The warnings that taking it now as planned would give, and the amount they are about. */
  warnings: DoseWarning[];
  askedAmount: string;
}

/**
 * What to draw for an as-needed dose, and the warnings that taking it now would give. Writes nothing.
 * @throws AppError NOT_FOUND, CONFLICT for a schedule with planned doses, PREMIUM_REQUIRED
 */
export async function previewAsNeeded(ctx: Ctx, scheduleId: string): Promise<AsNeededView> {
  const owner = await premiumOwner(ctx, 'dose.read');
  const plan = await getAsNeededPlan(ctx, owner.id, scheduleId);
  const dose = asNeededDose('', plan, ctx.now());
  const vials = await repos(ctx).vials.listActive(owner.id);
  const [[line], { warnings }] = await Promise.all([
    asNeededLines(ctx, owner, [plan], vials),
    previewIntake(ctx, owner, dose),
  ]);
  const { doseAmount, doseUnit, compoundId, name } = dose;
  const askedAmount = amountKey(name, { text: doseAmount, unit: doseUnit });
  return {
    line: line as AsNeededLine,
    planned: doseAmount,
    doseUnit,
    doseOf: dose.blend?.doseOf ?? null,
    compoundId,
    warnings,
    askedAmount,
  };
}
