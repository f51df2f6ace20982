import { Decimal } from '#app/domain/decimal/decimal.ts';
import { beyondUseDay, beyondUseDayAfter, isPastDate } from './beyond-use.ts';
import { isOpen, type FutureDose, type Vial, vialNameKey, isFinal } from './vial.ts';
import { daysBefore, daysBetween } from '#app/domain/time/zoned-time.ts';

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
  /** mg in vials that are past their date today, decimal text; not part of `stockMg`. */
  readonly expiredMg: string;
  /** The day of the first dose that the stock does not cover; null when all are covered, or it is unknown. */
  readonly runOutDay: string | null;
  /** The vials that would have covered that dose, had they not passed their date by then; null when there are none. */
  readonly wasted: WastedStock | null;
  readonly daysOfSupply: number | null;
  /** The run-out day less the lead time; may be past. */
  readonly reorderBy: string | null;
  /** The last day that was looked at. */
  readonly until: string;
  /** True when doses were estimated from the mean of the last four weeks. */
  readonly isEstimate?: true;
}

/** What is left in vials when their date has passed. */
export interface WastedStock {
  readonly vials: number;
  /** The last day of use of the one that lasts longest. */
  readonly lastDay: string;
  /** Decimal text. */
  readonly mg: string;
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
  const { endsOn, wasted } = why === null ? runOut(vials, doses, day) : COVERED;
  const daysOfSupply = endsOn === null ? null : daysBetween(day, endsOn);
  const expired = vials.filter((vial) => isPastDate(vial, day));
  const usable = vials.filter((vial) => !expired.includes(vial));
  return {
    name: vials[0]?.name ?? doses[0]?.name ?? nameKey,
    nameKey,
    level: why === null ? levelOf(daysOfSupply) : 'unknown',
    why,
    stockMg: sumOf(usable.map(({ remaining }) => remaining)).toFixed(),
    expiredMg: sumOf(expired.map(({ remaining }) => remaining).filter((mg) => !mg.startsWith('-'))).toFixed(),
    runOutDay: endsOn,
    wasted,
    daysOfSupply,
    reorderBy: endsOn === null ? null : daysBefore(endsOn, leadDays),
    until,
    ...(doses.some((dose) => dose.isEstimate === true) && { isEstimate: true as const }),
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

const sumOf = (amounts: readonly (string | Decimal)[]) =>
  amounts.reduce<Decimal>((sum, amount) => sum.plus(amount), new Decimal(0));

const COVERED = { endsOn: null, wasted: null };

/** The first day whose doses the vials do not cover, and what lies in vials that passed their date before it. */
function runOut(vials: readonly Vial[], doses: readonly FutureDose[], day: string) {
  const stock = simulateStock(vials);
  for (const dose of doses) {
    const short = stock.take(dose);
    if (short.lte(0)) continue;
    const wasted = stock.wasted(day, dose.day);
    return { endsOn: dose.day, wasted: wasted !== null && short.lte(wasted.mg) ? wasted : null };
  }
  return COVERED;
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
  /** Takes a dose of known amount; doses come in the order of their days. @returns the mg that were not there */
  take(dose: FutureDose): Decimal;
  /** What passed its date from one day on and before another. */
  wasted(from: string, before: string): WastedStock | null;
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
        if (supply === undefined) return rest;
        open(supply, dose.day);
        const taken = rest.lt(supply.left) ? rest : supply.left;
        supply.left = supply.left.minus(taken);
        rest = rest.minus(taken);
      }
      return rest;
    },
    wasted(from, before) {
      const gone = supplies.flatMap(({ left, lastDay }) =>
        lastDay !== null && left.gt(0) && lastDay >= from && lastDay < before ? [{ left, lastDay }] : [],
      );
      const lastDay = gone
        .map((one) => one.lastDay)
        .sort()
        .at(-1);
      const mg = sumOf(gone.map(({ left }) => left)).toFixed();
      return lastDay === undefined ? null : { vials: gone.length, lastDay, mg };
    },
  };
}
