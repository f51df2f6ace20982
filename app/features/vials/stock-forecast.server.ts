import { forecastStock, type StockForecast } from '#app/domain/vials/forecast.ts';
import { stockAlertsOf, type StockAlert } from '#app/domain/vials/stock-alerts.ts';
import type { Vial } from '#app/domain/vials/vial.ts';
import { calendarDay, dayAfter, instantsOfDays } from '#app/domain/time/days.ts';
import { authorise } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { futureDoses } from './upcoming-doses.server.ts';
import { ownersZone } from './stock.server.ts';

/** So far ahead doses are walked. Stock that lasts longer needs no day. */
const HORIZON_DAYS = 120;

interface StockView {
  day: string;
  vials: Vial[];
  forecasts: StockForecast[];
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
