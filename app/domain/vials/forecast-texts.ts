import { Decimal } from '#app/domain/decimal/decimal.ts';
import { figureText } from '#app/domain/units/quantity.ts';
import { countDays, shownDay } from '#app/domain/time/calendar.ts';
import { MEAN_DAYS } from '#app/domain/schedules/occurrences.ts';
import type { StockForecast } from './forecast.ts';

/** A forecast as text. Serialisable. */
export interface ForecastText {
  level: StockForecast['level'];
  /** The word of the badge. */
  badge: string;
  /** One sentence. */
  text: string;
  /** When to reorder; null when there is no such day. */
  reorder: string | null;
}

const BADGES: Readonly<Record<StockForecast['level'], string>> = {
  unknown: 'Unknown',
  ok: 'Enough',
  amber: 'Under 14 days',
  red: 'Under 7 days',
};

const WHY: Readonly<Record<NonNullable<StockForecast['why']>, string>> = {
  'no-doses':
    'Unknown: no doses of this compound are planned. Add a schedule to see when your stock runs out.',
  'no-vials': 'Unknown: you have never had a vial with this name.',
  'no-amount': 'Unknown: a planned dose has no amount.',
};

/** "10 mg"; of a blend, whose amounts may have no end, "3.333333 mg of TB-500". */
export function mgText(mg: string, amountsOf: string | undefined): string {
  if (amountsOf === undefined) return `${figureText(mg)} mg`;
  return `${figureText(new Decimal(mg).round(6).toFixed())} mg of ${amountsOf}`;
}

/**
 * Why stock ends before its amount does: " because the vial expires on 29 Nov 2026 with 3.5 mg left"; empty when all of it
 * is used.
 */
export function wasteReason({ wasted, amountsOf }: Pick<StockForecast, 'wasted' | 'amountsOf'>): string {
  if (wasted === null) return '';
  const { vials, lastDay, mg } = wasted;
  const expiry = vials === 1 ? 'the vial expires' : `the last of ${vials} vials expires`;
  return ` because ${expiry} on ${shownDay(lastDay)} with ${mgText(mg, amountsOf)} left`;
}

/** "10 mg"; what may no longer be used is named beside it: "0 mg usable, 10 mg expired". */
export function stockText({
  stockMg,
  expiredMg,
  amountsOf,
}: Pick<StockForecast, 'stockMg' | 'expiredMg' | 'amountsOf'>): string {
  return expiredMg === '0'
    ? mgText(stockMg, amountsOf)
    : `${mgText(stockMg, amountsOf)} usable, ${mgText(expiredMg, amountsOf)} expired`;
}

/**
 * Says what a forecast estimates, with a space before each sentence: that it rests on the mean of what was taken, and that it
 * counts what injections will lose. Empty when it does neither.
 */
export function estimateNote({
  isEstimate,
  deadSpaceMl,
}: Pick<StockForecast, 'isEstimate' | 'deadSpaceMl'>): string {
  const mean = isEstimate === true ? ` Estimated from the mean of the last ${MEAN_DAYS / 7} weeks.` : '';
  if (deadSpaceMl === undefined) return mean;
  return `${mean} ${figureText(deadSpaceMl)} ml of dead space is counted as lost with each injection; what you draw stays the same.`;
}

function sentence(forecast: StockForecast): string {
  const { why, runOutDay, daysOfSupply, expiredMg, amountsOf, until } = forecast;
  const expired =
    expiredMg === '0' ? '' : ` ${mgText(expiredMg, amountsOf)} is past its beyond-use date and not counted.`;
  if (why !== null) return WHY[why];
  if (runOutDay === null || daysOfSupply === null)
    return `Enough for every planned dose until ${shownDay(until)}.${expired}`;
  if (daysOfSupply === 0) return `Not enough for the doses planned today.${expired}`;
  const supply = `${countDays(daysOfSupply)} of supply`;
  return `Runs out on ${shownDay(runOutDay)}${wasteReason(forecast)}: ${supply}.${expired}`;
}

/** @param day the calendar day in the owner's zone */
export function forecastText(forecast: StockForecast, day: string): ForecastText {
  const { level, reorderBy } = forecast;
  const reorder =
    reorderBy === null ? null : reorderBy <= day ? 'Reorder now' : `Reorder by ${shownDay(reorderBy)}`;
  return { level, badge: BADGES[level], text: `${sentence(forecast)}${estimateNote(forecast)}`, reorder };
}
