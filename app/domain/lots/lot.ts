import { vialNameKey } from '#app/domain/vials/vial.ts';

/** What identifies a lot among its owner's: number, product and supplier. */
export interface LotIdentity {
  /** As printed on the vial. */
  number: string;
  /** Name of the compound. */
  product: string;
  /** Null if it is not known where it was bought. */
  supplierId: string | null;
}

/** The keys by which lots are compared, which ignore case, spacing and Unicode forms. */
export function lotKeys({ number, product }: Pick<LotIdentity, 'number' | 'product'>): {
  numberKey: string;
  productKey: string;
} {
  return { numberKey: vialNameKey(number), productKey: vialNameKey(product) };
}

/**
 * The lot that a vial belongs to, among the owner's lots with its number and product. If both suppliers are known they must be
 * the same; an unknown one matches any.
 * @returns null if it belongs to none of them
 */
export function lotOfVial<L extends Pick<LotIdentity, 'supplierId'>>(
  lots: readonly L[],
  supplierId: string | null,
): L | null {
  const same = lots.find((lot) => lot.supplierId === supplierId);
  if (same !== undefined) return same;
  if (supplierId !== null) return lots.find((lot) => lot.supplierId === null) ?? null;
  return lots.length === 1 ? (lots[0] ?? null) : null;
}
