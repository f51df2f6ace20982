import { AppError, conflict, fieldError } from '#app/domain/errors.ts';
import { parseInput } from '#app/domain/forms/fields.ts';
import { SUPPLY_ID_PREFIX } from '#app/domain/records/supplies.ts';
import {
  NAMED_SUPPLY,
  MAX_PIECES,
  SUPPLY_MESSAGES,
  supplyChangesSchema,
  supplySchema,
  type SupplyChangesInput,
  type SupplyInput,
} from '#app/domain/supplies/supply-schema.ts';
import type { SupplyForecast } from '#app/domain/supplies/supply.ts';
import { entitlementOf } from '#app/domain/billing/plans.ts';
import { pickNamed } from '#app/domain/records/pick-named.ts';
import { authorise } from '#app/platform/access/authorise.server.ts';
import { findOwner, type Owner } from '#app/platform/access/owner.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { takeRows } from '#app/platform/access/row-quota.server.ts';
import { idFromKey } from '#app/platform/ids.server.ts';
import { MAX_SUPPLIES, supplyForecasts } from '#app/features/vials/index.server.ts';
import { repos } from './repositories.server.ts';

const noSupply = () => new AppError('NOT_FOUND', NAMED_SUPPLY.missing);
const CHANGED = 'This supply has changed since you opened it. Check what is left and try again.';

/** The owner of the supplies. @throws AppError UNAUTHENTICATED, NOT_FOUND (no such account) */
async function supplyOwner(ctx: Ctx, action: 'vial.read' | 'vial.change', email?: string): Promise<Owner> {
  const owner = await findOwner(ctx, email);
  authorise(ctx.actor, action, { ownerId: owner.id });
  return owner;
}

/**
 * The owner's supplies in the order they were added, each with what is left and how long it lasts.
 * @param email the owner, when called from the terminal
 * @throws AppError UNAUTHENTICATED, NOT_FOUND (no such account)
 */
export async function listSupplies(ctx: Ctx, email?: string): Promise<SupplyForecast[]> {
  const { id } = await supplyOwner(ctx, 'vial.read', email);
  return supplyForecasts(ctx, id);
}

/** One of the owner's supplies. @throws AppError UNAUTHENTICATED, NOT_FOUND */
export async function getSupply(ctx: Ctx, id: string, email?: string): Promise<SupplyForecast> {
  const found = (await listSupplies(ctx, email)).find(({ supply }) => supply.id === id);
  if (found === undefined) throw noSupply();
  return found;
}

/**
 * The supply named in the terminal, by id or by name.
 * @throws AppError NOT_FOUND, INVALID_INPUT at `supply` if several have the name
 */
export async function findSupply(ctx: Ctx, nameOrId: string, email?: string): Promise<SupplyForecast> {
  const all = await listSupplies(ctx, email);
  const { id } = pickNamed(
    all.map(({ supply }) => supply),
    nameOrId,
    NAMED_SUPPLY,
  );
  return all.find(({ supply }) => supply.id === id) as SupplyForecast;
}

/**
 * Adds a supply. Doses taken from now on use it.
 * @param idempotencyKey identifies one rendering of the form: submitted twice, it adds one supply
 * @param email the owner, when called from the terminal
 * @throws AppError UNAUTHENTICATED, INVALID_INPUT, PLAN_LIMIT if the account is full, CONFLICT if there are too many
 */
export async function addSupply(
  ctx: Ctx,
  input: SupplyInput,
  idempotencyKey?: string,
  email?: string,
): Promise<SupplyForecast> {
  const user = await supplyOwner(ctx, 'vial.change', email);
  const { perInjection = 1, ...fields } = parseInput(supplySchema, input);
  const now = ctx.now();
  const id = idFromKey(SUPPLY_ID_PREFIX, now, user.id, idempotencyKey);
  if ((await repos(ctx).supplies.find(user.id, id)) !== null) return getSupply(ctx, id, email);
  if ((await repos(ctx).supplies.count(user.id)) >= MAX_SUPPLIES)
    throw conflict('LIMIT_REACHED', `You can keep at most ${MAX_SUPPLIES} supplies.`);
  const owner = { id: user.id, isPremium: entitlementOf(user, ctx).isPremium };
  await takeRows(ctx, owner, { findEarlier: () => repos(ctx).supplies.find(user.id, id) });
  const row = { ...fields, perInjection, countedAt: now, version: 0, createdAt: now };
  await repos(ctx).supplies.create({ _id: id, userId: user.id, ...row });
  return getSupply(ctx, id, email);
}

/**
 * Updates a supply. Only the fields that are sent change. A new count or number per injection applies from now on.
 * @param email the owner, when called from the terminal
 * @throws AppError UNAUTHENTICATED, INVALID_INPUT, NOT_FOUND, CONFLICT if it has changed since it was read
 */
export async function updateSupply(
  ctx: Ctx,
  id: string,
  input: SupplyChangesInput,
  email?: string,
): Promise<SupplyForecast> {
  const user = await supplyOwner(ctx, 'vial.change', email);
  const { version, received = 0, counted: recounted, ...changes } = parseInput(supplyChangesSchema, input);
  const { supply } = await getSupply(ctx, id, email);
  const isUsedOtherwise = changes.perInjection !== undefined && changes.perInjection !== supply.perInjection;
  const counted = recounted ?? (isUsedOtherwise ? Math.max(0, supply.left) : undefined);
  if ((counted ?? supply.count) + received > MAX_PIECES)
    throw fieldError('received', SUPPLY_MESSAGES.received);
  const facts = Object.fromEntries(
    Object.entries(changes).filter(([field, value]) => {
      return value !== undefined && value !== supply[field as keyof typeof changes];
    }),
  );
  const fields = { ...facts, ...(counted !== undefined && { count: counted, countedAt: ctx.now() }) };
  const isStale = version !== undefined && version !== supply.version;
  if (!isStale && received === 0 && Object.keys(fields).length === 0) return getSupply(ctx, id, email);
  const updated = await repos(ctx).supplies.update(user.id, id, version ?? supply.version, {
    fields,
    received,
  });
  if (updated === null) throw conflict('CHANGED_MEANWHILE', CHANGED);
  return getSupply(ctx, id, email);
}

/** @param email the owner, when called from the terminal @throws AppError UNAUTHENTICATED, NOT_FOUND */
export async function deleteSupply(ctx: Ctx, id: string, email?: string): Promise<void> {
  const user = await supplyOwner(ctx, 'vial.change', email);
  if ((await repos(ctx).supplies.delete(user.id, id)) === null) throw noSupply();
}
