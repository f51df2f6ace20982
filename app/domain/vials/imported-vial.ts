import { Decimal } from '#app/domain/decimal/decimal.ts';
import type { LedgerEntry } from './vial.ts';

/** Id of the entry that says when a vial was opened before it was brought in. */
const OPENED = 'import:opened';

/** True for the entry that stands for the first draw, which another ledger has. */
export function isEarlierOpening({ id, kind }: LedgerEntry): boolean {
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
