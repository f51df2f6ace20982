import { shownDay } from '#app/domain/time/calendar-day.ts';
import { beyondUseDay, isPastDate } from './beyond-use.ts';
import { type Vial, vialNameKey, isFinal, isOpen } from './vial.ts';
import { Decimal, type Ratio } from '#app/domain/decimal/decimal.ts';
import type { SyringeId } from '#app/domain/calculator/calculation.ts';
import { drawOf, strengthOf } from './concentration.ts';

/** A dose that is to be drawn. */
export interface DrawRequest {
  /** Name of the compound. */
  name: string;
  /** mg, decimal text above zero. */
  doseMg: string;
  /** The vial that the user named for this very dose: all of it comes from there. */
  compoundId?: string | null | undefined;
  /** The vial that the schedule names: emptied first, then the others of the name follow. */
  preferredCompoundId?: string | null | undefined;
  /** The calendar day in the owner's zone. */
  day: string;
  /** What the owner draws with. */
  syringe: SyringeId;
}

/** What comes out of one vial. */
interface PlannedDraw {
  readonly compoundId: string;
  /** Decimal text in mg, above zero. */
  readonly mg: string;
  /** ml with 3 decimals and units of the syringe's scale with at most 2; null when the vial's strength is not known. */
  readonly ml: string | null;
  readonly units: string | null;
}

/** From which vials a dose comes, in the order of drawing; empty when there is none to draw from. */
export interface DrawPlan {
  readonly draws: readonly PlannedDraw[];
  readonly warnings: readonly StockWarning[];
  /** mg that all of these vials hold; null when there is none. */
  readonly leftMg: string | null;
  /** How strong the first of them is; null when it is not known. */
  readonly strength: Ratio<'mg/ml'> | null;
}

/**
 * Decides which vials a dose is drawn from: the one the user named; else the schedule's, then open vials of that name
 * that are not past their date, earliest date first. It never refuses: missing stock is drawn all the same and flagged,
 * and without any vial nothing is drawn. The draws sum to the dose, or there are none.
 */
export function planDraws(vials: readonly Vial[], request: DrawRequest): DrawPlan {
  const dose = new Decimal(request.doseMg);
  const named = request.compoundId ? vials.find(({ id }) => id === request.compoundId) : undefined;
  const order = named ? [named] : inOrder(vials, request);
  const [first] = order;
  const preferred = first?.id === request.preferredCompoundId ? first : undefined;
  const shares = spread(order, dose, named ?? preferred ?? order.at(-1));
  if (first === undefined)
    return { draws: [], warnings: [stockWarning('NO_OPEN_VIAL')], leftMg: null, strength: null };
  return {
    leftMg: order.reduce((sum, vial) => sum.plus(inStock(vial)), new Decimal(0)).toFixed(),
    strength: strengthOf(first),
    draws: shares.map((share) => planned(share, request.syringe)),
    warnings: shares.flatMap((share) => warningsAbout(share, request.day)),
  };
}

interface Share {
  vial: Vial;
  mg: Decimal;
}

/** The vials to draw from without being asked which, the schedule's own first. */
function inOrder(vials: readonly Vial[], request: DrawRequest): Vial[] {
  const key = vialNameKey(request.name);
  const preferred = vials.find(({ id }) => id === request.preferredCompoundId);
  const first = preferred !== undefined && !isFinal(preferred) ? [preferred] : [];
  const others = vials.filter(
    (vial) =>
      !first.includes(vial) &&
      isOpen(vial) &&
      vialNameKey(vial.name) === key &&
      !isPastDate(vial, request.day),
  );
  return [...first, ...others.sort(byDate)];
}

/** Earliest date first; of two alike the one that is in use, then the older one. */
function byDate(a: Vial, b: Vial): number {
  if (lastDayOf(a) !== lastDayOf(b)) return lastDayOf(a) < lastDayOf(b) ? -1 : 1;
  if (a.status !== b.status) return a.status === 'in_use' ? -1 : 1;
  return a.id < b.id ? -1 : 1;
}

/** Sorts last what has no date. */
const lastDayOf = (vial: Vial): string => beyondUseDay(vial) ?? '9999-12-31';

const inStock = (vial: Vial): Decimal => {
  const remaining = new Decimal(vial.remaining);
  return remaining.gt(0) ? remaining : new Decimal(0);
};

/** Empties one vial after the other. What no vial holds is overdrawn from `overdrawn`. */
function spread(order: readonly Vial[], dose: Decimal, overdrawn: Vial | undefined): Share[] {
  let rest = dose;
  const shares = order.map((vial) => {
    const mg = rest.lt(inStock(vial)) ? rest : inStock(vial);
    rest = rest.minus(mg);
    return { vial, mg };
  });
  return shares
    .map((share) => (share.vial === overdrawn ? { ...share, mg: share.mg.plus(rest) } : share))
    .filter(({ mg }) => mg.gt(0));
}

function planned({ vial, mg }: Share, syringe: SyringeId): PlannedDraw {
  const draw = drawOf(vial, mg.toFixed(), syringe);
  return {
    compoundId: vial.id,
    mg: mg.toFixed(),
    ml: draw?.volumeText ?? null,
    units: draw?.unitsText ?? null,
  };
}

function warningsAbout({ vial, mg }: Share, day: string): StockWarning[] {
  return [
    ...(isPastDate(vial, day) ? [stockWarning('PAST_DATE', vial)] : []),
    ...(vial.status === 'sealed' ? [stockWarning('NOT_RECONSTITUTED', vial)] : []),
    ...(mg.gt(inStock(vial)) ? [stockWarning('OVER_DRAWN', vial)] : []),
  ];
}

export const STOCK_WARNINGS = ['PAST_DATE', 'OVER_DRAWN', 'NOT_RECONSTITUTED', 'NO_OPEN_VIAL'] as const;

export type StockWarningCode = (typeof STOCK_WARNINGS)[number];

/** Something the user should know about a draw. It never blocks. */
export interface StockWarning {
  readonly code: StockWarningCode;
  /** The vial it is about; null when there is none. */
  readonly compoundId: string | null;
  readonly message: string;
}

type About = Pick<Vial, 'id' | 'name' | 'expirationDate' | 'reconstitutionDate'>;

function pastDate(vial: About | undefined): string {
  const last = vial === undefined ? null : beyondUseDay(vial);
  return `This vial is past its beyond-use date${last === null ? '' : ` (${shownDay(last)})`}. You can still log from it.`;
}

const MESSAGES: Readonly<Record<StockWarningCode, (vial: About | undefined) => string>> = {
  PAST_DATE: pastDate,
  OVER_DRAWN: () =>
    'On record this vial holds less than this dose, which makes it over-drawn. Correct what is left in it.',
  NOT_RECONSTITUTED: () => 'This vial is recorded as sealed. Enter when it was reconstituted.',
  NO_OPEN_VIAL: () => 'No open vial with this name: this dose is not taken from stock.',
};

/** A warning with its message. */
export function stockWarning(code: StockWarningCode, vial?: About): StockWarning {
  return { code, compoundId: vial?.id ?? null, message: MESSAGES[code](vial) };
}
