import { Decimal, nearestDouble, ratio } from '#app/domain/decimal/decimal.ts';
import type { Vial } from '#app/domain/vials/vial.ts';
import type { OrderDocument } from '#app/domain/vendors/document-schema.ts';
import { lotDetailsOf } from './lot-schema.ts';
import { amountsOf, type LotFacts } from './lot-texts.ts';

const number = (text: string): number => nearestDouble(ratio(new Decimal(text)));
const numberOrNull = (text: string | null): number | null => (text === null ? null : number(text));

interface StoredLot extends LotFacts {
  orderId: string | null;
  papers: readonly OrderDocument[];
  createdAt: Date;
}

/** A lot with its vials for the API and the terminal: amounts are numbers in the unit of its vials. */
export function lotView(lot: StoredLot, vials: readonly Vial[]) {
  const { totalMg, leftMg } = amountsOf(vials);
  return {
    id: lot.id,
    number: lot.number,
    product: lot.product,
    ...lotDetailsOf(lot),
    supplierId: lot.supplierId,
    supplierName: lot.supplierName,
    purityPercent: numberOrNull(lot.purityPercent),
    netContentMg: numberOrNull(lot.netContentMg),
    orderId: lot.orderId,
    papers: lot.papers.map(({ id, fileName, contentType, bytes, addedAt }) => ({
      ...{ id, fileName, contentType, bytes, addedAt },
    })),
    vials: vials.map((vial) => ({
      id: vial.id,
      remainingAmount: number(amountsOf([vial]).leftMg),
      totalAmount: number(vial.totalAmount),
    })),
    totalAmount: number(totalMg),
    remainingAmount: number(leftMg),
    createdAt: lot.createdAt,
  };
}

export type LotView = ReturnType<typeof lotView>;

const textOf = (amount: number | null): string | null =>
  amount === null ? null : new Decimal(amount).toFixed();

/** What is told about the lot of a view. */
export const lotOfView = ({
  purityPercent,
  netContentMg,
  ...lot
}: Omit<LotView, 'papers' | 'createdAt'>): LotFacts => ({
  ...lot,
  purityPercent: textOf(purityPercent),
  netContentMg: textOf(netContentMg),
});
