import { shownDay } from '#app/domain/time/calendar.ts';
import {
  type Vial,
  vialNameKey,
  isFinal,
  formOf,
  isDrawable,
  isOpen,
  isReadyMade,
  measureOf,
  beyondUseDay,
  isPastDate,
  type LedgerEntry,
  statusOf,
  type VialComponent,
  type VialWithLedger,
  type LedgerKind,
} from './vial.ts';
import type { Container } from '#app/domain/calculator/nearest-mark.ts';
import { Decimal, type Ratio } from '#app/domain/decimal/decimal.ts';
import type {
  Component,
  NearestMark,
  SubstanceUnit,
  SyringeChoice,
} from '#app/domain/calculator/calculation.ts';
import {
  amountOf,
  blendOf,
  containerOf,
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

/** A dose to draw. */
export interface DrawRequest {
  /** Name of the compound. */
  name: string;
  /** mg or IU, decimal text above zero; for a blend, of the component that the dose counts. */
  doseMg: string;
  /** What the dose is measured in; mg when absent. */
  measure?: SubstanceUnit | undefined;
  /** The component that the dose counts; by default the one with the dose's name, else the first. */
  doseOf?: string | null | undefined;
  /** The components in the plan, if it is for a blend. */
  components?: readonly Component[] | null | undefined;
  /** The vial that the user chose for this dose; all of it comes from there. */
  compoundId?: string | null | undefined;
  /** The schedule's vial: it is emptied first, then others with the name follow. */
  preferredCompoundId?: string | null | undefined;
  /** Today in the owner's zone. */
  day: string;
  syringe: SyringeChoice;
}

/** The part of a dose that comes out of one vial. */
interface PlannedDraw {
  readonly compoundId: string;
  /** Decimal text above zero, in mg or IU. */
  readonly mg: string;
  /** The index of the component that `mg` counts; 0 when absent. */
  readonly component?: number;
  /** ml with 3 decimals; null for capsules, or if the vial's strength is unknown. */
  readonly ml: string | null;
  /** On the scale of the syringe, pen or spray, or in capsules, with at most 2 decimals; null if the strength is unknown. */
  readonly units: string | null;
  readonly mark: NearestMark | null;
}

/** Which vials a dose comes from, in the order of drawing; `draws` is empty if there is no vial to draw from. */
export interface DrawPlan {
  readonly draws: readonly PlannedDraw[];
  readonly warnings: readonly StockWarning[];
  /** mg in all of these vials of the component that the dose counts; null if there is no vial. */
  readonly leftMg: string | null;
  /** The first vial's strength in that component; null if unknown. */
  readonly strength: Ratio<'mg/ml'> | null;
  /** What the hand counts with for the first vial. */
  readonly container: Container;
  /** False if the vial does not hold the component that the dose counts; then it must not be drawn. */
  readonly holdsDose: boolean;
  /** The blend that is, or is planned to be, drawn; null for a single peptide. */
  readonly blend: Blend | null;
}

/**
 * Decides which vials a dose is drawn from: the one the user chose; else the schedule's, then open vials of the same stock
 * that have not expired, earliest date first. Unless that very vial was chosen, a single peptide is never drawn from a blend
 * that contains it, and a blend never from a single peptide or a blend with other proportions; so what a dose gives of each
 * component never depends on which vial comes next. A dose in mg is never drawn from a vial in IU, nor the reverse. It never
 * refuses: missing stock is drawn anyway, with a warning, and without any vial nothing is drawn. The draws add up to the dose, or there are none.
 */
export function planDraws(vials: readonly Vial[], request: DrawRequest): DrawPlan {
  const dose = new Decimal(request.doseMg);
  const { measure = 'mg' } = request;
  const chosen = request.compoundId ? vials.find(({ id }) => id === request.compoundId) : undefined;
  const [alike, others] = [
    vials.filter((vial) => measureOf(vial) === measure),
    vials.filter((vial) => measureOf(vial) !== measure),
  ];
  const named = chosen !== undefined && alike.includes(chosen) ? chosen : undefined;
  const found = named ? [named] : chosen ? [] : inOrder(alike, request);
  // Vials of the same stock may list their components in another order, so the dosed component is taken from the first.
  const contents = found[0] === undefined ? [] : contentsOf(found[0]);
  const { name, components, preferredCompoundId } = request;
  const doseRequest = {
    ...{ name, doseOf: request.doseOf },
    renamedFrom: found[0]?.id === preferredCompoundId ? components : null,
  };
  const doseOf = contents[dosedAt(contents, doseRequest)]?.name;
  const order = found.map((vial) => sourceOf(vial, { ...request, doseOf }));
  const [first] = order;
  const preferred = first?.vial.id === request.preferredCompoundId ? first : undefined;
  const overdrawn = named ? first : (preferred ?? order.at(-1));
  const shares = spread(order, dose, overdrawn);
  if (first === undefined)
    return {
      draws: [],
      warnings: [noVialWarning(others, request)],
      leftMg: null,
      strength: null,
      container: {},
      holdsDose: findDosed(components ?? [{ name }], doseRequest) >= 0,
      blend: blendOf(request, request),
    };
  return {
    leftMg: order.reduce((sum, { stock }) => sum.plus(stock), new Decimal(0)).toFixed(),
    strength: strengthOf(first.vial, first.at),
    container: containerOf(first.vial),
    draws: shares.map((share) => planned(share, request.syringe)),
    warnings: shares.flatMap((share) => warningsAbout(share, request.day)),
    holdsDose: findDosed(contents, doseRequest) >= 0,
    blend: drawnFrom(first.vial, { ...request, doseOf }),
  };
}

/** Why there is no vial to draw from: none at all, or only one that is measured in something else. */
function noVialWarning(others: readonly Vial[], request: DrawRequest): StockWarning {
  const { compoundId, preferredCompoundId, name } = request;
  const other =
    others.find(({ id }) => id === compoundId || id === preferredCompoundId) ??
    others.find((vial) => isDrawable(vial) && vialNameKey(vial.name) === vialNameKey(name));
  return other === undefined ? stockWarning('NO_OPEN_VIAL') : stockWarning('OTHER_MEASURE', other);
}

/** The blend in a draw. If a blend was planned but a single peptide is drawn, it contains that peptide alone. */
function drawnFrom(vial: Vial, request: DrawRequest): Blend | null {
  const blend = blendOf(vial, request);
  if (blend !== null || blendOf(request, request) === null) return blend;
  const { name, totalAmount: amount } = vial;
  return { doseOf: name, components: [{ name, amount }] };
}

/** A vial to draw from. */
interface Source {
  vial: Vial;
  /** The index of the component that the dose counts. */
  at: number;
  /** mg of it left in the vial; zero if over-drawn. */
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

/** The vials to draw from when the user chose none: the schedule's first. */
function inOrder(vials: readonly Vial[], request: DrawRequest): Vial[] {
  const preferred = vials.find(({ id }) => id === request.preferredCompoundId);
  const first = preferred !== undefined && !isFinal(preferred) ? [preferred] : [];
  const usable = vials.filter(
    (vial) => !first.includes(vial) && isDrawable(vial) && !isPastDate(vial, request.day),
  );
  const key = stockKeyFor(request, first[0], usable.sort(byDate));
  return [...first, ...usable.filter((vial) => stockKey(vial) === key)];
}

/**
 * The key of the stock that a dose may come from: that of the schedule's vial if either of the two is a blend, else the
 * plan's, else the vials with the dose's name. If single peptides have that name, a blend with the same name is not used.
 */
function stockKeyFor(request: DrawRequest, own: Vial | undefined, usable: readonly Vial[]): string {
  const { name, components, measure: amountUnit } = request;
  const plan = stockKey({ name, components, amountUnit });
  const nameKey = stockKey({ name, amountUnit });
  if (own !== undefined) return own.components === undefined && plan === nameKey ? plan : stockKey(own);
  if (plan !== nameKey) return plan;
  const namesakes = usable.filter((vial) => vialNameKey(vial.name) === vialNameKey(name));
  const blend = namesakes.some(({ components }) => components === undefined) ? undefined : namesakes[0];
  return blend === undefined ? nameKey : stockKey(blend);
}

/** Open ones first, then the earliest date; with equal dates, vials in use before others, then the older one. */
function byDate(a: Vial, b: Vial): number {
  if (isOpen(a) !== isOpen(b)) return isOpen(a) ? -1 : 1;
  if (lastDayOf(a) !== lastDayOf(b)) return lastDayOf(a) < lastDayOf(b) ? -1 : 1;
  if (a.status !== b.status) return a.status === 'in_use' ? -1 : 1;
  return a.id < b.id ? -1 : 1;
}

/** Vials without a date sort last. */
const lastDayOf = (vial: Vial): string => beyondUseDay(vial) ?? '9999-12-31';

/** Empties one vial after the other. What none of them holds is over-drawn from `overdrawn`. */
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

function planned({ vial, at, mg }: Share, syringe: SyringeChoice): PlannedDraw {
  const draw = drawOf(vial, mg.toFixed(), syringe, at);
  return {
    compoundId: vial.id,
    mg: mg.toFixed(),
    ...(at > 0 && { component: at }),
    ml: draw === null || formOf(vial) === 'capsule' ? null : draw.volumeText,
    units: draw?.unitsText ?? null,
    mark: draw?.nearestMark ?? null,
  };
}

function warningsAbout({ vial, stock, mg }: Share, day: string): StockWarning[] {
  return [
    ...(isPastDate(vial, day) ? [stockWarning('PAST_DATE', vial)] : []),
    ...(vial.status === 'sealed' && !isReadyMade(vial) ? [stockWarning('NOT_RECONSTITUTED', vial)] : []),
    ...(mg.gt(stock) ? [stockWarning('OVER_DRAWN', vial)] : []),
  ];
}

export const STOCK_WARNINGS = ['PAST_DATE', 'OVER_DRAWN', 'NOT_RECONSTITUTED', 'NO_OPEN_VIAL'] as const;

/** `OTHER_MEASURE` is also a question about an amount, so it is listed with those. */
export type StockWarningCode = (typeof STOCK_WARNINGS)[number] | 'OTHER_MEASURE';

/** A warning about a draw. It never blocks the dose. */
export interface StockWarning {
  readonly code: StockWarningCode;
  /** The vial it is about; null if there is none. */
  readonly compoundId: string | null;
  readonly message: string;
}

type About = Pick<Vial, 'id' | 'name' | 'expirationDate' | 'reconstitutionDate'> &
  Partial<Pick<Vial, 'amountUnit'>>;

function pastDate(vial: About | undefined): string {
  const last = vial === undefined ? null : beyondUseDay(vial);
  return `This vial is past its beyond-use date${last === null ? '' : ` (${shownDay(last)})`}. You can still log from it.`;
}

function otherMeasure(vial: About | undefined): string {
  const [inVial, ofDose] = vial?.amountUnit === 'IU' ? ['IU', 'mg'] : ['mg', 'IU'];
  return `The vial ${vial?.name ?? ''} is measured in ${inVial} and this dose in ${ofDose}, and one can’t be converted to the other. Nothing is taken from the vial.`;
}

const MESSAGES: Readonly<Record<StockWarningCode, (vial: About | undefined) => string>> = {
  PAST_DATE: pastDate,
  OVER_DRAWN: () => 'This dose is more than the vial holds on record. Please correct the remaining amount.',
  NOT_RECONSTITUTED: () => 'This vial is recorded as sealed. Enter when it was reconstituted.',
  OTHER_MEASURE: otherMeasure,
  NO_OPEN_VIAL: () => 'No open vial has this name, so the dose is not taken from stock.',
};

/** A warning with its message. */
export function stockWarning(code: StockWarningCode, vial?: About): StockWarning {
  return { code, compoundId: vial?.id ?? null, message: MESSAGES[code](vial) };
}

/** The longest ledger that is kept entry by entry; beyond that, the oldest entries are folded into one sum. */
export const MAX_LEDGER_ENTRIES = 2000;

/** How many entries are folded at once, so that not every later draw rewrites the ledger. */
const FOLDED_AT_ONCE = 500;

/** A draw to record. `id` stays the same over retries. */
interface DrawEntry {
  id: string;
  /** mg above zero, decimal text. */
  mg: string;
  /** The component that `mg` counts, by its place; the first when absent. */
  component?: number | undefined;
  at: Date;
  reason?: string | null;
}

/** Records the draw of a dose. Nothing changes if it is recorded already, or was undone before it was recorded. */
export function takeFrom(
  vial: VialWithLedger,
  { id, mg, component, at, reason = null }: DrawEntry,
): VialWithLedger {
  if (has(vial, id) || has(vial, undoId(id))) return vial;
  const drawn = withEntries(vial, [{ id, kind: 'dose', mg: minus(mg), ...statedIn(component), reason, at }]);
  return withEntries(drawn, consequence(drawn, id, at));
}

/**
 * Reverses a draw. For a draw that was never recorded, it adds an entry of zero, so that a slower request cannot record it
 * later.
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

/** Sets the balance of the first component with one entry. Nothing changes if it is equal already or the vial is discarded. */
export function correctTo(
  vial: VialWithLedger,
  to: { id: string; remaining: string; at: Date; reason: string | null; kind?: LedgerKind },
): VialWithLedger {
  const { id, remaining, at, reason, kind = 'correction' } = to;
  const change = new Decimal(remaining).minus(balanceOf(vial));
  if (change.eq(0) || vial.status === 'discarded') return vial;
  return withEntries(vial, [{ id, kind, mg: change.toFixed(), reason, at }]);
}

/** Records a loss. Nothing changes if the vial is discarded. */
export function spillFrom(
  vial: VialWithLedger,
  { id, mg, component, at, reason = null }: DrawEntry,
): VialWithLedger {
  if (vial.status === 'discarded') return vial;
  return withEntries(vial, [{ id, kind: 'spill', mg: minus(mg), ...statedIn(component), reason, at }]);
}

/** Discards the vial with its contents. */
export function discardAll(vial: VialWithLedger, entry: Omit<DrawEntry, 'mg' | 'component'>): VialWithLedger {
  const emptied = correctTo(vial, {
    ...entry,
    reason: entry.reason ?? null,
    remaining: '0',
    kind: 'discard',
  });
  return { ...emptied, status: 'discarded' };
}

/** Adds entries to the ledger, except those whose id it already has. */
export function withEntries(vial: VialWithLedger, entries: readonly LedgerEntry[]): VialWithLedger {
  const known = new Set(vial.ledger.map(({ id }) => id));
  const fresh = entries.filter(({ id }) => !known.has(id));
  return fresh.length === 0 ? vial : recalculated({ ...vial, ledger: [...vial.ledger, ...fresh] });
}

/** Recalculates everything that follows from the ledger: balance, first draw, status. */
export function recalculated(vial: VialWithLedger): VialWithLedger {
  const counted = { ...vial, ...countedComponents(vial) };
  const remaining = balanceOf(counted).toFixed();
  // Folded entries may have been draws, so such a vial has been in use, whatever is undone now.
  const openedAt = vial.foldedCount > 0 ? vial.openedAt : firstDraw(vial);
  const next = { ...counted, remaining, openedAt };
  return folded({ ...next, status: statusOf(next) });
}

type Balanced = Pick<
  VialWithLedger,
  'name' | 'totalAmount' | 'remaining' | 'components' | 'ledger' | 'foldedMg'
>;

/** The components of a blend with the sums of their entries; empty for a single peptide. */
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
 * The recorded balance in mg: the total amount plus all ledger entries; for a blend, of its first component, with 18 decimals
 * if it does not terminate.
 */
export function balanceOf(vial: Balanced): Decimal {
  if (vial.components === undefined)
    return new Decimal(vial.totalAmount).plus(vial.foldedMg).plus(sumOfEntries(vial.ledger));
  return new Decimal(shortOf(leftOf({ ...vial, ...countedComponents(vial) })));
}

/** The entries stated in the component at this index. */
const statedAt = (ledger: readonly LedgerEntry[], at: number): readonly LedgerEntry[] =>
  ledger.filter(({ component = 0 }) => component === at);

const statedIn = (component: number | undefined): { component?: number } =>
  component === undefined || component === 0 ? {} : { component };

/** The sum of some entries in mg. */
function sumOfEntries(entries: readonly Pick<LedgerEntry, 'mg'>[]): Decimal {
  return entries.reduce((sum, { mg }) => sum.plus(mg), new Decimal(0));
}

/** When the first draw that has not been undone was made; null if there is none. */
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

/** Entries that keep the balance possible: a discarded vial stays empty, and no vial holds more than its total. */
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

/** Id of the entry that records when an imported vial had been opened. */
const OPENED = 'import:opened';

/** True for the entry that stands for an imported vial's first draw, which is not in this ledger. */
function isEarlierOpening({ id, kind }: LedgerEntry): boolean {
  return kind === 'import' && id === OPENED;
}

/**
 * The entries of an imported vial: the amount already used, and when it was opened.
 * @param mg signed decimal text, zero for a full vial
 */
export function importedEntries(facts: { mg: string; at: Date; openedAt: Date | null }): LedgerEntry[] {
  const { mg, at, openedAt } = facts;
  const entry = { kind: 'import', reason: 'Imported' } as const;
  return [
    ...(openedAt === null ? [] : [{ ...entry, id: OPENED, mg: '0', at: openedAt }]),
    ...(new Decimal(mg).eq(0) ? [] : [{ ...entry, id: 'import:gone', mg, at }]),
  ];
}
