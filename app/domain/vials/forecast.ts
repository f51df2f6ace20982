import { Decimal } from '#app/domain/decimal/decimal.ts';
import { daysBefore, daysBetween } from '#app/domain/time/days.ts';
import { isPastDate } from './beyond-use.ts';
import { vialNameKey } from './vial-name-key.ts';
import { isFinal } from './vial-status.ts';
import { createShelf } from './supply-days.ts';
import type { FutureDose, Vial } from './vial.ts';

/** Days that an order takes unless somebody knows better (decisions, section 8). */
export const DEFAULT_LEAD_DAYS = 14;

/** Under so many days of supply it is red, amber (decisions, section 8). */
export const RED_DAYS = 7;
export const AMBER_DAYS = 14;

/** How long the stock of one compound lasts. */
export interface StockForecast {
  readonly name: string;
  readonly nameKey: string;
  /** `unknown` whenever something is missing, never `ok` then. */
  readonly level: 'unknown' | 'ok' | 'amber' | 'red';
  /** What is missing. */
  readonly why: 'no-doses' | 'no-vials' | 'no-amount' | null;
  /** mg that can be drawn today, decimal text. */
  readonly stockMg: string;
  /** The day of the first dose that the stock does not cover; null when all are covered, or it is unknown. */
  readonly runOutDay: string | null;
  readonly daysOfSupply: number | null;
  /** The run-out day less the lead time; may be past. */
  readonly reorderBy: string | null;
  /** The last day that was looked at. */
  readonly until: string;
}

export interface ForecastQuestion {
  /** Every vial that is not used up. */
  vials: readonly Vial[];
  /** In the order of their days. */
  doses: readonly FutureDose[];
  /** Name keys of which there ever was a vial: what they need and nobody has is missing, not unknown. */
  knownNames: ReadonlySet<string>;
  /** The calendar day in the owner's zone, and the last one to look at. */
  day: string;
  until: string;
  leadDays?: number;
}

/** The first day whose doses the vials do not cover. */
function runOutDay(vials: readonly Vial[], doses: readonly FutureDose[]): string | null {
  const shelf = createShelf(vials);
  const short = doses.find((dose) => !shelf.take(dose));
  return short?.day ?? null;
}

function levelOf(daysOfSupply: number | null): StockForecast['level'] {
  if (daysOfSupply === null || daysOfSupply >= AMBER_DAYS) return 'ok';
  return daysOfSupply < RED_DAYS ? 'red' : 'amber';
}

function missing(
  vials: readonly Vial[],
  doses: readonly FutureDose[],
  isKnown: boolean,
): StockForecast['why'] {
  if (doses.length === 0) return 'no-doses';
  if (vials.length === 0 && !isKnown) return 'no-vials';
  return doses.some(({ mg }) => mg === null) ? 'no-amount' : null;
}

function forecastOf(nameKey: string, question: ForecastQuestion): StockForecast {
  const vials = question.vials.filter((vial) => vialNameKey(vial.name) === nameKey && !isFinal(vial));
  const doses = question.doses.filter(({ name }) => vialNameKey(name) === nameKey);
  const { day, until, leadDays = DEFAULT_LEAD_DAYS } = question;
  const why = missing(vials, doses, question.knownNames.has(nameKey));
  const endsOn = why === null ? runOutDay(vials, doses) : null;
  const daysOfSupply = endsOn === null ? null : daysBetween(day, endsOn);
  const usable = vials.filter((vial) => !isPastDate(vial, day));
  return {
    name: vials[0]?.name ?? doses[0]?.name ?? nameKey,
    nameKey,
    level: why === null ? levelOf(daysOfSupply) : 'unknown',
    why,
    stockMg: usable.reduce((sum, { remaining }) => sum.plus(remaining), new Decimal(0)).toFixed(),
    runOutDay: endsOn,
    daysOfSupply,
    reorderBy: endsOn === null ? null : daysBefore(endsOn, leadDays),
    until,
  };
}

/**
 * Walks the doses to come through the stock, each from the vial it would really be drawn from, with the dates until
 * which vials may be used, and says for each compound when it runs out. Sorted by name.
 */
export function forecastStock(question: ForecastQuestion): StockForecast[] {
  const names = [...question.vials, ...question.doses].map(({ name }) => vialNameKey(name));
  return [...new Set(names)].sort().map((nameKey) => forecastOf(nameKey, question));
}
