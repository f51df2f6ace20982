import { AppError, conflict, type FieldErrors } from '#app/domain/errors.ts';
import { changedVial, newVial } from '#app/domain/vials/describe-vial.ts';
import { isReadyMade, measureOf, type VialWithLedger, type Vial } from '#app/domain/vials/vial.ts';
import { entitlementOf, FREE_VIAL_LIMIT, type VialRoom } from '#app/domain/billing/plans.ts';
import { parseInput } from '#app/domain/forms/fields.ts';
import {
  inOneMeasure,
  vialCallSchema,
  vialChangesSchema,
  vialSchema,
  discardSchema,
  reconstituteSchema,
  remainingSchema,
  spillSchema,
  type VialChangesInput,
  type VialInput,
  type DiscardInput,
  type ReconstituteInput,
  type RemainingInput,
  type SpillInput,
} from '#app/domain/vials/vial-schema.ts';
import { VIAL_MESSAGES } from '#app/domain/vials/vial-fields.ts';
import { authorise, authoriseUser } from '#app/platform/access/authorise.server.ts';
import type { Ctx, SignedInUser } from '#app/platform/access/context.server.ts';
import { takeRows } from '#app/platform/access/row-quota.server.ts';
import { idFromKey } from '#app/platform/ids.server.ts';
import { rememberVial } from '#app/features/lots/index.server.ts';
import { recordChange } from '#app/features/webhooks/index.server.ts';
import { vialData } from '#app/domain/webhooks/webhook.ts';
import { followVialEnd } from '#app/features/schedules/index.server.ts';
import { findOwner } from '#app/platform/access/owner.server.ts';
import { changeVialOf, insertVial, vialNotFound, ownersDay, type VialOwner } from './vial-writes.server.ts';
import { Decimal } from '#app/domain/decimal/decimal.ts';
import { correctTo, discardAll, spillFrom, recalculated } from '#app/domain/vials/stock.ts';
import * as z from 'zod';
import {
  decodeCursor,
  encodeCursor,
  pageFrom,
  type Changes,
  type PageRequest,
} from '#app/platform/pagination.server.ts';
import {
  vialQuerySchema,
  VIAL_SORTS,
  type VialQuery,
  type VialQueryInput,
} from '#app/domain/vials/vial-list-schema.ts';
import { vialPosition, type VialPosition } from '#models/index.server.ts';
import { repos } from './repositories.server.ts';

interface AddOptions {
  /** Identifies one rendering of the form: submitted twice, it adds one vial. */
  idempotencyKey?: string | undefined;
  /** Require the strength, as the API does. */
  strict?: boolean;
  /** The owner's email, at the terminal. */
  ownerEmail?: string;
}

/**
 * Adds a vial. A free account can have three active ones.
 * @throws AppError INVALID_INPUT, UNAUTHENTICATED, PLAN_LIMIT
 */
export async function addVial(ctx: Ctx, input: VialInput, options: AddOptions = {}): Promise<VialWithLedger> {
  const owner = await ownerOf(ctx, options.ownerEmail);
  authorise(ctx.actor, 'vial.change', { ownerId: owner.id });
  const facts = parseInput(options.strict ? vialCallSchema : vialSchema, input);
  await requireOwnSupplier(ctx, owner.id, facts.supplierId);
  const now = ctx.now();
  const id = idFromKey('vial', now, owner.id, options.idempotencyKey);
  return ctx.transaction(async () => {
    const earlier = await repos(ctx).vials.find(owner.id, id);
    if (earlier !== null) return earlier;
    await takeRows(ctx, owner);
    return insertVial(ctx, owner, newVial(facts, { id, userId: owner.id, createdAt: now }));
  });
}

/** @throws AppError INVALID_INPUT if the supplier does not exist or belongs to somebody else */
async function requireOwnSupplier(ctx: Ctx, ownerId: string, id: string | null | undefined): Promise<void> {
  if (id == null || (await repos(ctx).suppliers.find(ownerId, id)) !== null) return;
  throw invalidFields({ supplierId: [VIAL_MESSAGES.supplierId] });
}

/**
 * One of the signed-in user's vials with its ledger.
 * @throws AppError UNAUTHENTICATED, NOT_FOUND, also for somebody else's vial
 */
export async function getVial(ctx: Ctx, id: string): Promise<VialWithLedger> {
  const user = authoriseUser(ctx.actor, 'vial.read');
  const vial = await repos(ctx).vials.find(user.id, id);
  if (vial === null) throw vialNotFound();
  return vial;
}

/**
 * Updates the description of a vial. Only the fields that are sent, and differ, change.
 * @throws AppError UNAUTHENTICATED, INVALID_INPUT, NOT_FOUND; PLAN_LIMIT when it would become active beyond the limit
 */
export async function updateVial(ctx: Ctx, id: string, input: VialChangesInput): Promise<VialWithLedger> {
  const user = authoriseUser(ctx.actor, 'vial.change');
  const measure = measureOf(await getVial(ctx, id));
  const changes = parseInput(inOneMeasure(vialChangesSchema, measure), input);
  await requireOwnSupplier(ctx, user.id, changes.supplierId);
  const change = (vial: VialWithLedger) => {
    const result = changedVial(vial, changes);
    if ('problems' in result) throw invalidFields(result.problems);
    return result.vial;
  };
  const vial = await changeVialOf(ctx, user.id, id, change, { owner: vialOwner(user) });
  if (vial === null) throw vialNotFound();
  return vial;
}

/**
 * Deletes a vial with its ledger, in one act. Doses drawn from it are kept; schedules that end with it stop.
 * @throws AppError UNAUTHENTICATED, NOT_FOUND
 */
export async function deleteVial(ctx: Ctx, id: string): Promise<void> {
  const user = authoriseUser(ctx.actor, 'vial.change');
  await ctx.transaction(async () => {
    const vial = await repos(ctx).vials.find(user.id, id);
    if (vial === null) throw vialNotFound();
    // A recall must still find the doses that were drawn from it.
    if (vial.openedAt !== null) await rememberVial(ctx, user.id, vial);
    await repos(ctx).vials.delete(user.id, id);
    await followVialEnd(ctx, user.id, id);
    await recordChange(ctx, user.id, ['vial.deleted'], vialData(vial));
  });
}

/** How many of its active vials a free account has; null if the signed-in user's plan has no limit. @throws AppError UNAUTHENTICATED */
export async function getVialRoom(ctx: Ctx): Promise<VialRoom | null> {
  const user = authoriseUser(ctx.actor, 'vial.read');
  if (vialOwner(user).isPremium) return null;
  const taken = await repos(ctx).vials.listSlots(user.id, FREE_VIAL_LIMIT);
  return { used: taken.length, limit: FREE_VIAL_LIMIT };
}

function vialOwner(user: SignedInUser): VialOwner {
  return { id: user.id, isPremium: user.entitlement.isPremium };
}

/** The signed-in user; from the terminal, the account with this email. */
async function ownerOf(ctx: Ctx, email?: string): Promise<VialOwner> {
  if (ctx.actor.kind === 'user') return vialOwner(ctx.actor);
  const owner = await findOwner(ctx, email);
  return { id: owner.id, isPremium: entitlementOf(owner, ctx).isPremium };
}

/** An INVALID_INPUT error with messages by field. */
function invalidFields(fields: FieldErrors): AppError {
  const [message = 'The input is not valid.'] = Object.values(fields).flat();
  return new AppError('INVALID_INPUT', message, { fields });
}

/** The id and time of a new ledger entry. */
interface Entry {
  id: string;
  at: Date;
}

type Change = (vial: VialWithLedger, entry: Entry) => VialWithLedger;

/** Adds one ledger entry to a vial of the signed-in user, once per submission of the form. */
async function change(ctx: Ctx, id: string, by: Change, idempotencyKey?: string): Promise<VialWithLedger> {
  const user = authoriseUser(ctx.actor, 'vial.change');
  const at = ctx.now();
  const entry = { id: idFromKey('entry', at, user.id, idempotencyKey), at };
  const vial = await changeVialOf(ctx, user.id, id, (found) => by(found, entry), { owner: vialOwner(user) });
  if (vial === null) throw vialNotFound();
  return vial;
}

function mustNotBeDiscarded(vial: VialWithLedger): void {
  if (vial.status === 'discarded')
    throw conflict('VIAL_DISCARDED', 'This vial has been discarded. Its amount cannot be changed.');
}

/**
 * Corrects the remaining amount with a ledger entry.
 * @throws AppError UNAUTHENTICATED, INVALID_INPUT below zero or above the total, NOT_FOUND; CONFLICT for a discarded
 * vial; PLAN_LIMIT when an empty one would become active beyond the limit
 */
export async function correctRemaining(
  ctx: Ctx,
  id: string,
  input: RemainingInput,
  idempotencyKey?: string,
): Promise<VialWithLedger> {
  authoriseUser(ctx.actor, 'vial.change');
  const measure = measureOf(await getVial(ctx, id));
  const { remainingAmount: remaining, reason = null } = parseInput(
    inOneMeasure(remainingSchema, measure),
    input,
  );
  const by: Change = (vial, entry) => {
    mustNotBeDiscarded(vial);
    if (new Decimal(remaining).gt(vial.totalAmount))
      throw invalidFields({
        remainingAmount: [`Remaining amount must be between 0 and ${vial.totalAmount} ${measure}`],
      });
    return correctTo(vial, { ...entry, remaining, reason });
  };
  return change(ctx, id, by, idempotencyKey);
}

/**
 * Records a loss.
 * @throws AppError UNAUTHENTICATED, INVALID_INPUT for more than is left, NOT_FOUND, CONFLICT for a discarded vial
 */
export async function spillVial(
  ctx: Ctx,
  id: string,
  input: SpillInput,
  idempotencyKey?: string,
): Promise<VialWithLedger> {
  authoriseUser(ctx.actor, 'vial.change');
  const measure = measureOf(await getVial(ctx, id));
  const { lostAmount: mg, reason = null } = parseInput(inOneMeasure(spillSchema, measure), input);
  const by: Change = (vial, entry) => {
    if (vial.ledger.some(({ id: known }) => known === entry.id)) return vial;
    mustNotBeDiscarded(vial);
    if (new Decimal(mg).gt(vial.remaining)) throw invalidFields({ lostAmount: [VIAL_MESSAGES.lost] });
    return spillFrom(vial, { ...entry, mg, reason });
  };
  return change(ctx, id, by, idempotencyKey);
}

/**
 * Discards a vial with its contents. Does nothing if it has been discarded already.
 * @throws AppError UNAUTHENTICATED, INVALID_INPUT, NOT_FOUND
 */
export async function discardVial(ctx: Ctx, id: string, input: DiscardInput = {}): Promise<VialWithLedger> {
  authoriseUser(ctx.actor, 'vial.change');
  const { reason = null } = parseInput(discardSchema, input);
  return change(ctx, id, (vial, entry) =>
    vial.status === 'discarded' ? vial : discardAll(vial, { ...entry, reason }),
  );
}

/**
 * Records that water was added to a sealed vial. The last day of use is 28 days later unless given.
 * @throws AppError UNAUTHENTICATED, INVALID_INPUT, NOT_FOUND; CONFLICT when it is not sealed
 */
export async function reconstituteVial(
  ctx: Ctx,
  id: string,
  input: ReconstituteInput,
): Promise<VialWithLedger> {
  authoriseUser(ctx.actor, 'vial.change');
  const {
    reconstitutionDate,
    waterMl = null,
    concentration = null,
    expirationDate = null,
  } = parseInput(reconstituteSchema, input);
  const strength = { waterMl, concentration: waterMl === null ? concentration : null };
  return change(ctx, id, (vial) => {
    // The same form was submitted twice.
    if (vial.reconstitutionDate === reconstitutionDate) return vial;
    if (isReadyMade(vial)) throw conflict('WRONG_STATE', VIAL_MESSAGES.notPowder);
    if (vial.reconstitutionDate !== null || vial.status === 'discarded')
      throw conflict('WRONG_STATE', 'This vial is no longer sealed.');
    return recalculated({ ...vial, ...strength, reconstitutionDate, expirationDate });
  });
}

interface VialPage extends Pick<VialQuery, 'filter' | 'sort' | 'search' | 'limit'> {
  items: Vial[];
  page: number;
  /** Today in the owner's zone, which decides what is expired. */
  day: string;
  /** Cursors of the next and previous page; null if there is none. */
  next: string | null;
  previous: string | null;
}

interface VialCursor {
  backwards: boolean;
  page: number;
  position: VialPosition;
}

const cursorShape = z.tuple([
  z.enum(VIAL_SORTS),
  z.boolean(),
  z.number().int().min(1).max(1_000_000),
  z.union([z.string().max(500), z.number()]),
  z.string().max(64),
]);

function writeCursor(vial: Vial, sort: VialQuery['sort'], backwards: boolean, page: number): string {
  const [key, id] = vialPosition(vial, sort);
  const plain = key instanceof Date ? key.getTime() : key;
  return encodeCursor([sort, backwards, page, plain, id]);
}

/** The cursor in a link; null if it cannot be read or belongs to another sort order, and the list starts at page 1. */
function readCursor(text: string | undefined, sort: VialQuery['sort']): VialCursor | null {
  const parts = decodeCursor(text, cursorShape);
  if (parts === null || parts[0] !== sort) return null;
  const [, backwards, page, key, id] = parts;
  const isNumber = sort === 'remaining' || sort === 'added';
  if ((typeof key === 'number') !== isNumber) return null;
  if (sort === 'added' && Math.abs(Number(key)) > 8.64e15) return null;
  return { backwards, page, position: [sort === 'added' ? new Date(key) : key, id] };
}

/**
 * One page of an account's vials, searched, filtered and sorted. Reads one row more than the page, to know whether there is a
 * next page without counting.
 * @throws AppError UNAUTHENTICATED, FORBIDDEN
 */
export async function listVials(ctx: Ctx, ownerId: string, input: VialQueryInput = {}): Promise<VialPage> {
  authorise(ctx.actor, 'vial.read', { ownerId });
  const { cursor: text, page: requestedPage, ...query } = vialQuerySchema.parse(input);
  const { sort, limit } = query;
  const day = await ownersDay(ctx, ownerId);
  const cursor = readCursor(text, sort);
  const backwards = cursor?.backwards ?? false;
  const read = (at: Pick<VialCursor, 'position' | 'backwards'> | null, skip: number) =>
    repos(ctx).vials.list(ownerId, {
      ...query,
      day,
      limit: limit + 1,
      skip,
      from: at?.position ?? null,
      backwards: at?.backwards ?? false,
    });
  const page = cursor?.page ?? requestedPage;
  const found = await read(cursor, cursor ? 0 : (page - 1) * limit);
  const more = found.length > limit;
  const items = backwards ? found.slice(more ? 1 : 0) : found.slice(0, limit);
  const [first, last] = [items[0], items.at(-1)];
  const hasNext = backwards || more;
  const hasPrevious = backwards ? more : page > 1;
  return {
    ...query,
    items,
    page: hasPrevious ? page : 1,
    day,
    next: last && hasNext ? writeCursor(last, sort, false, page + 1) : null,
    previous: first && hasPrevious ? writeCursor(first, sort, true, Math.max(1, page - 1)) : null,
  };
}

/** What a list is sorted by. */
const PLACE_KINDS = { expiry: 'text', name: 'text', remaining: 'number', added: 'instant' } as const;

/**
 * A page for the API.
 * @throws AppError UNAUTHENTICATED, FORBIDDEN, INVALID_INPUT
 */
export async function pageOfVials(
  ctx: Ctx,
  ownerId: string,
  {
    page,
    limit,
    cursor,
    updatedSince,
    ...input
  }: PageRequest & Changes & Pick<VialQueryInput, 'sort' | 'search' | 'filter'>,
) {
  authorise(ctx.actor, 'vial.read', { ownerId });
  const query = {
    ...vialQuerySchema.parse({ filter: 'all', sort: 'added', ...input }),
    updatedSince,
  };
  const day = await ownersDay(ctx, ownerId);
  const { items, paging } = await pageFrom<Vial>(
    { page, limit, cursor },
    {
      name: `compounds by ${query.sort}`,
      kinds: [PLACE_KINDS[query.sort], 'text'],
      placeOf: (vial) => vialPosition(vial, query.sort),
      read: ({ after, ...slice }) => {
        const from = (after ?? null) as VialPosition | null;
        return repos(ctx).vials.list(ownerId, { ...query, day, ...slice, from, backwards: false });
      },
      count: () => repos(ctx).vials.count(ownerId, { ...query, day }),
    },
  );
  return { items, day, paging };
}
