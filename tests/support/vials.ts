import { detailsOf } from '#app/domain/vials/vial-fields.ts';
import { recalculated } from '#app/domain/vials/stock.ts';
import type { VialWithLedger } from '#app/domain/vials/vial.ts';

/** A vial of 5 mg in 2 ml, reconstituted on 1 March 2026; derived fields are calculated. */
export function vial(more: Partial<VialWithLedger> = {}): VialWithLedger {
  return recalculated({
    id: 'vial_1',
    userId: 'user_1',
    name: 'BPC-157',
    status: 'reconstituted',
    totalAmount: '5',
    remaining: '5',
    displacement: '0',
    openedAt: null,
    createdAt: new Date('2026-03-01T08:00:00Z'),
    ...detailsOf({ waterMl: '2', reconstitutionDate: '2026-03-01' }),
    ledger: [],
    foldedCount: 0,
    foldedMg: '0',
    ...more,
  });
}

/** The same vial with a given remaining amount, by one correction. */
export function vialWith(remaining: string, more: Partial<VialWithLedger> = {}): VialWithLedger {
  const whole = vial(more);
  const mg = `-${subtract(whole.totalAmount, remaining)}`;
  const entry = { id: 'start', kind: 'correction' as const, mg, reason: null, at: whole.createdAt };
  return recalculated({ ...whole, ledger: [entry] });
}

/** Whole thousandths, so that no test depends on the arithmetic under test. */
function subtract(a: string, b: string): string {
  return String((Math.round(Number(a) * 1000) - Math.round(Number(b) * 1000)) / 1000);
}
