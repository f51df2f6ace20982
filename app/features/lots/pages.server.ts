import { controlTexts } from '#app/domain/forms/fields.ts';
import { lotDetailsOf } from '#app/domain/lots/lot-schema.ts';
import { takenText } from '#app/domain/lots/recalled-dose.ts';
import { lotDetail, lotRow, measuredVial, printedAmount } from '#app/domain/lots/lot-texts.ts';
import { PAGE_SIZE, pageWithin, pagingSchema } from '#app/domain/forms/paging.ts';
import { substanceUnitOf } from '#app/domain/calculator/calculation.ts';
import { doseWords } from '#app/domain/vials/contents.ts';
import { shownInstant, calendarDay } from '#app/domain/time/zoned-time.ts';
import { MAX_DOCUMENTS_EACH, documentView } from '#app/domain/vendors/document-schema.ts';
import { authoriseUser } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { listPages } from '#app/platform/http/addresses.ts';
import type { UserPageArgs } from '#app/platform/http/route-handlers.server.ts';
import { getLot, listLots, type LotWithVials } from './lots.server.ts';
import { findRecall, recalledDoses, takenFromLot } from './recall.server.ts';
import { repos } from './repositories.server.ts';

/** Doses on a page of a recall. */
const DOSES_ON_PAGE = 100;

/** The most suppliers that the form offers. */
const MAX_SUPPLIERS = 200;

/** Data for the list of lots. */
export async function readLotList({ ctx, user, url }: UserPageArgs) {
  const paging = pagingSchema.parse({ page: url.searchParams.get('page') ?? 1, limit: PAGE_SIZE });
  const total = await repos(ctx).lots.count(user.id);
  const { skip: _skip, ...place } = pageWithin(paging, total);
  const { lots } = await listLots(ctx, place);
  const day = calendarDay(ctx.now(), ctx.timeZone);
  const rows = lots.map(({ lot, vials }) => lotRow(lot, vials, day));
  return { rows, pages: listPages(url, { ...place, items: rows }) };
}

/** Data for the page of a lot. @throws AppError NOT_FOUND */
export async function readLotPage({ ctx, user, params }: UserPageArgs) {
  const { lot, vials } = await getLot(ctx, params['id'] ?? '');
  const taken = await takenFromLot(ctx, user.id, await findRecall(ctx, user.id, lot.id));
  const { isPremium } = user.entitlement;
  const [first] = vials;
  const measured =
    first === undefined || printedAmount(vials) === null
      ? null
      : measuredVial(lot, { ...first, name: lot.product, waterMl: null });
  return {
    title: `Lot ${lot.number}, ${lot.product}`,
    view: {
      lot: lotDetail(lot, vials, calendarDay(ctx.now(), ctx.timeZone)),
      taken: takenText(taken),
      measured,
      doseUnit: user.doseUnit,
      papers: lot.papers.map((document) => documentView(document, user.timeZone)),
      canAddDocument: lot.papers.length < MAX_DOCUMENTS_EACH,
      ...(!isPremium && { locked: 'Adding documents is part of Premium.' }),
      orderHref: lot.orderId === null || !isPremium ? null : `/dashboard/vendors/orders/${lot.orderId}`,
    },
  };
}

/** Data for the page of a lot's doses. @throws AppError NOT_FOUND */
export async function readLotDoses({ ctx, user, params, url }: UserPageArgs) {
  const { lot } = await getLot(ctx, params['id'] ?? '');
  const recall = await findRecall(ctx, user.id, lot.id);
  const paging = pagingSchema.parse({ page: url.searchParams.get('page') ?? 1, limit: DOSES_ON_PAGE });
  const { doses, total } = await recalledDoses(ctx, user.id, recall, paging);
  const { skip: _skip, ...place } = pageWithin(paging, total);
  const rows = doses.map(({ dose, mg }) => {
    const at = dose.takenAt ?? dose.dueDate;
    const when = shownInstant(at, user.timeZone);
    const amount = doseWords(mg, substanceUnitOf(dose.doseUnit), dose.drawn);
    return { id: dose.id, at: at.toISOString(), when, name: dose.name, amount, notes: dose.notes };
  });
  return {
    id: lot.id,
    title: `Doses from lot ${lot.number}`,
    product: lot.product,
    total,
    doses: {
      rows,
      pages: listPages(url, { ...place, items: rows }),
      hasDosePages: user.entitlement.isPremium,
    },
  };
}

/**
 * The suppliers to choose from for a lot.
 * @param lot the lot being edited: its supplier is included even if deleted
 * @throws AppError UNAUTHENTICATED
 */
export async function suppliersForLots(
  ctx: Ctx,
  lot?: LotWithVials['lot'],
): Promise<{ id: string; name: string }[]> {
  const user = authoriseUser(ctx.actor, 'vial.read');
  const suppliers = await repos(ctx).suppliers.list(user.id, MAX_SUPPLIERS);
  const known = suppliers.map(({ id, name }) => ({ id, name }));
  if (lot?.supplierId == null || known.some(({ id }) => id === lot.supplierId)) return known;
  return [...known, { id: lot.supplierId, name: lot.supplierName ?? 'Deleted supplier' }];
}

/** Initial values of a lot's form. */
export const lotValues = ({ lot }: LotWithVials) =>
  controlTexts({ number: lot.number, product: lot.product, ...lotDetailsOf(lot) });
