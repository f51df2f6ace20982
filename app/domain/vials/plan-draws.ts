import { Decimal } from '#app/domain/decimal/decimal.ts';
import { beyondUseDay, isPastDate } from './beyond-use.ts';
import { drawOf } from './draw-volume.ts';
import { vialNameKey } from './vial-name-key.ts';
import { isFinal, isOpen } from './vial-status.ts';
import type { Vial } from './vial.ts';
import { stockWarning, type StockWarning } from './stock-warnings.ts';

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
}

/** What comes out of one vial. */
export interface PlannedDraw {
  readonly compoundId: string;
  /** Decimal text in mg, above zero. */
  readonly mg: string;
  /** ml with 3 decimals and U-100 units with at most 2; null when the vial's strength is not known. */
  readonly ml: string | null;
  readonly units: string | null;
}

/** From which vials a dose comes, in the order of drawing; empty when there is none to draw from. */
export interface DrawPlan {
  readonly draws: readonly PlannedDraw[];
  readonly warnings: readonly StockWarning[];
}

interface Share {
  vial: Vial;
  mg: Decimal;
}

const inStock = (vial: Vial): Decimal => {
  const remaining = new Decimal(vial.remaining);
  return remaining.gt(0) ? remaining : new Decimal(0);
};

/** Sorts last what has no date. */
const lastDayOf = (vial: Vial): string => beyondUseDay(vial) ?? '9999-12-31';

/** Earliest date first; of two alike the one that is in use, then the older one. */
function byDate(a: Vial, b: Vial): number {
  if (lastDayOf(a) !== lastDayOf(b)) return lastDayOf(a) < lastDayOf(b) ? -1 : 1;
  if (a.status !== b.status) return a.status === 'in_use' ? -1 : 1;
  return a.id < b.id ? -1 : 1;
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

/** Empties one vial after the other; what no vial holds is over-drawn from the first that was asked for, or the last. */
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

function planned({ vial, mg }: Share): PlannedDraw {
  const draw = drawOf(vial, mg.toFixed());
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

/**
 * From which vials a dose comes (decisions, section 8): the one the user named; else the schedule's, then open vials
 * of the name that are not past their date, earliest date first. It never refuses: what the book does not have is
 * drawn all the same and flagged, and with no vial at all nothing is drawn. The draws sum to the dose or there are none.
 */
export function planDraws(vials: readonly Vial[], request: DrawRequest): DrawPlan {
  const dose = new Decimal(request.doseMg);
  const named = request.compoundId ? vials.find(({ id }) => id === request.compoundId) : undefined;
  const order = named ? [named] : inOrder(vials, request);
  const [first] = order;
  const preferred = first?.id === request.preferredCompoundId ? first : undefined;
  const shares = spread(order, dose, named ?? preferred ?? order.at(-1));
  if (order.length === 0) return { draws: [], warnings: [stockWarning('NO_OPEN_VIAL')] };
  return {
    draws: shares.map(planned),
    warnings: shares.flatMap((share) => warningsAbout(share, request.day)),
  };
}
