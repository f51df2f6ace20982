import { Decimal, ratio } from '#app/domain/decimal/decimal.ts';
import { strengthOf, amountOf, dosedAt, shareOf, stockKey } from './contents.ts';
import {
  formOf,
  isDrawable,
  measureOf,
  type FutureDose,
  type Vial,
  vialNameKey,
  isFinal,
  beyondUseDay,
  beyondUseDayAfter,
  isPastDate,
} from './vial.ts';
import { isDrawn, type SubstanceUnit } from '#app/domain/calculator/calculation.ts';
import { daysBefore, daysBetween } from '#app/domain/time/zoned-time.ts';

/** Days from ordering to delivery, unless the caller says otherwise. */
export const DEFAULT_LEAD_DAYS = 14;

/** Below this many days of supply the level is red or amber. */
export const RED_DAYS = 7;

export const AMBER_DAYS = 14;

/** How long the stock of one compound lasts. */
export interface StockForecast {
  readonly name: string;
  /** The key of its stock; see `stockKey`. */
  readonly nameKey: string;
  /** Always `unknown` if information is missing, never `ok`. */
  readonly level: 'unknown' | 'ok' | 'amber' | 'red';
  /** What information is missing; null if none is. */
  readonly why: 'no-doses' | 'no-vials' | 'no-amount' | null;
  /** For a blend, its first component, which the amounts here count; absent for a single peptide. */
  readonly amountsOf?: string;
  /** What the amounts are measured in. */
  readonly measure: SubstanceUnit;
  /** What can be drawn today, decimal text in that measure. */
  readonly stockMg: string;
  /** What is in vials that are past their date today, decimal text; not part of `stockMg`. */
  readonly expiredMg: string;
  /** The day of the first dose that the stock does not cover; null if all are covered or the level is unknown. */
  readonly runOutDay: string | null;
  /** The vials that would have covered that dose if they had not expired by then; null if there are none. */
  readonly wasted: WastedStock | null;
  readonly daysOfSupply: number | null;
  /** The run-out day less the lead time; may be in the past. */
  readonly reorderBy: string | null;
  /** The last day of the forecast. */
  readonly until: string;
  /** ml counted as lost with each injection, decimal text. Absent if none is, or if no vial's strength is known. */
  readonly deadSpaceMl?: string;
  /** True when doses were estimated from the mean of the last four weeks. */
  readonly isEstimate?: true;
}

/** What is left in vials when they expire. */
interface WastedStock {
  readonly vials: number;
  /** The latest of their last days of use. */
  readonly lastDay: string;
  /** Decimal text. */
  readonly mg: string;
}

interface ForecastQuestion {
  /** All vials that are not used up. */
  vials: readonly Vial[];
  /** Sorted by day. */
  doses: readonly FutureDose[];
  /** Name keys that have ever had a vial: without stock these have run out, while others are unknown. */
  knownNames: ReadonlySet<string>;
  /** Today in the owner's zone, and the last day of the forecast. */
  day: string;
  until: string;
  leadDays?: number;
  /** ml that stay in syringe and needle after each injection, decimal text; 0 by default. */
  deadSpaceMl?: string;
}

/**
 * Simulates the planned doses, each drawn from the vial it would really come from and respecting expiry dates, and returns
 * when each compound runs out. Sorted by name.
 */
export function forecastStock(question: ForecastQuestion): StockForecast[] {
  const keyOf = keyOfDose(question.vials);
  const keys = [...question.vials.map(stockKey), ...question.doses.map(keyOf)];
  return [...new Set(keys)].sort().map((nameKey) => forecastOf(nameKey, question, keyOf));
}

type KeyOfDose = (dose: FutureDose) => string;

/** The key of the stock that a dose will be drawn from: that of its vial if it is a blend, else of its plan; see `planDraws`. */
function keyOfDose(vials: readonly Vial[]): KeyOfDose {
  const blends = vials.filter(({ components }) => components !== undefined);
  const singles = new Set(
    vials
      .filter(({ components }) => !components)
      .map((vial) => stockKey({ name: vial.name, amountUnit: vial.amountUnit })),
  );
  return ({ name, blend, compoundId, measure: amountUnit = 'mg' }) => {
    const own = blends.find((vial) => vial.id === compoundId && measureOf(vial) === amountUnit);
    if (own !== undefined) return stockKey(own);
    if (blend) return stockKey({ name, components: blend.components, amountUnit });
    const nameKey = stockKey({ name, amountUnit });
    const namesake = singles.has(nameKey)
      ? undefined
      : blends.find((vial) => measureOf(vial) === amountUnit && vialNameKey(vial.name) === vialNameKey(name));
    return namesake === undefined ? nameKey : stockKey(namesake);
  };
}

/** A dose of a blend converted to mg of the first component; for a single peptide, the dose itself. */
function inFirst(dose: FutureDose, vial: Pick<Vial, 'components'> | undefined): FutureDose {
  const contents = vial?.components;
  if (contents === undefined || dose.mg === null) return dose;
  const of = dosedAt(contents, { doseOf: dose.blend?.doseOf, name: dose.name });
  return { ...dose, mg: amountOf(shareOf(contents, ratio(new Decimal(dose.mg)), { of, at: 0 })) };
}

function forecastOf(nameKey: string, question: ForecastQuestion, keyOf: KeyOfDose): StockForecast {
  const vials = question.vials.filter((vial) => stockKey(vial) === nameKey && !isFinal(vial));
  const doses = question.doses
    .filter((dose) => keyOf(dose) === nameKey)
    .map((dose) => inFirst(dose, vials[0]));
  const { day, until, leadDays = DEFAULT_LEAD_DAYS } = question;
  const isKnown = [...vials, ...doses].some(({ name }) => question.knownNames.has(vialNameKey(name)));
  const why = missing(vials, doses, isKnown);
  const lostMgOf = lossPerInjection(vials, question.deadSpaceMl ?? '0');
  const { endsOn, wasted } = why === null ? runOut(simulateStock(vials, lostMgOf), doses, day) : COVERED;
  const daysOfSupply = endsOn === null ? null : daysBetween(day, endsOn);
  const expired = vials.filter((vial) => isPastDate(vial, day));
  const amountsOf = vials[0]?.components?.[0]?.name;
  const usable = vials.filter((vial) => !expired.includes(vial));
  return {
    name: vials[0]?.name ?? doses[0]?.name ?? nameKey,
    nameKey,
    measure: measureOfStock(vials, doses),
    level: why === null ? levelOf(daysOfSupply) : 'unknown',
    why,
    stockMg: sumOf(usable.map(({ remaining }) => remaining)).toFixed(),
    expiredMg: sumOf(expired.map(({ remaining }) => remaining).filter((mg) => !mg.startsWith('-'))).toFixed(),
    runOutDay: endsOn,
    wasted,
    daysOfSupply,
    reorderBy: endsOn === null ? null : daysBefore(endsOn, leadDays),
    until,
    ...(amountsOf !== undefined && { amountsOf }),
    ...(why === null && lostMgOf !== null && { deadSpaceMl: question.deadSpaceMl }),
    ...(doses.some((dose) => dose.isEstimate === true) && { isEstimate: true as const }),
  };
}

/** What the vials and doses of one stock are measured in. */
const measureOfStock = ([vial]: readonly Vial[], [dose]: readonly FutureDose[]): SubstanceUnit =>
  vial === undefined ? (dose?.measure ?? 'mg') : measureOf(vial);

function missing(
  vials: readonly Vial[],
  doses: readonly FutureDose[],
  isKnown: boolean,
): StockForecast['why'] {
  if (doses.length === 0) return 'no-doses';
  if (vials.length === 0 && !isKnown) return 'no-vials';
  return doses.some(({ mg }) => mg === null) ? 'no-amount' : null;
}

/** @param daysOfSupply null if it lasts longer than the forecast */
export function levelOf(daysOfSupply: number | null): StockForecast['level'] {
  if (daysOfSupply === null || daysOfSupply >= AMBER_DAYS) return 'ok';
  return daysOfSupply < RED_DAYS ? 'red' : 'amber';
}

const sumOf = (amounts: readonly (string | Decimal)[]) =>
  amounts.reduce<Decimal>((sum, amount) => sum.plus(amount), new Decimal(0));

const COVERED = { endsOn: null, wasted: null };

/** The first day whose doses the vials do not cover, and what is left in vials that expired before it. */
function runOut(stock: SimulatedStock, doses: readonly FutureDose[], day: string) {
  for (const dose of doses) {
    const short = stock.take(dose);
    if (short.lte(0)) continue;
    const wasted = stock.wasted(day, dose.day);
    return { endsOn: dose.day, wasted: wasted !== null && short.lte(wasted.mg) ? wasted : null };
  }
  return COVERED;
}

/** A vial in the simulation. */
interface Supply {
  vial: Vial;
  left: Decimal;
  isOpen: boolean;
  /** The last day of use; null if it has none. */
  lastDay: string | null;
}

/** Subtracts a loss, at most what is left after the dose. */
function lose(supply: Supply, mg: Decimal): void {
  supply.left = mg.lt(supply.left) ? supply.left.minus(mg) : NOTHING;
}

const NOTHING = new Decimal(0);

const FOR_EVER = '9999-12-31';

/** Sort key: open vials before sealed ones, then by date, then by age. */
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

/** A sealed vial of powder counts as reconstituted on the day of its first dose, which starts its 28 days. */
function open(supply: Supply, day: string): void {
  if (supply.isOpen) return;
  supply.isOpen = true;
  supply.lastDay = beyondUseDayAfter(day, supply.vial.expirationDate);
}

/** Vials of one compound in a simulation; the vials themselves do not change. */
interface SimulatedStock {
  /** Draws a dose with a known amount; doses must come sorted by day. @returns the mg that were missing */
  take(dose: FutureDose): Decimal;
  /** What expired on or after the day `from` and before the day `before`. */
  wasted(from: string, before: string): WastedStock | null;
}

/** mg or IU that an injection from a vial leaves in syringe and needle. */
type LostMgOf = (vial: Vial) => Decimal;

/**
 * What each injection loses: the dead space, filled with the vial's own solution. Dry powder is assumed to get the strength
 * of the open vials. Clicks, sprays and capsules leave nothing behind.
 * @returns null if nothing is lost or no strength is known
 */
function lossPerInjection(vials: readonly Vial[], deadSpaceMl: string): LostMgOf | null {
  const strengths = new Map(
    vials.filter((vial) => isDrawn(formOf(vial))).map((vial) => [vial, strengthOf(vial)]),
  );
  const known = [...strengths.values()].find((strength) => strength !== null);
  if (known === undefined || new Decimal(deadSpaceMl).lte(0)) return null;
  return (vial) => {
    if (!strengths.has(vial)) return NOTHING;
    const { n, d } = strengths.get(vial) ?? known;
    return new Decimal(deadSpaceMl).times(String(n)).div(String(d));
  };
}

function simulateStock(vials: readonly Vial[], lostMgOf: LostMgOf | null): SimulatedStock {
  const supplies = vials.map((vial): Supply => {
    const lastDay = beyondUseDay(vial);
    return { vial, left: new Decimal(vial.remaining), isOpen: isDrawable(vial), lastDay };
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
        if (rest.lte(0) && lostMgOf !== null) lose(supply, lostMgOf(supply.vial).times(dose.injections ?? 1));
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

/** Planned doses, and the days on which they use up vials. */
interface VialEnds<D> {
  /** Without doses of plans that end with a vial, after that vial is used up. */
  doses: D[];
  /** By vial id: the day (YYYY-MM-DD) of the dose that uses up the vial. */
  lastDays: ReadonlyMap<string, string>;
}

/**
 * Simulates planned doses using up the vials that their plans name, and drops the doses of plans that end with such a vial.
 * The last dose may be more than the vial has left.
 * @param doses sorted by day
 * @param deadSpaceMl ml that stay in syringe and needle after each injection, decimal text
 */
export function endWithVials<D extends FutureDose>(
  vials: readonly Vial[],
  doses: readonly D[],
  deadSpaceMl = '0',
): VialEnds<D> {
  const supplies = new Map(
    vials.map((vial) => {
      const lostMg = lossPerInjection([vial], deadSpaceMl)?.(vial) ?? new Decimal(0);
      return [vial.id, { vial, lostMg, left: new Decimal(vial.remaining) }];
    }),
  );
  const lastDays = new Map<string, string>();
  const going = doses.filter((dose) => {
    const supply = supplies.get(dose.compoundId ?? '');
    if (supply === undefined || dose.mg === null) return true;
    const { vial, lostMg, left } = supply;
    if (measureOf(vial) !== (dose.measure ?? 'mg')) return true;
    if (left.lte(0)) return dose.endsWithVial !== true;
    supply.left = left.minus(inFirst(dose, vial).mg ?? 0).minus(lostMg.times(dose.injections ?? 1));
    if (supply.left.lte(0)) lastDays.set(vial.id, dose.day);
    return true;
  });
  return { doses: going, lastDays };
}
