import { Decimal } from '#app/domain/decimal/decimal.ts';
import { countDays, shownDay } from '#app/domain/time/calendar.ts';
import { daysBefore, daysBetween } from '#app/domain/time/zoned-time.ts';
import { DEFAULT_LEAD_DAYS, levelOf, type StockForecast } from '#app/domain/vials/forecast.ts';
import type { StockAlert } from '#app/domain/vials/stock-alerts.ts';
import type { FutureDose } from '#app/domain/vials/vial.ts';

/** What a supply is. */
export const SUPPLY_KINDS = ['syringe', 'needle', 'swab', 'other'] as const;
export type SupplyKind = (typeof SUPPLY_KINDS)[number];

export const SUPPLY_KIND_NAMES: Readonly<Record<SupplyKind, string>> = {
  syringe: 'Syringes',
  needle: 'Needles',
  swab: 'Swabs',
  other: 'Other',
};

/**
 * Something that each injection uses up. How many are left is worked out: those that were counted and came since, less those
 * that doses taken after the count have used. So a dose that is undone gives back what it used, and one that is moved or
 * edited uses nothing twice.
 */
export interface Supply {
  id: string;
  kind: SupplyKind;
  name: string;
  /** Pieces that were there at `countedAt`, and those that came since. */
  count: number;
  countedAt: Date;
  /** Pieces that one injection uses. */
  perInjection: number;
  /** Rises with each change. */
  version: number;
  createdAt: Date;
}

/** A supply with what is left of it. */
export interface CountedSupply extends Supply {
  /** Pieces; below zero when more was used than there should have been. */
  left: number;
}

/** @param taken doses that were taken after `supply.countedAt` */
export const countedSupply = (supply: Supply, taken: number): CountedSupply => ({
  ...supply,
  left: supply.count - taken * supply.perInjection,
});

/**
 * A dose is counted when it was taken after the count, and planned for no earlier than so many days before it: the doses of a
 * long history need not be looked through for one that was due half a year before.
 */
export const LATEST_TAKEN_DAYS = 60;

/** How long a supply lasts, by the rule of vials. */
export interface SupplyForecast extends Pick<
  StockForecast,
  'runOutDay' | 'daysOfSupply' | 'reorderBy' | 'until'
> {
  readonly supply: CountedSupply;
  /** `unknown` while no dose is planned. */
  readonly level: StockForecast['level'];
}

/**
 * Walks the doses to come through what is left.
 * @param doses in the order of their days
 * @param day the calendar day in the owner's zone
 * @param until the last day that is looked at
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

/** What is left and how long it lasts, in sentences; with when to reorder. */
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

/** Without planned doses, so few injections' worth are worth an alert. */
const FEW_INJECTIONS = 5;

/** The alert of a supply that runs low; its key stays the same while the news is. */
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

/** A supply as programs read it. */
export function supplyView({ supply, level, runOutDay, daysOfSupply, reorderBy }: SupplyForecast) {
  const { id, kind, name, left, count, countedAt, perInjection, version, createdAt } = supply;
  const told = { id, kind, name, left, count, countedAt, perInjection, version, createdAt };
  return { ...told, level, runOutDay, daysOfSupply, reorderBy };
}
