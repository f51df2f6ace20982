import { vialNameKey } from '#app/domain/vials/vial.ts';

/**
 * What a laboratory found in a lot. Purity, content and identity are three different things: how much of the peptide
 * mass is the peptide that is named, how much of it is in a vial, and whether it is that peptide at all.
 */
export interface Certificate {
  /** Decimal text, percent of the peptide mass; null when it was not tested. */
  purityPercent: string | null;
  /** Decimal text, mg of peptide measured in one vial; null when it was not tested. */
  netContentMg: string | null;
  /** How identity was established, such as "LC-MS"; null when it was not tested. */
  identityMethod: string | null;
  laboratory: string | null;
  /** Calendar day of the test. */
  testedOn: string | null;
  /** What the laboratory's own page asks for to show its report. */
  reportKey: string | null;
  /** Web address of the report. */
  reportUrl: string | null;
}

/** The fields of a certificate, in the order in which they are shown. */
export const CERTIFICATE_FIELDS = [
  'purityPercent',
  'netContentMg',
  'identityMethod',
  'laboratory',
  'testedOn',
  'reportKey',
  'reportUrl',
] as const satisfies readonly (keyof Certificate)[];

/** What tells a lot from its owner's others: number, product and supplier. */
export interface LotIdentity {
  /** As printed on the vial. */
  number: string;
  /** Name of the compound. */
  product: string;
  /** Null while it is not known where it was bought. */
  supplierId: string | null;
}

/** The number and the product as lots are compared by: case, spaces and Unicode forms make no difference. */
export function lotKeys({ number, product }: Pick<LotIdentity, 'number' | 'product'>): {
  numberKey: string;
  productKey: string;
} {
  return { numberKey: vialNameKey(number), productKey: vialNameKey(product) };
}

/**
 * The lot that a vial belongs to, among its owner's lots with the vial's number and product. A supplier that is not known,
 * of the vial or of the lot, may be any; two that are known must be the same.
 * @returns null when it belongs to none of them
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
