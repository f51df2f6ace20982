import { AppError, isAppError, conflict, type FieldErrors } from '#app/domain/errors.ts';
import { changedVial, newVial } from '#app/domain/vials/describe-vial.ts';
import type { VialWithLedger, Vial } from '#app/domain/vials/vial.ts';
import { entitlementOf } from '#app/domain/billing/plans.ts';
import { parseInput } from '#app/domain/forms/fields.ts';
import {
  vialCallSchema,
  vialChangesSchema,
  vialSchema,
  VIAL_MESSAGES,
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
import { authorise, authoriseUser } from '#app/platform/access/authorise.server.ts';
import type { Ctx, SignedInUser } from '#app/platform/access/context.server.ts';
import { takeRows } from '#app/platform/access/row-quota.server.ts';
import { idFromKey } from '#app/platform/ids.server.ts';
import { rememberVial } from '#app/features/lots/index.server.ts';
import { expectVialEnd, followVialEnd } from '#app/features/schedules/index.server.ts';
import { findOwner } from '#app/platform/access/owner.server.ts';
import {
  changeVialOf,
  freePlace,
  insertVial,
  vialNotFound,
  ownersDay,
  type VialOwner,
} from './vial-writes.server.ts';
import { Decimal } from '#app/domain/decimal/decimal.ts';
import { correctTo, discardAll, spillFrom, recalculated } from '#app/domain/vials/stock.ts';
import * as z from 'zod';
import { decodeCursor, encodeCursor } from '#app/platform/pagination.server.ts';
import {
  vialQuerySchema,
  VIAL_SORTS,
  type VialQuery,
  type VialQueryInput,
} from '#app/domain/vials/vial-list-schema.ts';
import { vialPosition, type VialPosition } from '#models/index.server.ts';

interface AddOptions {
  /** Identifies one submission of the form: sent twice, it adds one vial. */
  idempotencyKey?: string | undefined;
  /** The strength must be told: a call of a program always knows it. */
  strict?: boolean;
  /** At the terminal: whose vial it is. */
  ownerEmail?: string;
}

/**
 * Adds a vial. A free account has room for three active ones.
 * @throws AppError INVALID_INPUT, UNAUTHENTICATED, PLAN_LIMIT
 */
export async function addVial(ctx: Ctx, input: VialInput, options: AddOptions = {}): Promise<VialWithLedger> {
  const owner = await ownerOf(ctx, options.ownerEmail);
  authorise(ctx.actor, 'vial.change', { ownerId: owner.id });
  const facts = parseInput(options.strict ? vialCallSchema : vialSchema, input);
  await requireOwnSupplier(ctx, owner.id, facts.supplierId);
  const now = ctx.now();
  const id = idFromKey('vial', now, owner.id, options.idempotencyKey);
  await takeRows(ctx, owner, { findEarlier: () => ctx.repos.compounds.find(owner.id, id) });
  return insertVial(ctx, owner, newVial(facts, { id, userId: owner.id, createdAt: now }));
}

/** @throws AppError INVALID_INPUT for a supplier that the owner does not have, missing and somebody else's alike */
async function requireOwnSupplier(ctx: Ctx, ownerId: string, id: string | null | undefined): Promise<void> {
  if (id == null || (await ctx.repos.suppliers.find(ownerId, id)) !== null) return;
  throw invalidFields({ supplierId: [VIAL_MESSAGES.supplierId] });
}

/**
 * One of the signed-in user's vials with its ledger.
 * @throws AppError UNAUTHENTICATED, NOT_FOUND for a missing and a foreign one alike
 */
export async function getVial(ctx: Ctx, id: string): Promise<VialWithLedger> {
  const user = authoriseUser(ctx.actor, 'vial.read');
  const vial = await ctx.repos.compounds.find(user.id, id);
  if (vial === null) throw vialNotFound();
  return vial;
}

/**
 * Changes what is said about a vial: only the fields that are sent, and of those only what differs.
 * @throws AppError UNAUTHENTICATED, INVALID_INPUT, NOT_FOUND; PLAN_LIMIT when it would become active beyond the limit
 */
export async function updateVial(ctx: Ctx, id: string, input: VialChangesInput): Promise<VialWithLedger> {
  const user = authoriseUser(ctx.actor, 'vial.change');
  const changes = parseInput(vialChangesSchema, input);
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
 * Deletes a vial with its ledger. Doses that were drawn from it stay as they are; schedules that end with it stop.
 * @throws AppError UNAUTHENTICATED, NOT_FOUND
 */
export async function deleteVial(ctx: Ctx, id: string): Promise<void> {
  const user = authoriseUser(ctx.actor, 'vial.change');
  const vial = await ctx.repos.compounds.find(user.id, id);
  if (vial === null) throw vialNotFound();
  // Whatever was drawn from it is still looked for by its lot.
  if (vial.openedAt !== null) await rememberVial(ctx, user.id, vial);
  await expectVialEnd(ctx, user.id, id);
  if (!(await ctx.repos.compounds.delete(user.id, id))) throw vialNotFound();
  await followVialEnd(ctx, user.id, id);
}

/** Whether the signed-in user's plan has room for another active vial. @throws AppError UNAUTHENTICATED */
export async function hasRoom(ctx: Ctx): Promise<boolean> {
  const user = authoriseUser(ctx.actor, 'vial.read');
  try {
    await freePlace(ctx, vialOwner(user));
    return true;
  } catch (error) {
    if (isAppError(error) && error.code === 'PLAN_LIMIT') return false;
    throw error;
  }
}

/** The signed-in user as an owner of vials. */
function vialOwner(user: SignedInUser): VialOwner {
  return { id: user.id, isPremium: user.entitlement.isPremium };
}

/** Whose vials are meant: the signed-in user's own, or at the terminal those of the account with the address. */
async function ownerOf(ctx: Ctx, email?: string): Promise<VialOwner> {
  if (ctx.actor.kind === 'user') return vialOwner(ctx.actor);
  const owner = await findOwner(ctx, email);
  return { id: owner.id, isPremium: entitlementOf(owner, ctx.now()).isPremium };
}

/** @throws AppError INVALID_INPUT with messages by field */
function invalidFields(fields: FieldErrors): AppError {
  const [message = 'The input is not valid.'] = Object.values(fields).flat();
  return new AppError('INVALID_INPUT', message, { fields });
}

/** What an entry is written with. */
interface Entry {
  id: string;
  at: Date;
}

type Change = (vial: VialWithLedger, entry: Entry) => VialWithLedger;

/** Changes one of the signed-in user's vials by one ledger entry, once for each submission of the form. */
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
    throw conflict('VIAL_DISCARDED', 'This vial was discarded before. Its amount cannot be changed.');
}

/**
 * Corrects how much is left, by an entry in the ledger.
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
  const { remainingAmount: remaining, reason = null } = parseInput(remainingSchema, input);
  const by: Change = (vial, entry) => {
    mustNotBeDiscarded(vial);
    if (new Decimal(remaining).gt(vial.totalAmount))
      throw invalidFields({
        remainingAmount: [`Remaining amount must be between 0 and ${vial.totalAmount} mg`],
      });
    return correctTo(vial, { ...entry, remaining, reason });
  };
  return change(ctx, id, by, idempotencyKey);
}

/**
 * Writes down what was lost.
 * @throws AppError UNAUTHENTICATED, INVALID_INPUT for more than is left, NOT_FOUND, CONFLICT for a discarded vial
 */
export async function spillVial(
  ctx: Ctx,
  id: string,
  input: SpillInput,
  idempotencyKey?: string,
): Promise<VialWithLedger> {
  authoriseUser(ctx.actor, 'vial.change');
  const { lostAmount: mg, reason = null } = parseInput(spillSchema, input);
  const by: Change = (vial, entry) => {
    if (vial.ledger.some(({ id: known }) => known === entry.id)) return vial;
    mustNotBeDiscarded(vial);
    if (new Decimal(mg).gt(vial.remaining)) throw invalidFields({ lostAmount: [VIAL_MESSAGES.lost] });
    return spillFrom(vial, { ...entry, mg, reason });
  };
  return change(ctx, id, by, idempotencyKey);
}

/**
 * Throws a vial away with what is in it; one that is thrown away already stays so.
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
 * Notes that water was added to a sealed vial. Without a last day of use it is 28 days later.
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
    // The same form sent twice.
    if (vial.reconstitutionDate === reconstitutionDate) return vial;
    if (vial.reconstitutionDate !== null || vial.status === 'discarded')
      throw conflict('WRONG_STATE', 'This vial is no longer sealed.');
    return recalculated({ ...vial, ...strength, reconstitutionDate, expirationDate });
  });
}

/** One page of somebody's vials. */
interface VialPage extends Pick<VialQuery, 'filter' | 'sort' | 'search' | 'limit'> {
  items: Vial[];
  page: number;
  /** The owner's today, by which dates were judged. */
  day: string;
  /** Cursors of the pages beside this one, null at the ends. */
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

/** A link's cursor, null when it cannot be read or is of another sort; the list then begins at its start. */
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
 * Vials of an account: searched, filtered, sorted, a page at a time. One row more than the page is read, which tells
 * whether there is a next page without counting.
 * @throws AppError UNAUTHENTICATED, FORBIDDEN
 */
export async function listVials(ctx: Ctx, ownerId: string, input: VialQueryInput = {}): Promise<VialPage> {
  authorise(ctx.actor, 'vial.read', { ownerId });
  const { cursor: text, page: asked, ...query } = vialQuerySchema.parse(input);
  const { sort, limit } = query;
  const day = await ownersDay(ctx, ownerId);
  const cursor = readCursor(text, sort);
  const backwards = cursor?.backwards ?? false;
  const read = (at: Pick<VialCursor, 'position' | 'backwards'> | null, skip: number) =>
    ctx.repos.compounds.list(ownerId, {
      ...query,
      day,
      limit: limit + 1,
      skip,
      from: at?.position ?? null,
      backwards: at?.backwards ?? false,
    });
  const page = cursor?.page ?? asked;
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

/** How many vials a filter and a search find. Reads the owner's rows once. @throws AppError UNAUTHENTICATED, FORBIDDEN */
export async function countVials(ctx: Ctx, ownerId: string, input: VialQueryInput = {}): Promise<number> {
  authorise(ctx.actor, 'vial.read', { ownerId });
  const query = vialQuerySchema.parse(input);
  return ctx.repos.compounds.count(ownerId, { ...query, day: await ownersDay(ctx, ownerId) });
}
