import { shownDay } from '#app/domain/time/calendar.ts';
import { type Vial, vialNameKey, isFinal, isOpen, beyondUseDay, isPastDate } from './vial.ts';
import { Decimal, type Ratio } from '#app/domain/decimal/decimal.ts';
import type { Component, SyringeId } from '#app/domain/calculator/calculation.ts';
import {
  amountOf,
  blendOf,
  contentsOf,
  dosedAt,
  findDosed,
  leftOf,
  stockKey,
  type Blend,
} from './contents.ts';
import { drawOf, strengthOf } from './concentration.ts';

/** A dose that is to be drawn. */
export interface DrawRequest {
  /** Name of the compound. */
  name: string;
  /** mg, decimal text above zero; of a blend, of the component that the dose is of. */
  doseMg: string;
  /** The component that the dose is of; by default the one with the dose's name, else the first. */
  doseOf?: string | null | undefined;
  /** What the plan says that the vial holds, when that is a blend. */
  components?: readonly Component[] | null | undefined;
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
  /** The component of the vial that `mg` counts, by its place; the first when absent. */
  readonly component?: number;
  /** ml with 3 decimals and units of the syringe's scale with at most 2; null when the vial's strength is not known. */
  readonly ml: string | null;
  readonly units: string | null;
}

/** From which vials a dose comes, in the order of drawing; empty when there is none to draw from. */
export interface DrawPlan {
  readonly draws: readonly PlannedDraw[];
  readonly warnings: readonly StockWarning[];
  /** mg that all of these vials hold of what the dose is of; null when there is none. */
  readonly leftMg: string | null;
  /** How strong the first of them is in that; null when it is not known. */
  readonly strength: Ratio<'mg/ml'> | null;
  /** Whether the dose is of something that is in there; if not, it must not be drawn. */
  readonly holdsDose: boolean;
  /** What the draw holds, when it comes from a blend, or is planned to; null for a single peptide. */
  readonly blend: Blend | null;
}

/**
 * Decides which vials a dose is drawn from: the one the user named; else the schedule's, then open vials of the same stock
 * that are not past their date, earliest date first. A single peptide is never taken from a blend that holds it, and a blend
 * never from a single peptide or from a blend of other proportions, unless that vial is the one that was named; so what a
 * dose gives of each component never depends on which vial comes next. It never refuses: missing stock is drawn all the same
 * and flagged, and without any vial nothing is drawn. The draws sum to the dose, or there are none.
 */
export function planDraws(vials: readonly Vial[], request: DrawRequest): DrawPlan {
  const dose = new Decimal(request.doseMg);
  const named = request.compoundId ? vials.find(({ id }) => id === request.compoundId) : undefined;
  const found = named ? [named] : inOrder(vials, request);
  // Vials of the same stock may list their components in another order: the first one says whose dose it is.
  const contents = found[0] === undefined ? [] : contentsOf(found[0]);
  const { name, components, preferredCompoundId } = request;
  const asked = {
    ...{ name, doseOf: request.doseOf },
    renamedFrom: found[0]?.id === preferredCompoundId ? components : null,
  };
  const doseOf = contents[dosedAt(contents, asked)]?.name;
  const order = found.map((vial) => sourceOf(vial, { ...request, doseOf }));
  const [first] = order;
  const preferred = first?.vial.id === request.preferredCompoundId ? first : undefined;
  const overdrawn = named ? first : (preferred ?? order.at(-1));
  const shares = spread(order, dose, overdrawn);
  if (first === undefined)
    return {
      draws: [],
      warnings: [stockWarning('NO_OPEN_VIAL')],
      leftMg: null,
      strength: null,
      holdsDose: findDosed(components ?? [{ name }], asked) >= 0,
      blend: blendOf(request, request),
    };
  return {
    leftMg: order.reduce((sum, { stock }) => sum.plus(stock), new Decimal(0)).toFixed(),
    strength: strengthOf(first.vial, first.at),
    draws: shares.map((share) => planned(share, request.syringe)),
    warnings: shares.flatMap((share) => warningsAbout(share, request.day)),
    holdsDose: findDosed(contents, asked) >= 0,
    blend: drawnFrom(first.vial, { ...request, doseOf }),
  };
}

/** What a draw from a vial holds. A plan for a blend that is drawn from a single peptide gives that peptide alone. */
function drawnFrom(vial: Vial, request: DrawRequest): Blend | null {
  const blend = blendOf(vial, request);
  if (blend !== null || blendOf(request, request) === null) return blend;
  const { name, totalAmount: amount } = vial;
  return { doseOf: name, components: [{ name, amount }] };
}

/** A vial to draw from. */
interface Source {
  vial: Vial;
  /** The component that the dose is of, by its place. */
  at: number;
  /** mg of it that the vial holds; zero when it is over-drawn. */
  stock: Decimal;
}

interface Share extends Source {
  mg: Decimal;
}

function sourceOf(vial: Vial, request: DrawRequest): Source {
  const at = dosedAt(contentsOf(vial), request);
  const left =
    vial.components === undefined ? new Decimal(vial.remaining) : new Decimal(amountOf(leftOf(vial, at)));
  return { vial, at, stock: left.gt(0) ? left : new Decimal(0) };
}

/** The vials to draw from without being asked which, the schedule's own first. */
function inOrder(vials: readonly Vial[], request: DrawRequest): Vial[] {
  const preferred = vials.find(({ id }) => id === request.preferredCompoundId);
  const first = preferred !== undefined && !isFinal(preferred) ? [preferred] : [];
  const usable = vials.filter(
    (vial) => !first.includes(vial) && isOpen(vial) && !isPastDate(vial, request.day),
  );
  const key = stockKeyFor(request, first[0], usable.sort(byDate));
  return [...first, ...usable.filter((vial) => stockKey(vial) === key)];
}

/**
 * The stock that a dose may come from: that of the schedule's vial where one of the two is a blend, else what the plan
 * says, else what has the dose's name. A name that single peptides have is theirs, whatever a blend is called.
 */
function stockKeyFor(request: DrawRequest, own: Vial | undefined, usable: readonly Vial[]): string {
  const plan = stockKey(request);
  const nameKey = vialNameKey(request.name);
  if (own !== undefined) return own.components === undefined && plan === nameKey ? plan : stockKey(own);
  if (plan !== nameKey) return plan;
  const namesakes = usable.filter(({ name }) => vialNameKey(name) === nameKey);
  const blend = namesakes.some(({ components }) => components === undefined) ? undefined : namesakes[0];
  return blend === undefined ? nameKey : stockKey(blend);
}

/** Earliest date first; of two alike the one that is in use, then the older one. */
function byDate(a: Vial, b: Vial): number {
  if (lastDayOf(a) !== lastDayOf(b)) return lastDayOf(a) < lastDayOf(b) ? -1 : 1;
  if (a.status !== b.status) return a.status === 'in_use' ? -1 : 1;
  return a.id < b.id ? -1 : 1;
}

/** Sorts last what has no date. */
const lastDayOf = (vial: Vial): string => beyondUseDay(vial) ?? '9999-12-31';

/** Empties one vial after the other. What no vial holds is overdrawn from `overdrawn`. */
function spread(order: readonly Source[], dose: Decimal, overdrawn: Source | undefined): Share[] {
  let rest = dose;
  const shares = order.map((source) => {
    const mg = rest.lt(source.stock) ? rest : source.stock;
    rest = rest.minus(mg);
    return { source, mg };
  });
  return shares
    .map(({ source, mg }) => ({ ...source, mg: source === overdrawn ? mg.plus(rest) : mg }))
    .filter(({ mg }) => mg.gt(0));
}

function planned({ vial, at, mg }: Share, syringe: SyringeId): PlannedDraw {
  const draw = drawOf(vial, mg.toFixed(), syringe, at);
  return {
    compoundId: vial.id,
    mg: mg.toFixed(),
    ...(at > 0 && { component: at }),
    ml: draw?.volumeText ?? null,
    units: draw?.unitsText ?? null,
  };
}

function warningsAbout({ vial, stock, mg }: Share, day: string): StockWarning[] {
  return [
    ...(isPastDate(vial, day) ? [stockWarning('PAST_DATE', vial)] : []),
    ...(vial.status === 'sealed' ? [stockWarning('NOT_RECONSTITUTED', vial)] : []),
    ...(mg.gt(stock) ? [stockWarning('OVER_DRAWN', vial)] : []),
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
