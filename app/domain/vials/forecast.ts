import { Decimal } from '#app/domain/decimal/decimal.ts';
import { beyondUseDay, beyondUseDayAfter, isPastDate } from './beyond-use.ts';
import { isOpen, type FutureDose, type Vial, vialNameKey, isFinal } from './vial.ts';
import { daysBefore, daysBetween } from '#app/domain/time/zoned-time.ts';
import { countDays, shownDay } from '#app/domain/time/calendar-day.ts';

/** Days from ordering to delivery, unless the caller says otherwise. */
const DEFAULT_LEAD_DAYS = 14;

/** Below this many days of supply the level is red or amber. */
const RED_DAYS = 7;

const AMBER_DAYS = 14;

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

interface ForecastQuestion {
  /** Every vial that is not used up. */
  vials: readonly Vial[];
  /** In the order of their days. */
  doses: readonly FutureDose[];
  /** Name keys that ever had a vial: without stock they have run out, others are unknown. */
  knownNames: ReadonlySet<string>;
  /** The calendar day in the owner's zone, and the last one to look at. */
  day: string;
  until: string;
  leadDays?: number;
}

/**
 * Walks the doses to come through the stock, each from the vial it would really be drawn from, with the dates until
 * which vials may be used, and says for each compound when it runs out. Sorted by name.
 */
export function forecastStock(question: ForecastQuestion): StockForecast[] {
  const names = [...question.vials, ...question.doses].map(({ name }) => vialNameKey(name));
  return [...new Set(names)].sort().map((nameKey) => forecastOf(nameKey, question));
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

function missing(
  vials: readonly Vial[],
  doses: readonly FutureDose[],
  isKnown: boolean,
): StockForecast['why'] {
  if (doses.length === 0) return 'no-doses';
  if (vials.length === 0 && !isKnown) return 'no-vials';
  return doses.some(({ mg }) => mg === null) ? 'no-amount' : null;
}

function levelOf(daysOfSupply: number | null): StockForecast['level'] {
  if (daysOfSupply === null || daysOfSupply >= AMBER_DAYS) return 'ok';
  return daysOfSupply < RED_DAYS ? 'red' : 'amber';
}

/** The first day whose doses the vials do not cover. */
function runOutDay(vials: readonly Vial[], doses: readonly FutureDose[]): string | null {
  const shelf = simulateStock(vials);
  const short = doses.find((dose) => !shelf.take(dose));
  return short?.day ?? null;
}

/** A vial on its way through the doses to come. */
interface Supply {
  vial: Vial;
  left: Decimal;
  isOpen: boolean;
  /** The last day of use; null without one. */
  lastDay: string | null;
}

const FOR_EVER = '9999-12-31';

/** Open vials before sealed ones, earliest date first, then the older one. */
function rank({ vial, isOpen, lastDay }: Supply): string {
  return `${isOpen ? 0 : 1} ${lastDay ?? FOR_EVER} ${vial.createdAt.toISOString()} ${vial.id}`;
}

function next(supplies: readonly Supply[], dose: FutureDose): Supply | undefined {
  const usable = supplies.filter(({ left, lastDay }) => left.gt(0) && (lastDay ?? FOR_EVER) >= dose.day);
  const own = usable.find(({ vial }) => vial.id === dose.compoundId);
  return (
    own ??
    usable.reduce<Supply | undefined>(
      (best, one) => (best && rank(best) <= rank(one) ? best : one),
      undefined,
    )
  );
}

/** A sealed vial that is drawn from was reconstituted that day, and from then on its days are counted. */
function open(supply: Supply, day: string): void {
  if (supply.isOpen) return;
  supply.isOpen = true;
  supply.lastDay = beyondUseDayAfter(day, supply.vial.expirationDate);
}

/** Vials of one compound that doses are drawn from one after the other, without changing the vials. */
interface SimulatedStock {
  /** Takes a dose of known amount; doses come in the order of their days. @returns whether all of it was there */
  take(dose: FutureDose): boolean;
}

function simulateStock(vials: readonly Vial[]): SimulatedStock {
  const supplies = vials.map((vial): Supply => {
    const lastDay = beyondUseDay(vial);
    return { vial, left: new Decimal(vial.remaining), isOpen: isOpen(vial), lastDay };
  });
  return {
    take(dose) {
      let rest = new Decimal(dose.mg ?? 0);
      while (rest.gt(0)) {
        const supply = next(supplies, dose);
        if (supply === undefined) return false;
        open(supply, dose.day);
        const taken = rest.lt(supply.left) ? rest : supply.left;
        supply.left = supply.left.minus(taken);
        rest = rest.minus(taken);
      }
      return true;
    },
  };
}

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
