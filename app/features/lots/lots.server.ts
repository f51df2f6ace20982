import { conflict, AppError, fieldError } from '#app/domain/errors.ts';
import { lotKeys, lotOfVial } from '#app/domain/lots/lot.ts';
import { measureOfLot } from '#app/domain/lots/lot-texts.ts';
import {
  contentIn,
  LOT_MESSAGES,
  lotChangesSchema,
  lotDetailsOf,
  lotSchema,
  type LotChanges,
  type LotChangesInput,
  type LotInput,
} from '#app/domain/lots/lot-schema.ts';
import { parseInput } from '#app/domain/forms/fields.ts';
import type { OrderDocument } from '#app/domain/vendors/document-schema.ts';
import type { Vial } from '#app/domain/vials/vial.ts';
import type { LotRecord } from '#models/index.server.ts';
import { authorisePremiumUser, authoriseUser, authorise } from '#app/platform/access/authorise.server.ts';
import { pageFrom, type PageRequest } from '#app/platform/pagination.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { takeRows } from '#app/platform/access/row-quota.server.ts';
import {
  addDocument,
  deleteDocument,
  readStoredDocument,
  type SentDocument,
  type StoredDocument,
} from '#app/platform/files/documents.server.ts';
import { documentStorage, releaseFilesOf } from '#app/platform/files/storage-quota.server.ts';
import { idFromKey, newId } from '#app/platform/ids.server.ts';
import { recordChange } from '#app/features/webhooks/index.server.ts';
import { vialData } from '#app/domain/webhooks/webhook.ts';
import { repos } from './repositories.server.ts';

/** A lot with the vials that belong to it now. */
export interface LotWithVials {
  lot: LotRecord;
  vials: Vial[];
}

const noLot = () => new AppError('NOT_FOUND', 'Lot not found.');
const taken = () => conflict('ALREADY_EXISTS', LOT_MESSAGES.exists);

async function withVials(ctx: Ctx, ownerId: string, lots: readonly LotRecord[]): Promise<LotWithVials[]> {
  const vials = await repos(ctx).vials.listOfLots(
    ownerId,
    lots.map(({ id }) => id),
  );
  return lots.map((lot) => ({ lot, vials: vials.filter(({ lotId }) => lotId === lot.id) }));
}

/**
 * A page of the signed-in user's lots, newest first, each with its vials.
 * @throws AppError UNAUTHENTICATED, INVALID_INPUT
 */
export async function listLots(ctx: Ctx, request: PageRequest) {
  const user = authoriseUser(ctx.actor, 'vial.read');
  const { items, paging } = await pageFrom<LotRecord>(request, {
    name: 'lots',
    kinds: ['instant', 'text'],
    placeOf: ({ createdAt, id }) => [createdAt, id],
    read: (slice) => repos(ctx).lots.page(user.id, slice),
    count: () => repos(ctx).lots.count(user.id),
  });
  return { lots: await withVials(ctx, user.id, items), paging };
}

/** One of the signed-in user's lots with its vials. @throws AppError UNAUTHENTICATED, NOT_FOUND */
export async function getLot(ctx: Ctx, id: string): Promise<LotWithVials> {
  const user = authoriseUser(ctx.actor, 'vial.read');
  const lot = await repos(ctx).lots.find(user.id, id);
  if (lot === null) throw noLot();
  const [found] = await withVials(ctx, user.id, [lot]);
  return found ?? { lot, vials: [] };
}

/** The supplier's fields on a lot. @throws AppError INVALID_INPUT if the owner has no such supplier */
async function supplierOf(ctx: Ctx, ownerId: string, id: string | null) {
  if (id === null) return { supplierId: null, supplierName: null, supplierKey: '' };
  const supplier = await repos(ctx).suppliers.find(ownerId, id);
  if (supplier === null) throw fieldError('supplierId', LOT_MESSAGES.supplierId);
  return { supplierId: id, supplierName: supplier.name, supplierKey: id };
}

/** The content of a vial in the unit of the lot's vials, if one was sent. @throws AppError INVALID_INPUT */
const contentOf = ({ netContentMg }: LotChanges, vials: readonly Vial[]) =>
  typeof netContentMg === 'string' ? { netContentMg: contentIn(measureOfLot(vials), netContentMg) } : {};

/**
 * Adds a lot.
 * @param idempotencyKey identifies one rendering of the form: submitted twice, it adds one lot
 * @throws AppError UNAUTHENTICATED, INVALID_INPUT, PLAN_LIMIT if the account is full, CONFLICT if the owner already has a lot
 *   with this number, compound and supplier
 */
export async function addLot(ctx: Ctx, input: LotInput, idempotencyKey?: string): Promise<LotWithVials> {
  const user = authoriseUser(ctx.actor, 'vial.change');
  const fields = parseInput(lotSchema, input);
  const now = ctx.now();
  const id = idFromKey('lot', now, user.id, idempotencyKey);
  const supplier = await supplierOf(ctx, user.id, fields.supplierId ?? null);
  const owner = { id: user.id, isPremium: user.entitlement.isPremium };
  await takeRows(ctx, owner, { findEarlier: () => repos(ctx).lots.find(user.id, id) });
  const isNew = await repos(ctx).lots.create({
    _id: id,
    userId: user.id,
    number: fields.number,
    product: fields.product,
    ...lotKeys(fields),
    ...lotDetailsOf(fields),
    ...contentOf(fields, []),
    ...supplier,
    orderId: null,
    papers: [],
    formerVials: [],
    createdAt: now,
  });
  if (!isNew && (await repos(ctx).lots.find(user.id, id)) === null) throw taken();
  return getLot(ctx, id);
}

/**
 * Updates a lot. Only the fields that are sent change; its vials get its new number.
 * @throws AppError UNAUTHENTICATED, INVALID_INPUT, NOT_FOUND, CONFLICT if another lot has this number, compound and
 *   supplier
 */
export async function updateLot(ctx: Ctx, id: string, input: LotChangesInput): Promise<LotWithVials> {
  const user = authoriseUser(ctx.actor, 'vial.change');
  const { supplierId, ...changes } = parseInput(lotChangesSchema, input);
  const { lot, vials } = await getLot(ctx, id);
  const sent = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  const facts = { ...sent, ...contentOf(changes, vials) };
  const identity = { number: changes.number ?? lot.number, product: changes.product ?? lot.product };
  const isOther = supplierId !== undefined && supplierId !== lot.supplierId;
  const supplier = isOther ? await supplierOf(ctx, user.id, supplierId) : {};
  await ctx.transaction(async () => {
    const keys = lotKeys(identity);
    const namesakes = await repos(ctx).lots.findByNumber(user.id, keys.numberKey, keys.productKey);
    const from = isOther ? supplierId : lot.supplierId;
    if (namesakes.some((other) => other.id !== id && other.supplierId === from)) throw taken();
    const updated = await repos(ctx).lots.update(user.id, id, { ...facts, ...keys, ...supplier });
    if (updated === null) throw noLot();
    await repos(ctx).vials.renumberLot(user.id, id, updated.number);
    if (updated.number !== lot.number)
      for (const vial of vials) await recordChange(ctx, user.id, ['vial.updated'], vialData(vial));
  });
  return getLot(ctx, id);
}

/**
 * Deletes a lot with its documents. Refused while it has vials, because their doses could no longer be found by lot.
 * @throws AppError UNAUTHENTICATED, NOT_FOUND, CONFLICT
 */
export async function deleteLot(ctx: Ctx, id: string): Promise<void> {
  const user = authoriseUser(ctx.actor, 'vial.change');
  await ctx.transaction(async () => {
    if ((await repos(ctx).vials.countOfLot(user.id, id)) > 0)
      throw conflict('WRONG_STATE', LOT_MESSAGES.inUse);
    if ((await repos(ctx).lots.delete(user.id, id)) === null) throw noLot();
    await releaseFilesOf(documentStorage(ctx), user.id, id);
  });
}

/**
 * Adds a certificate of analysis to one of the signed-in user's lots.
 * @throws AppError PREMIUM_REQUIRED, NOT_FOUND, UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE, INVALID_INPUT, CONFLICT if there is
 *   no room for more, RATE_LIMITED
 */
export async function addLotDocument(ctx: Ctx, lotId: string, sent: SentDocument): Promise<OrderDocument> {
  const user = authorisePremiumUser(ctx.actor, 'vendor.manage');
  const { lot } = await getLot(ctx, lotId);
  return addDocument(ctx, user.id, repos(ctx).lotDocuments, lot, sent);
}

/** A document of one of the signed-in user's lots. @throws AppError PREMIUM_REQUIRED, NOT_FOUND */
export async function readLotDocument(ctx: Ctx, lotId: string, documentId: string): Promise<StoredDocument> {
  const user = authorisePremiumUser(ctx.actor, 'vendor.manage');
  return readStoredDocument(ctx, user.id, await repos(ctx).lots.find(user.id, lotId), documentId);
}

/** @throws AppError PREMIUM_REQUIRED, NOT_FOUND */
export async function deleteLotDocument(ctx: Ctx, lotId: string, documentId: string): Promise<void> {
  const user = authorisePremiumUser(ctx.actor, 'vendor.manage');
  await deleteDocument(ctx, user.id, repos(ctx).lotDocuments, lotId, documentId);
}

/** A vial's fields that identify its lot. */
interface LotMention {
  name: string;
  lot: string | null;
  supplierId: string | null;
}

/** Facts for a lot that is created because a vial names it. */
interface NewLotFacts {
  /** The order it came with, and the date printed on its vials. */
  orderId?: string;
  expirationDate?: string | null;
  /** The import that added the vial. */
  importId?: string;
}

/**
 * Finds the lot for a vial's lot number, name and supplier, or creates it.
 * @returns its id; null if the vial has no lot number
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
  const { lots } = repos(ctx);
  const keys = lotKeys({ number, product: name });
  const find = async () =>
    lotOfVial(await lots.findByNumber(ownerId, keys.numberKey, keys.productKey), supplierId);
  const known = await find();
  if (known !== null) return known.id;
  const supplier = supplierId === null ? null : await repos(ctx).suppliers.find(ownerId, supplierId);
  const id = `lot_${newId(ctx.now())}`;
  const isNew = await lots.create({
    _id: id,
    userId: ownerId,
    number: number.trim(),
    product: name,
    ...keys,
    ...lotDetailsOf({ supplierId, expirationDate: facts.expirationDate }),
    supplierName: supplier?.name ?? null,
    supplierKey: supplierId ?? '',
    orderId: facts.orderId ?? null,
    papers: [],
    formerVials: [],
    createdAt: ctx.now(),
    ...(facts.importId !== undefined && { importId: facts.importId }),
  });
  if (isNew) {
    await repos(ctx).rowQuota.add(ownerId, 1);
    return id;
  }
  // Another request created it at the same time.
  return (await find())?.id ?? null;
}

/**
 * Remembers a vial that is about to be deleted, so that its doses can still be found by lot.
 * @throws AppError UNAUTHENTICATED, FORBIDDEN
 */
export async function rememberVial(
  ctx: Ctx,
  ownerId: string,
  vial: { id: string; lotId?: string | null },
): Promise<void> {
  authorise(ctx.actor, 'vial.change', { ownerId });
  if (vial.lotId != null) await repos(ctx).lots.addFormerVial(ownerId, vial.lotId, vial.id);
}
