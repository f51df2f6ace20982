import { zoneClock, type ZoneClock, occurrences } from '#app/domain/schedules/occurrences.ts';
import { Decimal } from '#app/domain/decimal/decimal.ts';
import { DAY_MS } from '#app/domain/time/durations.ts';
import type { FutureDose, Vial } from '#app/domain/vials/vial.ts';
import { calendarDay, dayAfter, instantsOfDays } from '#app/domain/time/zoned-time.ts';
import { massInMg } from '#app/domain/units/quantity.ts';
import type { ScheduleRecord } from '#models/index.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { LEAST_MEAN_DAYS, MEAN_DAYS } from '#app/domain/schedules/after-last.ts';
import { forecastStock, type StockForecast } from '#app/domain/vials/forecast.ts';
import { stockAlertsOf, type StockAlert } from '#app/domain/vials/stock-alerts.ts';
import { authorise } from '#app/platform/access/authorise.server.ts';
import { ownersZone } from './stock-draws.server.ts';

/** So far ahead doses are walked. Stock that lasts longer needs no day. */
const HORIZON_DAYS = 120;

interface StockView {
  day: string;
  vials: Vial[];
  forecasts: StockForecast[];
}

/**
 * How long the stock of each compound lasts under the doses to come.
 * @throws AppError UNAUTHENTICATED, FORBIDDEN
 */
export async function stockForecast(ctx: Ctx, ownerId: string): Promise<StockForecast[]> {
  authorise(ctx.actor, 'vial.read', { ownerId });
  return (await view(ctx, ownerId)).forecasts;
}

/**
 * What the owner should know about their stock: what runs low, what must be used, what is past its date. The keys are
 * the same for as long as it is the same news, so that who was told once is not told again.
 * @throws AppError UNAUTHENTICATED, FORBIDDEN
 */
export async function stockAlerts(ctx: Ctx, ownerId: string): Promise<StockAlert[]> {
  authorise(ctx.actor, 'vial.read', { ownerId });
  const { day, vials, forecasts } = await view(ctx, ownerId);
  return stockAlertsOf(vials, forecasts, day);
}

/** Everything at once: vials that are not used up, their forecasts, and the alerts. */
export async function stockReport(ctx: Ctx, ownerId: string): Promise<StockView & { alerts: StockAlert[] }> {
  authorise(ctx.actor, 'vial.read', { ownerId });
  const found = await view(ctx, ownerId);
  return { ...found, alerts: stockAlertsOf(found.vials, found.forecasts, found.day) };
}

async function view(ctx: Ctx, ownerId: string): Promise<StockView> {
  const timeZone = await ownersZone(ctx, ownerId);
  const day = calendarDay(ctx.now(), timeZone);
  const until = dayAfter(day, HORIZON_DAYS);
  const { before } = instantsOfDays(null, until, timeZone);
  const [vials, names, doses] = await Promise.all([
    ctx.repos.compounds.listActive(ownerId),
    ctx.repos.compounds.namesOf(ownerId),
    futureDoses(ctx, ownerId, before ?? ctx.now(), timeZone),
  ]);
  const forecasts = forecastStock({ vials, doses, knownNames: new Set(names), day, until });
  return { day, vials, forecasts };
}

interface Due extends FutureDose {
  at: number;
}

/** What the schedules will ask for after the doses that are made ahead, by their own rules. */
function beyondMade(schedules: readonly ScheduleRecord[], now: Date, to: Date, timeZone: string): Due[] {
  const clocks = new Map<string, ZoneClock>();
  return schedules.flatMap((schedule) => {
    const clock = clocks.get(schedule.timeZone) ?? zoneClock(schedule.timeZone);
    clocks.set(schedule.timeZone, clock);
    const from = schedule.madeUntil > now ? schedule.madeUntil : now;
    if (from >= to || schedule.frequency.kind === 'after-last') return [];
    return occurrences(schedule, { from, to }, clock).map(({ dueDate, doseAmount }) => ({
      at: dueDate.getTime(),
      name: schedule.name,
      day: calendarDay(dueDate, timeZone),
      mg: massInMg(doseAmount, schedule.doseUnit).toFixed(),
      compoundId: schedule.compoundId,
    }));
  });
}

/**
 * What a schedule that counts from the last dose will ask for: each day the mean of what was taken in the last four weeks;
 * before it has run for a week, its doses as if each is taken when it is due.
 */
async function chainedDoses(
  ctx: Ctx,
  ownerId: string,
  schedule: ScheduleRecord,
  { now, to, timeZone }: { now: Date; to: Date; timeZone: string },
): Promise<Due[]> {
  const { id: scheduleId, name, compoundId, doseUnit, createdAt } = schedule;
  const dueFrom = (at: Date, mg: string) => ({
    at: at.getTime(),
    name,
    day: calendarDay(at, timeZone),
    mg,
    compoundId,
  });
  const begin = new Date(Math.max(createdAt.getTime(), now.getTime() - MEAN_DAYS * DAY_MS));
  const days = (now.getTime() - begin.getTime()) / DAY_MS;
  const taken = await ctx.repos.doses.list(ownerId, {
    scheduleId,
    status: 'taken',
    from: begin,
    before: now,
  });
  if (days < LEAST_MEAN_DAYS || taken.length === 0) {
    const firstDueAt = schedule.nextDoseDate ?? now;
    const planned = occurrences(
      { ...schedule, firstDueAt },
      { from: firstDueAt < now ? firstDueAt : now, to },
    );
    return planned.map(({ dueDate, doseAmount }) =>
      dueFrom(dueDate < now ? now : dueDate, massInMg(doseAmount, doseUnit).toFixed()),
    );
  }
  const sum = taken.reduce(
    (mg, dose) => mg.plus(massInMg(dose.actualDose ?? dose.doseAmount, dose.doseUnit)),
    new Decimal(0),
  );
  const mean = sum.div(Math.round(days)).round(MEAN_DECIMALS).toFixed();
  const count = Math.floor((to.getTime() - now.getTime()) / DAY_MS);
  return Array.from({ length: count }, (_, index) => ({
    ...dueFrom(new Date(now.getTime() + (index + 1) * DAY_MS), mean),
    isEstimate: true,
  }));
}

/** Decimals of a mean in mg: a hundredth of a microgram. */
const MEAN_DECIMALS = 5;

/**
 * The doses that are to be taken from now up to an instant: those that are made, with whatever was changed about each,
 * then those that the schedules' rules give.
 * @param timeZone the owner's, in which their days are counted
 */
async function futureDoses(ctx: Ctx, ownerId: string, to: Date, timeZone: string): Promise<FutureDose[]> {
  const now = ctx.now();
  const [made, schedules] = await Promise.all([
    ctx.repos.doses.futureOf(ownerId, now, to),
    ctx.repos.schedules.listActive(ownerId),
  ]);
  const chained = await Promise.all(
    schedules
      .filter(({ frequency }) => frequency.kind === 'after-last')
      .map(async (schedule) => ({
        schedule,
        doses: await chainedDoses(ctx, ownerId, schedule, { now, to, timeZone }),
      })),
  );
  const ownWay = new Set(chained.map(({ schedule }) => schedule.id));
  const due: Due[] = made
    .filter(({ scheduleId }) => scheduleId === null || !ownWay.has(scheduleId))
    .map((dose) => ({
      at: dose.dueDate.getTime(),
      name: dose.name,
      day: calendarDay(dose.dueDate, timeZone),
      mg: massInMg(dose.doseAmount, dose.doseUnit).toFixed(),
      compoundId: dose.compoundId,
    }));
  const ahead = [...beyondMade(schedules, now, to, timeZone), ...chained.flatMap(({ doses }) => doses)];
  return [...due, ...ahead].sort((a, b) => a.at - b.at);
}
