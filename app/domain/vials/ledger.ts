import { Decimal } from '#app/domain/decimal/decimal.ts';
import { isEarlierOpening } from './imported-vial.ts';
import { statusOf } from './vial-status.ts';
import type { LedgerEntry, VialWithLedger } from './vial.ts';

/** Entries that are kept one by one; of a longer ledger the oldest become one sum. */
export const MAX_LEDGER_ENTRIES = 2000;

/** Entries that are folded at once, so that not every further draw rewrites the ledger. */
const FOLDED_AT_ONCE = 500;

/** The sum of some entries in mg. */
export function sumOfEntries(entries: readonly Pick<LedgerEntry, 'mg'>[]): Decimal {
  return entries.reduce((sum, { mg }) => sum.plus(mg), new Decimal(0));
}

/** The book balance in mg: what the vial held when whole, and every entry of its ledger. */
export function balanceOf(vial: Pick<VialWithLedger, 'totalAmount' | 'ledger' | 'foldedMg'>): Decimal {
  return new Decimal(vial.totalAmount).plus(vial.foldedMg).plus(sumOfEntries(vial.ledger));
}

export const undoId = (entryId: string): string => `${entryId}:undo`;

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

/** The vial with everything that follows from its ledger worked out anew: balance, first draw, status. */
export function settled(vial: VialWithLedger): VialWithLedger {
  const remaining = balanceOf(vial).toFixed();
  // What was folded away may have been draws: such a vial has been in use, whatever is undone now.
  const openedAt = vial.foldedCount > 0 ? vial.openedAt : firstDraw(vial);
  const next = { ...vial, remaining, openedAt };
  return folded({ ...next, status: statusOf(next) });
}

/** The vial with further entries; one whose id the ledger has already is left out. */
export function withEntries(vial: VialWithLedger, entries: readonly LedgerEntry[]): VialWithLedger {
  const known = new Set(vial.ledger.map(({ id }) => id));
  const fresh = entries.filter(({ id }) => !known.has(id));
  return fresh.length === 0 ? vial : settled({ ...vial, ledger: [...vial.ledger, ...fresh] });
}
