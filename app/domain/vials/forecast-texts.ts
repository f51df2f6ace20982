import { sentenceCase } from '#app/domain/text/sentence-case.ts';
import { Decimal } from '#app/domain/decimal/decimal.ts';
import { figureText } from '#app/domain/decimal/figure-text.ts';
import { countDays, shownDay } from '#app/domain/time/calendar.ts';
import { MEAN_DAYS } from '#app/domain/schedules/occurrences.ts';
import type { SubstanceUnit } from '#app/domain/calculator/calculation.ts';
import type { StockForecast } from './forecast.ts';

/** A forecast as text. Serialisable. */
export interface ForecastText {
  level: StockForecast['level'];
  /** Text of the badge. */
  badge: string;
  text: string;
  /** When to reorder; null if stock does not run out. */
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

/** "10 mg", "5,000 IU"; for a blend, with at most 6 decimals, "3.333333 mg of TB-500". */
export function amountInStock(amount: string, measure: SubstanceUnit, amountsOf: string | undefined): string {
  if (amountsOf === undefined) return `${figureText(amount)} ${measure}`;
  return `${figureText(new Decimal(amount).round(6).toFixed())} ${measure} of ${amountsOf}`;
}

/** " 3.5 mg will expire unused on 29 Nov 2026."; empty when all of the stock is used in time. */
export function wasteNote({
  wasted,
  measure,
  amountsOf,
}: Pick<StockForecast, 'wasted' | 'measure' | 'amountsOf'>): string {
  if (wasted === null) return '';
  return ` ${amountInStock(wasted.mg, measure, amountsOf)} will expire unused ${wasted.vials === 1 ? 'on' : 'by'} ${shownDay(wasted.lastDay)}.`;
}

/** "lasts until 10 Mar 2027 (103 days)", of stock that runs out on a day that can be told. */
export function lastsText(runOutDay: string, daysOfSupply: number): string {
  return daysOfSupply === 0
    ? 'not enough for the doses planned today'
    : `lasts until ${shownDay(runOutDay)} (${countDays(daysOfSupply)})`;
}

/** "10 mg"; with expired vials, "0 mg usable, 10 mg expired". */
export function stockText({
  stockMg,
  expiredMg,
  measure,
  amountsOf,
}: Pick<StockForecast, 'stockMg' | 'expiredMg' | 'measure' | 'amountsOf'>): string {
  const words = (amount: string) => amountInStock(amount, measure, amountsOf);
  return expiredMg === '0' ? words(stockMg) : `${words(stockMg)} usable, ${words(expiredMg)} expired`;
}

/**
 * Says what a forecast estimates: that it uses the average of past doses, and that it counts losses to dead space. Each
 * sentence starts with a space; empty if neither applies.
 */
export function estimateNote({
  isEstimate,
  deadSpaceMl,
}: Pick<StockForecast, 'isEstimate' | 'deadSpaceMl'>): string {
  const mean =
    isEstimate === true ? ` Estimated from your average over the last ${MEAN_DAYS / 7} weeks.` : '';
  if (deadSpaceMl === undefined) return mean;
  return `${mean} ${figureText(deadSpaceMl)} ml per injection is counted as lost to dead space; what you draw stays the same.`;
}

function sentence(forecast: StockForecast): string {
  const { why, runOutDay, daysOfSupply, expiredMg, measure, amountsOf, until } = forecast;
  const expired =
    expiredMg === '0'
      ? ''
      : ` ${amountInStock(expiredMg, measure, amountsOf)} is past its beyond-use date and not counted.`;
  if (why !== null) return WHY[why];
  if (runOutDay === null || daysOfSupply === null)
    return `Enough for every planned dose until ${shownDay(until)}.${expired}`;
  return `${sentenceCase(lastsText(runOutDay, daysOfSupply))}.${wasteNote(forecast)}${expired}`;
}

/** @param day the calendar day in the owner's zone */
export function forecastText(forecast: StockForecast, day: string): ForecastText {
  const { level, reorderBy } = forecast;
  const reorder =
    reorderBy === null ? null : reorderBy <= day ? 'Reorder now' : `Reorder by ${shownDay(reorderBy)}`;
  return { level, badge: BADGES[level], text: `${sentence(forecast)}${estimateNote(forecast)}`, reorder };
}
