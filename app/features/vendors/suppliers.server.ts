import { AppError, conflict } from '#app/domain/errors.ts';
import { vialNameKey } from '#app/domain/vials/vial.ts';
import { parseInput } from '#app/domain/forms/fields.ts';
import {
  supplierSchema,
  type SupplierFields,
  type SupplierInput,
} from '#app/domain/vendors/vendor-schema.ts';
import type { SupplierRecord } from '#models/index.server.ts';
import { authorisePremiumUser } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { idFromKey } from '#app/platform/ids.server.ts';

/** Nobody has more; it bounds what one page reads. */
export const MAX_SUPPLIERS = 200;

const noSupplier = () => new AppError('NOT_FOUND', 'Supplier not found.');

function stored({ name, site, contact, rating, notes }: SupplierFields) {
  return {
    name,
    nameKey: vialNameKey(name),
    site: site || null,
    contact: contact || null,
    rating: rating ?? null,
    notes: notes || null,
  };
}

/** The signed-in user's suppliers by name. @throws AppError PREMIUM_REQUIRED */
export async function listSuppliers(ctx: Ctx): Promise<SupplierRecord[]> {
  const user = authorisePremiumUser(ctx.actor, 'vendor.manage');
  return ctx.repos.suppliers.list(user.id, MAX_SUPPLIERS);
}

/** @throws AppError PREMIUM_REQUIRED, NOT_FOUND */
export async function getSupplier(ctx: Ctx, id: string): Promise<SupplierRecord> {
  const user = authorisePremiumUser(ctx.actor, 'vendor.manage');
  const supplier = await ctx.repos.suppliers.find(user.id, id);
  if (supplier === null) throw noSupplier();
  return supplier;
}

/**
 * Adds a supplier.
 * @param idempotencyKey identifies one submission of the form: sent twice, it adds one
 * @throws AppError PREMIUM_REQUIRED, INVALID_INPUT, CONFLICT when there are too many
 */
export async function addSupplier(
  ctx: Ctx,
  input: SupplierInput,
  idempotencyKey?: string,
): Promise<SupplierRecord> {
  const user = authorisePremiumUser(ctx.actor, 'vendor.manage');
  const fields = stored(parseInput(supplierSchema, input));
  const id = idFromKey('sup', ctx.now(), user.id, idempotencyKey);
  const supplier = { ...fields, createdAt: ctx.now() };
  if ((await ctx.repos.suppliers.count(user.id)) >= MAX_SUPPLIERS)
    throw conflict('LIMIT_REACHED', `You can keep at most ${MAX_SUPPLIERS} suppliers.`);
  await ctx.repos.suppliers.create({ _id: id, userId: user.id, ...supplier });
  return { id, ...supplier };
}

/**
 * Replaces what is written about a supplier.
 * @throws AppError PREMIUM_REQUIRED, INVALID_INPUT, NOT_FOUND
 */
export async function updateSupplier(ctx: Ctx, id: string, input: SupplierInput): Promise<void> {
  const user = authorisePremiumUser(ctx.actor, 'vendor.manage');
  const fields = stored(parseInput(supplierSchema, input));
  if ((await ctx.repos.suppliers.update(user.id, id, fields)) === null) throw noSupplier();
}

/**
 * Deletes a supplier with its products. Orders stay and keep its name.
 * @throws AppError PREMIUM_REQUIRED, NOT_FOUND
 */
export async function deleteSupplier(ctx: Ctx, id: string): Promise<void> {
  const user = authorisePremiumUser(ctx.actor, 'vendor.manage');
  if ((await ctx.repos.suppliers.delete(user.id, id)) === null) throw noSupplier();
  await ctx.repos.products.deleteOfSupplier(user.id, id);
}
