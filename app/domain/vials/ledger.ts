import { Decimal } from '#app/domain/decimal/decimal.ts';
import { type LedgerEntry, statusOf, type VialWithLedger, type LedgerKind } from './vial.ts';

/** Entries that are kept one by one; of a longer ledger the oldest become one sum. */
export const MAX_LEDGER_ENTRIES = 2000;

/** Entries that are folded at once, so that not every further draw rewrites the ledger. */
const FOLDED_AT_ONCE = 500;

/** A draw to write: `id` is the same however often it is tried. */
interface DrawEntry {
  id: string;
  /** mg above zero, decimal text. */
  mg: string;
  at: Date;
  reason?: string | null;
}

/** Writes a dose that was drawn. Nothing changes when it is written already, or was undone before it was written. */
export function takeFrom(vial: VialWithLedger, { id, mg, at, reason = null }: DrawEntry): VialWithLedger {
  if (has(vial, id) || has(vial, undoId(id))) return vial;
  const drawn = withEntries(vial, [{ id, kind: 'dose', mg: minus(mg), reason, at }]);
  return withEntries(drawn, consequence(drawn, id, at));
}

/**
 * Writes the reverse of a draw. One that never was written leaves an entry of zero behind, so that it is not written
 * later by somebody who is slow.
 */
export function giveBack(
  vial: VialWithLedger,
  { id, at, reason = null }: Omit<DrawEntry, 'mg'>,
): VialWithLedger {
  const drawn = vial.ledger.find((entry) => entry.id === id);
  if (has(vial, undoId(id))) return vial;
  const mg = drawn === undefined ? '0' : minus(drawn.mg);
  const entry = { id: undoId(id), kind: 'dose' as const, mg, reason, at };
  const returned = withEntries(vial, [entry]);
  return withEntries(returned, consequence(returned, id, at));
}

/** Brings the balance to an amount by one entry; nothing changes when it is there already, or all is thrown away. */
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
export function spillFrom(vial: VialWithLedger, { id, mg, at, reason = null }: DrawEntry): VialWithLedger {
  if (vial.status === 'discarded') return vial;
  return withEntries(vial, [{ id, kind: 'spill', mg: minus(mg), reason, at }]);
}

/** Throws the vial away with all that is in it. */
export function discardAll(vial: VialWithLedger, entry: Omit<DrawEntry, 'mg'>): VialWithLedger {
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
  const remaining = balanceOf(vial).toFixed();
  // What was folded away may have been draws: such a vial has been in use, whatever is undone now.
  const openedAt = vial.foldedCount > 0 ? vial.openedAt : firstDraw(vial);
  const next = { ...vial, remaining, openedAt };
  return folded({ ...next, status: statusOf(next) });
}

/** The book balance in mg: what the vial held when whole, and every entry of its ledger. */
export function balanceOf(vial: Pick<VialWithLedger, 'totalAmount' | 'ledger' | 'foldedMg'>): Decimal {
  return new Decimal(vial.totalAmount).plus(vial.foldedMg).plus(sumOfEntries(vial.ledger));
}

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
    foldedMg: new Decimal(vial.foldedMg).plus(sumOfEntries(oldest)).toFixed(),
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
