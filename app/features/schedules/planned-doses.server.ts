import { DAY_MS } from '#app/domain/time/calendar.ts';
import { Decimal } from '#app/domain/decimal/decimal.ts';
import {
  LEAST_MEAN_DAYS,
  MEAN_DAYS,
  zoneClock,
  type ZoneClock,
  occurrences,
} from '#app/domain/schedules/occurrences.ts';
import { pausedDays, pauseOn, partOn, swapOn } from '#app/domain/schedules/plan-changes.ts';
import { hasTimes, type ScheduleRule } from '#app/domain/schedules/schedule-rule.ts';
import { calendarDay } from '#app/domain/time/zoned-time.ts';
import { toBaseUnit } from '#app/domain/units/quantity.ts';
import { endWithVials } from '#app/domain/vials/forecast.ts';
import { substanceUnitOf } from '#app/domain/calculator/calculation.ts';
import { isFinal, type FutureDose } from '#app/domain/vials/vial.ts';
import type { Blend } from '#app/domain/vials/contents.ts';
import type { ScheduleRecord } from '#models/index.server.ts';
import { authorise } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { lastVialOf } from './dose-generation.server.ts';
import { repos } from './repositories.server.ts';

/** A future dose and its schedule. */
interface PlannedDose extends FutureDose {
  at: number;
  scheduleId: string | null;
}

/** A schedule that may not be stored yet. */
type Plan = ScheduleRule & {
  readonly id: string | null;
  readonly name: string;
  readonly compoundId: string | null;
  readonly blend?: Blend | null;
};

/** The doses of a schedule with times of day in a period. @param timeZone the owner's */
function ownDoses(
  plan: Plan,
  { from, to, timeZone }: { from: Date; to: Date; timeZone: string },
  clock?: ZoneClock,
): PlannedDose[] {
  const { id: scheduleId, doseUnit, endsWithVial } = plan;
  return occurrences(plan, { from, to }, clock).map(({ dueDate, localDay, doseAmount }) => {
    const { name, compoundId, blend } = partOn(plan, localDay);
    const [at, day] = [dueDate.getTime(), calendarDay(dueDate, timeZone)];
    return {
      ...{ at, day, scheduleId, name, compoundId, blend, endsWithVial },
      mg: toBaseUnit(doseAmount, doseUnit).toFixed(),
      measure: substanceUnitOf(doseUnit),
    };
  });
}

/** Doses after the generated ones, calculated from the schedules' rules. */
function beyondMade(
  schedules: readonly ScheduleRecord[],
  now: Date,
  to: Date,
  timeZone: string,
): PlannedDose[] {
  const clocks = new Map<string, ZoneClock>();
  return schedules.flatMap((schedule) => {
    const clock = clocks.get(schedule.timeZone) ?? zoneClock(schedule.timeZone);
    clocks.set(schedule.timeZone, clock);
    const from = schedule.madeUntil > now ? schedule.madeUntil : now;
    if (from >= to || !hasTimes(schedule.frequency)) return [];
    return ownDoses(schedule, { from, to, timeZone }, clock);
  });
}

/**
 * The expected doses of a schedule whose doses depend on when they are taken: per day, the mean of the last four weeks. In its
 * first week: its doses assuming that each is taken when due, or none for an as-needed schedule.
 */
async function meanDoses(
  ctx: Ctx,
  ownerId: string,
  schedule: ScheduleRecord,
  { now, to, timeZone }: { now: Date; to: Date; timeZone: string },
): Promise<PlannedDose[]> {
  const { id: scheduleId, doseUnit, createdAt, pauses, endsWithVial } = schedule;
  const localDayOf = (at: Date) => calendarDay(at, schedule.timeZone);
  const dueFrom = (at: Date, mg: string) => {
    const { name, compoundId, blend } = partOn(schedule, localDayOf(at));
    const day = calendarDay(at, timeZone);
    const measure = substanceUnitOf(doseUnit);
    return { at: at.getTime(), scheduleId, name, day, mg, measure, compoundId, blend, endsWithVial };
  };
  const begin = new Date(Math.max(createdAt.getTime(), now.getTime() - MEAN_DAYS * DAY_MS));
  const yesterday = localDayOf(new Date(now.getTime() - DAY_MS));
  const days = (now.getTime() - begin.getTime()) / DAY_MS - pausedDays(pauses, localDayOf(begin), yesterday);
  const taken = await repos(ctx).doses.list(ownerId, {
    scheduleId,
    status: 'taken',
    from: begin,
    before: now,
  });
  if (days < LEAST_MEAN_DAYS || taken.length === 0) {
    if (schedule.frequency.kind === 'as-needed') return [];
    const firstDueAt = schedule.nextDoseDate ?? now;
    const planned = occurrences(
      { ...schedule, firstDueAt },
      { from: firstDueAt < now ? firstDueAt : now, to },
    );
    return planned.map(({ dueDate, doseAmount }) =>
      dueFrom(dueDate < now ? now : dueDate, toBaseUnit(doseAmount, doseUnit).toFixed()),
    );
  }
  const alike = taken.filter((dose) => substanceUnitOf(dose.doseUnit) === substanceUnitOf(doseUnit));
  const sum = alike.reduce(
    (mg, dose) => mg.plus(toBaseUnit(dose.actualDose ?? dose.doseAmount, dose.doseUnit)),
    new Decimal(0),
  );
  const wholeDays = Math.max(1, Math.round(days));
  const mean = sum.div(wholeDays).round(MEAN_DECIMALS).toFixed();
  const perDay = new Decimal(taken.length).div(wholeDays);
  const count = Math.floor((to.getTime() - now.getTime()) / DAY_MS);
  return Array.from({ length: count }, (_, index) => new Date(now.getTime() + (index + 1) * DAY_MS))
    .filter((at) => pauseOn(pauses, localDayOf(at)) === null && !(schedule.stopsAt && at >= schedule.stopsAt))
    .map((at) => {
      const swapped = swapOn(schedule.swaps, localDayOf(at))?.doseAmount ?? null;
      const mg =
        swapped === null ? mean : perDay.times(toBaseUnit(swapped, doseUnit)).round(MEAN_DECIMALS).toFixed();
      return { ...dueFrom(at, mg), injections: perDay.round(MEAN_DECIMALS).toFixed(), isEstimate: true };
    });
}

/** Decimals of a mean: in mg a hundredth of a microgram. */
const MEAN_DECIMALS = 5;

/**
 * The doses that an owner is due to take from now until `to`: the generated ones with their changes, then those calculated
 * from the schedules' rules.
 * @param timeZone the owner's, in which their days are counted
 */
export async function plannedDoses(
  ctx: Ctx,
  ownerId: string,
  to: Date,
  timeZone: string,
): Promise<PlannedDose[]> {
  authorise(ctx.actor, 'vial.read', { ownerId });
  const now = ctx.now();
  // One after the other, because this may be part of a transaction.
  const made = await repos(ctx).doses.futureOf(ownerId, now, to);
  const schedules = await repos(ctx).schedules.listActive(ownerId);
  const byMean: { schedule: ScheduleRecord; doses: PlannedDose[] }[] = [];
  for (const schedule of schedules.filter(({ frequency }) => !hasTimes(frequency)))
    byMean.push({ schedule, doses: await meanDoses(ctx, ownerId, schedule, { now, to, timeZone }) });
  const ownWay = new Set(byMean.map(({ schedule }) => schedule.id));
  const ending = new Set(schedules.filter(({ endsWithVial }) => endsWithVial).map(({ id }) => id));
  const due: PlannedDose[] = made
    .filter(({ scheduleId }) => scheduleId === null || !ownWay.has(scheduleId))
    .map((dose) => ({
      at: dose.dueDate.getTime(),
      scheduleId: dose.scheduleId,
      endsWithVial: dose.scheduleId !== null && ending.has(dose.scheduleId),
      name: dose.name,
      day: calendarDay(dose.dueDate, timeZone),
      mg: toBaseUnit(dose.doseAmount, dose.doseUnit).toFixed(),
      measure: substanceUnitOf(dose.doseUnit),
      compoundId: dose.compoundId,
      blend: dose.blend,
    }));
  const ahead = [...beyondMade(schedules, now, to, timeZone), ...byMean.flatMap(({ doses }) => doses)];
  return [...due, ...ahead].sort((a, b) => a.at - b.at);
}

/** How far ahead to look for the end of a vial. */
const HORIZON_DAYS = 730;

/**
 * The day on which a schedule will probably end with its vial, if every planned dose from it is taken, including those of
 * other schedules.
 * @param plan may not be stored yet
 * @returns YYYY-MM-DD; null if it does not end with a vial, has ended, or the day is unknown
 */
export async function vialEndOf(ctx: Ctx, ownerId: string, plan: Plan): Promise<string | null> {
  authorise(ctx.actor, 'vial.read', { ownerId });
  const last = lastVialOf(plan);
  if (plan.endsWithVial !== true || plan.stopsAt || last === null) return null;
  const vial = await repos(ctx).vials.find(ownerId, last.id);
  if (vial === null || isFinal(vial)) return null;
  const { timeZone } = ctx;
  const from = ctx.now();
  const to = new Date(from.getTime() + HORIZON_DAYS * DAY_MS);
  const all = await plannedDoses(ctx, ownerId, to, timeZone);
  const stored = all.filter(({ scheduleId }) => scheduleId !== null && scheduleId === plan.id);
  const isByMean = !hasTimes(plan.frequency) && stored.length > 0;
  const own = isByMean ? stored : ownDoses(plan, { from, to, timeZone });
  const others = all.filter(({ scheduleId }) => scheduleId === null || scheduleId !== plan.id);
  const doses = [...others, ...own].sort((a, b) => a.at - b.at);
  const deadSpaceMl = (await repos(ctx).users.find(ownerId))?.deadSpaceMl;
  return endWithVials([vial], doses, deadSpaceMl).lastDays.get(vial.id) ?? null;
}
