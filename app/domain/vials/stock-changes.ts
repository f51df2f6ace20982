import { Decimal } from '#app/domain/decimal/decimal.ts';
import { balanceOf, undoId, withEntries } from './ledger.ts';
import type { LedgerEntry, LedgerKind, VialWithLedger } from './vial.ts';

/** A draw to write: `id` is the same however often it is tried. */
export interface DrawEntry {
  id: string;
  /** mg above zero, decimal text. */
  mg: string;
  at: Date;
  reason?: string | null;
}

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
    return [entry(`${id}:discard`, 'discard', balance, 'The vial is discarded')];
  const over = balance.minus(vial.totalAmount);
  if (!over.gt(0)) return [];
  return [entry(`${id}:full`, 'correction', over, 'More than the vial holds')];
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
