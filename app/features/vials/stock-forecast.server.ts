import { zoneClock, type ZoneClock, occurrences } from '#app/domain/schedules/occurrences.ts';
import type { FutureDose, Vial } from '#app/domain/vials/vial.ts';
import { calendarDay, dayAfter, instantsOfDays } from '#app/domain/time/zoned-time.ts';
import { massInMg } from '#app/domain/units/quantity.ts';
import type { ScheduleRecord } from '#models/index.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
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
    if (from >= to) return [];
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
  const due: Due[] = made.map((dose) => ({
    at: dose.dueDate.getTime(),
    name: dose.name,
    day: calendarDay(dose.dueDate, timeZone),
    mg: massInMg(dose.doseAmount, dose.doseUnit).toFixed(),
    compoundId: dose.compoundId,
  }));
  return [...due, ...beyondMade(schedules, now, to, timeZone)].sort((a, b) => a.at - b.at);
}
