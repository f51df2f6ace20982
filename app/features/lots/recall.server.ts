import { AppError } from '#app/domain/errors.ts';
import { Decimal } from '#app/domain/decimal/decimal.ts';
import { lotKeys } from '#app/domain/lots/lot.ts';
import { lotSum, type RecalledDose, type TakenFromLot } from '#app/domain/lots/recalled-dose.ts';
import type { Vial } from '#app/domain/vials/vial.ts';
import type { DoseRecord, LotRecord } from '#models/index.server.ts';
import { authorise } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';

type LotDose = RecalledDose<DoseRecord>;

/** Where a lot is and was. */
export interface Recall {
  /** Several when a number stands on different compounds or came from different suppliers. */
  lots: LotRecord[];
  /** The vials that carry it now. */
  vials: Vial[];
  /** Those, and the deleted ones that something was drawn from. */
  vialIds: string[];
}

/**
 * Finds a lot by its id, or every lot with a number.
 * @throws AppError UNAUTHENTICATED, FORBIDDEN, NOT_FOUND for a lot that the owner never had
 */
export async function findRecall(ctx: Ctx, ownerId: string, idOrNumber: string): Promise<Recall> {
  authorise(ctx.actor, 'vial.read', { ownerId });
  const byId = await ctx.repos.lots.find(ownerId, idOrNumber);
  const { numberKey } = lotKeys({ number: idOrNumber, product: '' });
  const lots = byId === null ? await ctx.repos.lots.findByNumber(ownerId, numberKey) : [byId];
  if (lots.length === 0) throw new AppError('NOT_FOUND', 'You never had a lot with this number.');
  const vials = await ctx.repos.compounds.listOfLots(
    ownerId,
    lots.map(({ id }) => id),
  );
  const known = new Set(vials.map(({ id }) => id));
  const former = [...new Set(lots.flatMap(({ formerVials }) => formerVials))].filter((id) => !known.has(id));
  // One that was brought in again says itself which lot it is of.
  const there = new Set((await ctx.repos.compounds.listById(ownerId, former)).map(({ id }) => id));
  return { lots, vials, vialIds: [...known, ...former.filter((id) => !there.has(id))] };
}

/** mg of a dose that came from some vials. */
function mgFrom({ draws }: DoseRecord, vialIds: ReadonlySet<string>): string {
  return draws
    .filter(({ compoundId }) => vialIds.has(compoundId))
    .reduce((sum, { mg }) => sum.plus(mg), new Decimal(0))
    .toFixed();
}

/**
 * A page of the doses that came from a lot, the latest first. It costs as much as the lot has doses, however many others
 * there are.
 * @throws AppError UNAUTHENTICATED, FORBIDDEN
 */
export async function recalledDoses(
  ctx: Ctx,
  ownerId: string,
  { vialIds }: Recall,
  { page, limit }: { page: number; limit: number },
): Promise<{ doses: LotDose[]; total: number }> {
  authorise(ctx.actor, 'vial.read', { ownerId });
  const place = { skip: (page - 1) * limit, limit };
  const { doses, total } = await ctx.repos.doses.listDrawnFrom(ownerId, vialIds, place);
  const ids = new Set(vialIds);
  return { doses: doses.map((dose) => ({ dose, mg: mgFrom(dose, ids) })), total };
}

/** All of them, a batch at a time. @throws AppError UNAUTHENTICATED, FORBIDDEN */
export function allRecalledDoses(ctx: Ctx, ownerId: string, { vialIds }: Recall): AsyncIterable<LotDose[]> {
  authorise(ctx.actor, 'vial.read', { ownerId });
  return withAmounts(ctx.repos.doses.streamDrawnFrom(ownerId, vialIds), new Set(vialIds));
}

async function* withAmounts(
  batches: AsyncIterable<DoseRecord[]>,
  vialIds: ReadonlySet<string>,
): AsyncGenerator<LotDose[]> {
  for await (const batch of batches) yield batch.map((dose) => ({ dose, mg: mgFrom(dose, vialIds) }));
}

/** What was taken from a lot in all, of each component. @throws AppError UNAUTHENTICATED, FORBIDDEN */
export async function takenFromLot(ctx: Ctx, ownerId: string, recall: Recall): Promise<TakenFromLot> {
  authorise(ctx.actor, 'vial.read', { ownerId });
  const sum = lotSum();
  for await (const batch of allRecalledDoses(ctx, ownerId, recall)) batch.forEach(sum.add);
  return sum.sum();
}
