import { lotKeys, lotOfVial } from '#app/domain/lots/lot.ts';
import { authorise } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { newId } from '#app/platform/ids.server.ts';

/** What a vial says of its lot. */
export interface LotMention {
  name: string;
  lot: string | null;
  supplierId: string | null;
}

/** What is known of a lot that is made because a vial names it. */
export interface NewLotFacts {
  /** The parcel it came in, and what was printed on its vials. */
  orderId?: string;
  expirationDate?: string | null;
  /** The import that brought the vial in. */
  importId?: string;
}

/**
 * The lot that a vial's number, name and supplier mean; made when the owner has none like that.
 * @returns its id; null when the vial names no lot
 * @throws AppError UNAUTHENTICATED, FORBIDDEN
 */
export async function linkLot(
  ctx: Ctx,
  ownerId: string,
  { name, lot: number, supplierId }: LotMention,
  facts: NewLotFacts = {},
): Promise<string | null> {
  authorise(ctx.actor, 'vial.change', { ownerId });
  if (number === null || number.trim() === '') return null;
  const { lots } = ctx.repos;
  const keys = lotKeys({ number, product: name });
  const find = async () =>
    lotOfVial(await lots.findByNumber(ownerId, keys.numberKey, keys.productKey), supplierId);
  const known = await find();
  if (known !== null) return known.id;
  const supplier = supplierId === null ? null : await ctx.repos.suppliers.find(ownerId, supplierId);
  const id = `lot_${newId(ctx.now())}`;
  const isNew = await lots.create({
    _id: id,
    userId: ownerId,
    number: number.trim(),
    product: name,
    ...keys,
    supplierId,
    supplierName: supplier?.name ?? null,
    supplierKey: supplierId ?? '',
    expirationDate: facts.expirationDate ?? null,
    purityPercent: null,
    netContentMg: null,
    identityMethod: null,
    laboratory: null,
    testedOn: null,
    reportKey: null,
    reportUrl: null,
    notes: null,
    orderId: facts.orderId ?? null,
    papers: [],
    formerVials: [],
    createdAt: ctx.now(),
    ...(facts.importId !== undefined && { importId: facts.importId }),
  });
  if (isNew) {
    await ctx.repos.rowQuota.add(ownerId, 1);
    return id;
  }
  // Somebody made it at the same moment.
  return (await find())?.id ?? null;
}

/**
 * Remembers a vial that is about to be deleted, so that the doses drawn from it are still found by its lot.
 * @throws AppError UNAUTHENTICATED, FORBIDDEN
 */
export async function rememberVial(
  ctx: Ctx,
  ownerId: string,
  vial: { id: string; lotId?: string | null },
): Promise<void> {
  authorise(ctx.actor, 'vial.change', { ownerId });
  if (vial.lotId != null) await ctx.repos.lots.addFormerVial(ownerId, vial.lotId, vial.id);
}
