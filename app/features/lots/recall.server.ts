import { AppError } from '#app/domain/errors.ts';
import { Decimal } from '#app/domain/decimal/decimal.ts';
import { lotKeys } from '#app/domain/lots/lot.ts';
import { lotSum, type RecalledDose, type TakenFromLot } from '#app/domain/lots/recalled-dose.ts';
import type { Vial } from '#app/domain/vials/vial.ts';
import type { DoseRecord, LotRecord } from '#models/index.server.ts';
import { authorise } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { pageFrom, type PageRequest } from '#app/platform/pagination.server.ts';
import { repos } from './repositories.server.ts';

type LotDose = RecalledDose<DoseRecord>;

/** A lot's present and deleted vials. */
export interface Recall {
  /** More than one if different compounds or suppliers share the number. */
  lots: LotRecord[];
  /** The vials that belong to it now. */
  vials: Vial[];
  /** Their ids, and those of deleted vials that were drawn from. */
  vialIds: string[];
}

/**
 * Finds a lot by its id, or every lot with a number.
 * @throws AppError UNAUTHENTICATED, FORBIDDEN, NOT_FOUND if the owner has never had such a lot
 */
export async function findRecall(ctx: Ctx, ownerId: string, idOrNumber: string): Promise<Recall> {
  authorise(ctx.actor, 'vial.read', { ownerId });
  const byId = await repos(ctx).lots.find(ownerId, idOrNumber);
  const { numberKey } = lotKeys({ number: idOrNumber, product: '' });
  const lots = byId === null ? await repos(ctx).lots.findByNumber(ownerId, numberKey) : [byId];
  if (lots.length === 0) throw new AppError('NOT_FOUND', 'You have never had a lot with this number.');
  const vials = await repos(ctx).vials.listOfLots(
    ownerId,
    lots.map(({ id }) => id),
  );
  const known = new Set(vials.map(({ id }) => id));
  const former = [...new Set(lots.flatMap(({ formerVials }) => formerVials))].filter((id) => !known.has(id));
  // A deleted vial that was imported again now names its own lot.
  const there = new Set((await repos(ctx).vials.listById(ownerId, former)).map(({ id }) => id));
  return { lots, vials, vialIds: [...known, ...former.filter((id) => !there.has(id))] };
}

/** The mg of a dose that came from the vials. */
function mgFrom({ draws }: DoseRecord, vialIds: ReadonlySet<string>): string {
  return draws
    .filter(({ compoundId }) => vialIds.has(compoundId))
    .reduce((sum, { mg }) => sum.plus(mg), new Decimal(0))
    .toFixed();
}

/**
 * A page of the doses that came from a lot, latest first. The cost depends only on the number of doses from the lot.
 * @throws AppError UNAUTHENTICATED, FORBIDDEN, INVALID_INPUT
 */
export async function recalledDoses(
  ctx: Ctx,
  ownerId: string,
  { vialIds }: Recall,
  request: PageRequest,
): Promise<{ doses: LotDose[]; page: number; limit: number; total: number; next: string | null }> {
  authorise(ctx.actor, 'vial.read', { ownerId });
  let found = 0;
  const { items, paging } = await pageFrom<DoseRecord>(request, {
    name: 'doses of a lot',
    kinds: ['instant', 'text'],
    placeOf: ({ takenAt, dueDate, id }) => [takenAt ?? dueDate, id],
    async read(slice) {
      const { doses, total } = await repos(ctx).doses.listDrawnFrom(ownerId, vialIds, slice);
      found = total;
      return doses;
    },
    count: () => Promise.resolve(found),
  });
  const ids = new Set(vialIds);
  return { doses: items.map((dose) => ({ dose, mg: mgFrom(dose, ids) })), ...paging };
}

/** All doses that came from a lot, in batches. @throws AppError UNAUTHENTICATED, FORBIDDEN */
export function allRecalledDoses(ctx: Ctx, ownerId: string, { vialIds }: Recall): AsyncIterable<LotDose[]> {
  authorise(ctx.actor, 'vial.read', { ownerId });
  return withAmounts(repos(ctx).doses.streamDrawnFrom(ownerId, vialIds), new Set(vialIds));
}

async function* withAmounts(
  batches: AsyncIterable<DoseRecord[]>,
  vialIds: ReadonlySet<string>,
): AsyncGenerator<LotDose[]> {
  for await (const batch of batches) yield batch.map((dose) => ({ dose, mg: mgFrom(dose, vialIds) }));
}

/** The total taken from a lot, by component. @throws AppError UNAUTHENTICATED, FORBIDDEN */
export async function takenFromLot(ctx: Ctx, ownerId: string, recall: Recall): Promise<TakenFromLot> {
  authorise(ctx.actor, 'vial.read', { ownerId });
  const sum = lotSum();
  for await (const batch of allRecalledDoses(ctx, ownerId, recall)) batch.forEach(sum.add);
  return sum.sum();
}
