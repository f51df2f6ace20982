import { shownDay } from '#app/domain/time/calendar.ts';
import {
  type Vial,
  vialNameKey,
  isFinal,
  isOpen,
  beyondUseDay,
  isPastDate,
  type LedgerEntry,
  statusOf,
  type VialComponent,
  type VialWithLedger,
  type LedgerKind,
} from './vial.ts';
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
  drawOf,
  strengthOf,
  shortOf,
} from './contents.ts';

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

/** Entries that are kept one by one; of a longer ledger the oldest become one sum. */
export const MAX_LEDGER_ENTRIES = 2000;

/** Entries that are folded at once, so that not every further draw rewrites the ledger. */
const FOLDED_AT_ONCE = 500;

/** A draw to write: `id` is the same however often it is tried. */
interface DrawEntry {
  id: string;
  /** mg above zero, decimal text. */
  mg: string;
  /** The component that `mg` counts, by its place; the first when absent. */
  component?: number | undefined;
  at: Date;
  reason?: string | null;
}

/** Writes a dose that was drawn. Nothing changes when it is written already, or was undone before it was written. */
export function takeFrom(
  vial: VialWithLedger,
  { id, mg, component, at, reason = null }: DrawEntry,
): VialWithLedger {
  if (has(vial, id) || has(vial, undoId(id))) return vial;
  const drawn = withEntries(vial, [{ id, kind: 'dose', mg: minus(mg), ...statedIn(component), reason, at }]);
  return withEntries(drawn, consequence(drawn, id, at));
}

/**
 * Writes the reverse of a draw. One that never was written leaves an entry of zero behind, so that it is not written
 * later by somebody who is slow.
 */
export function giveBack(
  vial: VialWithLedger,
  { id, at, reason = null }: Omit<DrawEntry, 'mg' | 'component'>,
): VialWithLedger {
  const drawn = vial.ledger.find((entry) => entry.id === id);
  if (has(vial, undoId(id))) return vial;
  const mg = drawn === undefined ? '0' : minus(drawn.mg);
  const entry = { id: undoId(id), kind: 'dose' as const, mg, ...statedIn(drawn?.component), reason, at };
  const returned = withEntries(vial, [entry]);
  return withEntries(returned, consequence(returned, id, at));
}

/** Brings the balance of the first component to an amount by one entry; nothing changes when it is there already, or all is thrown away. */
export function correctTo(
  vial: VialWithLedger,
  to: { id: string; remaining: string; at: Date; reason: string | null; kind?: LedgerKind },
): VialWithLedger {
  const { id, remaining, at, reason, kind = 'correction' } = to;
  const change = new Decimal(remaining).minus(balanceOf(vial));
  if (change.eq(0) || vial.status === 'discarded') return vial;
  return withEntries(vial, [{ id, kind, mg: change.toFixed(), reason, at }]);
}

/** Writes what was lost; of a vial that is thrown away nothing can be. */
export function spillFrom(
  vial: VialWithLedger,
  { id, mg, component, at, reason = null }: DrawEntry,
): VialWithLedger {
  if (vial.status === 'discarded') return vial;
  return withEntries(vial, [{ id, kind: 'spill', mg: minus(mg), ...statedIn(component), reason, at }]);
}

/** Throws the vial away with all that is in it. */
export function discardAll(vial: VialWithLedger, entry: Omit<DrawEntry, 'mg' | 'component'>): VialWithLedger {
  const emptied = correctTo(vial, {
    ...entry,
    reason: entry.reason ?? null,
    remaining: '0',
    kind: 'discard',
  });
  return { ...emptied, status: 'discarded' };
}

/** The vial with further entries; one whose id the ledger has already is left out. */
export function withEntries(vial: VialWithLedger, entries: readonly LedgerEntry[]): VialWithLedger {
  const known = new Set(vial.ledger.map(({ id }) => id));
  const fresh = entries.filter(({ id }) => !known.has(id));
  return fresh.length === 0 ? vial : recalculated({ ...vial, ledger: [...vial.ledger, ...fresh] });
}

/** The vial with everything that follows from its ledger worked out anew: balance, first draw, status. */
export function recalculated(vial: VialWithLedger): VialWithLedger {
  const counted = { ...vial, ...countedComponents(vial) };
  const remaining = balanceOf(counted).toFixed();
  // What was folded away may have been draws: such a vial has been in use, whatever is undone now.
  const openedAt = vial.foldedCount > 0 ? vial.openedAt : firstDraw(vial);
  const next = { ...counted, remaining, openedAt };
  return folded({ ...next, status: statusOf(next) });
}

type Balanced = Pick<
  VialWithLedger,
  'name' | 'totalAmount' | 'remaining' | 'components' | 'ledger' | 'foldedMg'
>;

/** The components of a blend with the sums of their entries; nothing for a single peptide, whose balance is its sum. */
function countedComponents({
  components,
  totalAmount,
  ledger,
  foldedMg,
}: Pick<Balanced, 'components' | 'totalAmount' | 'ledger' | 'foldedMg'>): {
  components?: readonly VialComponent[];
} {
  if (components === undefined) return {};
  return {
    components: components.map((component, at) => {
      const folded = at === 0 ? foldedMg : component.foldedMg;
      const changedMg = new Decimal(folded).plus(sumOfEntries(statedAt(ledger, at))).toFixed();
      return { ...component, ...(at === 0 && { amount: totalAmount }), changedMg, foldedMg: folded };
    }),
  };
}

/**
 * The book balance in mg: what the vial held when whole, and every entry of its ledger; of a blend, of its first component,
 * with 18 decimals where it has no end.
 */
export function balanceOf(vial: Balanced): Decimal {
  if (vial.components === undefined)
    return new Decimal(vial.totalAmount).plus(vial.foldedMg).plus(sumOfEntries(vial.ledger));
  return new Decimal(shortOf(leftOf({ ...vial, ...countedComponents(vial) })));
}

/** The entries that are stated in a component. */
const statedAt = (ledger: readonly LedgerEntry[], at: number): readonly LedgerEntry[] =>
  ledger.filter(({ component = 0 }) => component === at);

const statedIn = (component: number | undefined): { component?: number } =>
  component === undefined || component === 0 ? {} : { component };

/** The sum of some entries in mg. */
function sumOfEntries(entries: readonly Pick<LedgerEntry, 'mg'>[]): Decimal {
  return entries.reduce((sum, { mg }) => sum.plus(mg), new Decimal(0));
}

/** The first draw that has not been undone; null when there is none. */
function firstDraw({ ledger }: VialWithLedger): Date | null {
  const ids = new Set(ledger.map(({ id }) => id));
  const draws = ledger.filter(
    (entry) =>
      isEarlierOpening(entry) ||
      (entry.kind === 'dose' && entry.mg.startsWith('-') && !ids.has(undoId(entry.id))),
  );
  return draws[0]?.at ?? null;
}

function folded(vial: VialWithLedger): VialWithLedger {
  if (vial.ledger.length <= MAX_LEDGER_ENTRIES) return vial;
  const oldest = vial.ledger.slice(0, FOLDED_AT_ONCE);
  return {
    ...vial,
    ledger: vial.ledger.slice(FOLDED_AT_ONCE),
    foldedCount: vial.foldedCount + oldest.length,
    foldedMg: new Decimal(vial.foldedMg).plus(sumOfEntries(statedAt(oldest, 0))).toFixed(),
    ...(vial.components && {
      components: vial.components.map((component, at) => ({
        ...component,
        foldedMg: new Decimal(component.foldedMg).plus(sumOfEntries(statedAt(oldest, at))).toFixed(),
      })),
    }),
  };
}

const undoId = (entryId: string): string => `${entryId}:undo`;

const has = (vial: VialWithLedger, id: string): boolean => vial.ledger.some((entry) => entry.id === id);

const minus = (mg: Decimal | string): string => new Decimal(mg).times(-1).toFixed();

/** What must follow for the book to stay possible: nothing is left in a discarded vial, no vial holds more than it can. */
function consequence(vial: VialWithLedger, id: string, at: Date): LedgerEntry[] {
  const balance = balanceOf(vial);
  const entry = (entryId: string, kind: LedgerKind, mg: Decimal, reason: string) => {
    const undone = has(vial, entryId) ? `${entryId}:2` : entryId;
    return { id: undone, kind, mg: minus(mg), reason, at };
  };
  if (vial.status === 'discarded' && !balance.eq(0))
    return [entry(`${id}:discard`, 'discard', balance, 'The vial was discarded')];
  const over = balance.minus(vial.totalAmount);
  if (!over.gt(0)) return [];
  return [entry(`${id}:full`, 'correction', over, 'More than the vial can hold')];
}

/** Id of the entry that says when a vial was opened before it was brought in. */
const OPENED = 'import:opened';

/** True for the entry that stands for the first draw, which another ledger has. */
function isEarlierOpening({ id, kind }: LedgerEntry): boolean {
  return kind === 'import' && id === OPENED;
}

/**
 * The entries of a vial that was brought in: what was gone from it, and when it was opened.
 * @param mg decimal text with a sign, zero when it was full
 */
export function importedEntries(told: { mg: string; at: Date; openedAt: Date | null }): LedgerEntry[] {
  const { mg, at, openedAt } = told;
  const entry = { kind: 'import', reason: 'Imported' } as const;
  return [
    ...(openedAt === null ? [] : [{ ...entry, id: OPENED, mg: '0', at: openedAt }]),
    ...(new Decimal(mg).eq(0) ? [] : [{ ...entry, id: 'import:gone', mg, at }]),
  ];
}
