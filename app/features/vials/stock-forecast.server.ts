import { DAY_MS } from '#app/domain/time/calendar.ts';
import { expiryOf, type Vial } from '#app/domain/vials/vial.ts';
import { calendarDay, dayAfter, instantsOfDays } from '#app/domain/time/zoned-time.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { endWithVials, forecastStock, type StockForecast } from '#app/domain/vials/forecast.ts';
import { plannedDoses } from '#app/features/schedules/index.server.ts';
import { hasTimes } from '#app/domain/schedules/schedule-rule.ts';
import { nextStockDay, stockAlertsOf, type StockAlert } from '#app/domain/vials/stock-alerts.ts';
import { lotWarning } from '#app/domain/lots/lot-texts.ts';
import {
  countedSupply,
  forecastSupply,
  LATEST_TAKEN_DAYS,
  supplyAlerts,
  type CountedSupply,
  type SupplyForecast,
} from '#app/domain/supplies/supply.ts';
import { authorise } from '#app/platform/access/authorise.server.ts';
import { repos } from './repositories.server.ts';

/** How many days ahead doses are simulated. Stock that lasts longer gets no run-out day. */
const HORIZON_DAYS = 120;

interface StockLevels {
  day: string;
  /** The owner's, IANA name. */
  timeZone: string;
  vials: Vial[];
  forecasts: StockForecast[];
  supplies: SupplyForecast[];
}

/**
 * How long the stock of each compound lasts with the planned doses.
 * @throws AppError UNAUTHENTICATED, FORBIDDEN
 */
export async function stockForecast(ctx: Ctx, ownerId: string): Promise<StockForecast[]> {
  return (await stockLevels(ctx, ownerId)).forecasts;
}

/**
 * Alerts about the owner's stock: what runs low, what expires soon and what is past its date. A key stays the same while the
 * situation does, so that nobody is notified twice.
 * @throws AppError UNAUTHENTICATED, FORBIDDEN
 */
export async function stockAlerts(ctx: Ctx, ownerId: string): Promise<StockAlert[]> {
  return alertsOf(ctx, ownerId, await stockLevels(ctx, ownerId));
}

/** What a check of an account's stock finds, and when to check it again if nothing changes. */
interface StockCheck {
  alerts: StockAlert[];
  nextAt: Date;
}

/**
 * The alerts about the owner's stock, and when time alone can next bring another one: at the start of a day of the owner's.
 * @throws AppError UNAUTHENTICATED, FORBIDDEN
 */
export async function checkStock(ctx: Ctx, ownerId: string): Promise<StockCheck> {
  const found = await stockLevels(ctx, ownerId);
  const { day, vials, forecasts, supplies, timeZone } = found;
  const lots = await lotsOf(ctx, ownerId, datedByLot(vials));
  const schedules = await repos(ctx).schedules.listActive(ownerId);
  const nextDay = nextStockDay({
    day,
    lastDays: [
      ...vials.map((vial) => expiryOf(vial, day).lastDay),
      ...lots.map(({ expirationDate }) => expirationDate),
    ],
    runOuts: [...forecasts, ...supplies].map(({ runOutDay }) => runOutDay),
    isEstimate: schedules.some(({ frequency }) => !hasTimes(frequency)),
  });
  const { from } = instantsOfDays(nextDay, null, timeZone);
  return { alerts: await alertsOf(ctx, ownerId, found), nextAt: from ?? ctx.now() };
}

/** {@link stockLevels} with the alerts. @throws AppError UNAUTHENTICATED, FORBIDDEN */
export async function stockReport(
  ctx: Ctx,
  ownerId: string,
): Promise<StockLevels & { alerts: StockAlert[] }> {
  const found = await stockLevels(ctx, ownerId);
  return { ...found, alerts: await alertsOf(ctx, ownerId, found) };
}

/**
 * How much is left of each of the owner's supplies and how long it lasts, in the order they were added.
 * @throws AppError UNAUTHENTICATED, FORBIDDEN
 */
export async function supplyForecasts(ctx: Ctx, ownerId: string): Promise<SupplyForecast[]> {
  return (await stockLevels(ctx, ownerId)).supplies;
}

async function alertsOf(ctx: Ctx, ownerId: string, found: StockLevels): Promise<StockAlert[]> {
  const { vials, forecasts, supplies, day } = found;
  const lots = await lotAlerts(ctx, ownerId, vials, day);
  return [...stockAlertsOf(vials, forecasts, day), ...supplies.flatMap(supplyAlerts), ...lots];
}

/** The most supplies an account can have, which bounds what a forecast reads. */
export const MAX_SUPPLIES = 20;

/** The owner's supplies with what is left of each: the count, less the doses taken since. */
async function countedSupplies(ctx: Ctx, ownerId: string): Promise<CountedSupply[]> {
  const supplies = await repos(ctx).supplies.list(ownerId, MAX_SUPPLIES);
  const counted: CountedSupply[] = [];
  for (const supply of supplies) {
    const { countedAt } = supply;
    const plannedFrom = new Date(countedAt.getTime() - LATEST_TAKEN_DAYS * DAY_MS);
    const taken = await repos(ctx).doses.countTakenAfter(ownerId, countedAt, plannedFrom);
    counted.push(countedSupply(supply, taken));
  }
  return counted;
}

/** Sealed vials that have no date of their own. */
const datedByLot = (vials: readonly Vial[]): Vial[] =>
  vials.filter(
    ({ status, expirationDate, lotId }) => status === 'sealed' && expirationDate === null && lotId != null,
  );

/** The lots of vials. */
async function lotsOf(ctx: Ctx, ownerId: string, vials: readonly Vial[]) {
  const ids = [...new Set(vials.flatMap(({ lotId }) => lotId ?? []))];
  return ids.length === 0 ? [] : repos(ctx).lots.listById(ownerId, ids);
}

/** Alerts about the expiry dates of lots, for sealed vials that have no date of their own. */
async function lotAlerts(
  ctx: Ctx,
  ownerId: string,
  vials: readonly Vial[],
  day: string,
): Promise<StockAlert[]> {
  const dated = datedByLot(vials);
  const lots = await lotsOf(ctx, ownerId, dated);
  return lots.flatMap((lot): StockAlert[] => {
    const warning = lotWarning(lot, dated, day);
    if (warning === null) return [];
    const kind = warning.state === 'past' ? 'expired' : 'expiring';
    const { lastDay, message } = warning;
    return [
      { key: `${kind}:${lot.id}:${lastDay}`, kind, compoundId: null, name: lot.product, lastDay, message },
    ];
  });
}

/**
 * The active vials, and how long they and the owner's supplies last.
 * @throws AppError UNAUTHENTICATED, FORBIDDEN
 */
export async function stockLevels(ctx: Ctx, ownerId: string): Promise<StockLevels> {
  authorise(ctx.actor, 'vial.read', { ownerId });
  const owner = await repos(ctx).users.find(ownerId);
  const timeZone = owner?.timeZone ?? ctx.timeZone;
  const day = calendarDay(ctx.now(), timeZone);
  const until = dayAfter(day, HORIZON_DAYS);
  const { before } = instantsOfDays(null, until, timeZone);
  // One after the other, because this may be part of a transaction.
  const vials = await repos(ctx).vials.listActive(ownerId);
  const names = await repos(ctx).vials.namesOf(ownerId);
  const planned = await plannedDoses(ctx, ownerId, before ?? ctx.now(), timeZone);
  const counted = await countedSupplies(ctx, ownerId);
  const deadSpaceMl = owner?.deadSpaceMl ?? '0';
  const { doses } = endWithVials(vials, planned, deadSpaceMl);
  const forecasts = forecastStock({ vials, doses, knownNames: new Set(names), day, until, deadSpaceMl });
  const supplies = counted.map((supply) => forecastSupply(supply, doses, { day, until }));
  return { day, timeZone, vials, forecasts, supplies };
}
