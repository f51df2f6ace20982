import { Decimal } from '#app/domain/decimal/decimal.ts';
import { countDays, shownDay } from '#app/domain/time/calendar.ts';
import { daysBefore, daysBetween } from '#app/domain/time/zoned-time.ts';
import { DEFAULT_LEAD_DAYS, levelOf, type StockForecast } from '#app/domain/vials/forecast.ts';
import type { StockAlert } from '#app/domain/vials/stock-alerts.ts';
import type { FutureDose } from '#app/domain/vials/vial.ts';

export const SUPPLY_KINDS = ['syringe', 'needle', 'swab', 'other'] as const;
export type SupplyKind = (typeof SUPPLY_KINDS)[number];

export const SUPPLY_KIND_NAMES: Readonly<Record<SupplyKind, string>> = {
  syringe: 'Syringes',
  needle: 'Needles',
  swab: 'Swabs',
  other: 'Other',
};

/**
 * Something that each injection uses up. What is left is calculated: the pieces counted or received since, less those used by
 * doses taken after the count. So undoing a dose returns what it used, and moving or editing one uses nothing twice.
 */
export interface Supply {
  id: string;
  kind: SupplyKind;
  name: string;
  /** Pieces counted at `countedAt`, plus those received since. */
  count: number;
  countedAt: Date;
  /** Pieces used per injection. */
  perInjection: number;
  /** Increases with each change. */
  version: number;
  createdAt: Date;
}

/** A supply with what is left of it. */
export interface CountedSupply extends Supply {
  /** Pieces; negative if more were used than were counted. */
  left: number;
}

/** @param taken number of doses taken after `supply.countedAt` */
export const countedSupply = (supply: Supply, taken: number): CountedSupply => ({
  ...supply,
  left: supply.count - taken * supply.perInjection,
});

/**
 * A dose taken after the count is ignored if it was due more than this many days before the count, so that the whole history
 * of doses need not be searched.
 */
export const LATEST_TAKEN_DAYS = 60;

/** How long a supply lasts, by the same rules as vials. */
export interface SupplyForecast extends Pick<
  StockForecast,
  'runOutDay' | 'daysOfSupply' | 'reorderBy' | 'until'
> {
  readonly supply: CountedSupply;
  /** `unknown` if no doses are planned. */
  readonly level: StockForecast['level'];
}

/**
 * Simulates the planned doses using up what is left.
 * @param doses sorted by day
 * @param day today in the owner's zone
 * @param until the last day of the forecast
 */
export function forecastSupply(
  supply: CountedSupply,
  doses: readonly FutureDose[],
  { day, until }: { day: string; until: string },
): SupplyForecast {
  let left = new Decimal(supply.left);
  const short = doses.find((dose) => {
    left = left.minus(new Decimal(dose.injections ?? 1).times(supply.perInjection));
    return left.lt(0);
  });
  const runOutDay = short?.day ?? null;
  const daysOfSupply = runOutDay === null ? null : daysBetween(day, runOutDay);
  return {
    supply,
    level: doses.length === 0 ? 'unknown' : levelOf(daysOfSupply),
    runOutDay,
    daysOfSupply,
    reorderBy: runOutDay === null ? null : daysBefore(runOutDay, DEFAULT_LEAD_DAYS),
    until,
  };
}

/** "12 left" */
export const leftText = ({ left }: CountedSupply): string => (left > 0 ? `${left} left` : 'None left');

/** Sentences on what is left, how long it lasts and when to reorder. */
export function supplyText(
  { supply, level, runOutDay, daysOfSupply, reorderBy, until }: SupplyForecast,
  day: string,
): string {
  const left = `${leftText(supply)}.`;
  if (level === 'unknown') return `${left} No doses are planned.`;
  if (runOutDay === null || daysOfSupply === null)
    return `${left} Enough for every planned dose until ${shownDay(until)}.`;
  const when =
    daysOfSupply === 0
      ? 'Not enough for the doses planned today.'
      : `Runs out on ${shownDay(runOutDay)}: ${countDays(daysOfSupply)} of supply.`;
  const reorder =
    reorderBy === null || reorderBy <= day ? 'Reorder now.' : `Reorder by ${shownDay(reorderBy)}.`;
  return `${left} ${when} ${reorder}`;
}

/** Without planned doses, there is an alert below this many injections' worth. */
const FEW_INJECTIONS = 5;

/** The alert for a supply that runs low. Its key stays the same while the situation does. */
export function supplyAlerts(forecast: SupplyForecast): StockAlert[] {
  const { supply, level, runOutDay, daysOfSupply } = forecast;
  const isFew = level === 'unknown' && supply.left < FEW_INJECTIONS * supply.perInjection;
  if (level !== 'red' && level !== 'amber' && !isFew) return [];
  const lasts =
    runOutDay === null || daysOfSupply === null || daysOfSupply === 0
      ? `${leftText(supply)}.`
      : `${leftText(supply)}: ${countDays(daysOfSupply)} of supply, until ${shownDay(runOutDay)}.`;
  const { id, name, countedAt, count } = supply;
  return [
    {
      key: `low:${id}:${level}:${countedAt.getTime()}:${count}`,
      kind: 'low',
      compoundId: null,
      name,
      lastDay: runOutDay,
      message: `${name}: running low. ${lasts}`,
    },
  ];
}

/** A supply for the API and the terminal. */
export function supplyView({ supply, level, runOutDay, daysOfSupply, reorderBy }: SupplyForecast) {
  const { id, kind, name, left, count, countedAt, perInjection, version, createdAt } = supply;
  const fields = { id, kind, name, left, count, countedAt, perInjection, version, createdAt };
  return { ...fields, level, runOutDay, daysOfSupply, reorderBy };
}
