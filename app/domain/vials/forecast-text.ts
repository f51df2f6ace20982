import { countDays, shownDay } from '#app/domain/time/format-day.ts';
import type { StockForecast } from './forecast.ts';

/** A forecast in words. Serialisable. */
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
    'Unknown: no doses of this name are planned. With a schedule this says when the stock runs out.',
  'no-vials': 'Unknown: there never was a vial of this name.',
  'no-amount': 'Unknown: a planned dose has no amount.',
};

function sentence({ why, runOutDay, daysOfSupply, until }: StockForecast): string {
  if (why !== null) return WHY[why];
  if (runOutDay === null || daysOfSupply === null)
    return `Enough for every planned dose until ${shownDay(until)}.`;
  if (daysOfSupply === 0) return 'Not enough for the doses planned today.';
  return `Runs out on ${shownDay(runOutDay)}: ${countDays(daysOfSupply)} of supply.`;
}

/** @param day the calendar day in the owner's zone */
export function forecastText(forecast: StockForecast, day: string): ForecastText {
  const { level, reorderBy } = forecast;
  const reorder =
    reorderBy === null ? null : reorderBy <= day ? 'Reorder now' : `Reorder by ${shownDay(reorderBy)}`;
  return { level, badge: BADGES[level], text: sentence(forecast), reorder };
}
