import { Decimal } from '#app/domain/decimal/decimal.ts';
import { leftOf, shortOf } from './contents.ts';
import {
  type LedgerEntry,
  statusOf,
  type VialComponent,
  type VialWithLedger,
  type LedgerKind,
} from './vial.ts';

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
