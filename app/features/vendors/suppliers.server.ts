import { AppError, conflict } from '#app/domain/errors.ts';
import { vialNameKey } from '#app/domain/vials/vial.ts';
import { parseInput } from '#app/domain/forms/fields.ts';
import {
  supplierDetailsOf,
  supplierSchema,
  type SupplierFields,
  type SupplierInput,
  productChangesSchema,
  productSchema,
  type ProductChangesInput,
  type ProductInput,
} from '#app/domain/vendors/vendor-schema.ts';
import type { SupplierRecord, ProductRecord } from '#models/index.server.ts';
import { authorisePremiumUser } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { presentFields } from '#app/platform/partial-changes.server.ts';
import { idFromKey } from '#app/platform/ids.server.ts';
import { comparePrices, type PriceGroup } from '#app/domain/vendors/price-per-mg.ts';
import { repos } from './repositories.server.ts';

/** The most an account can have, which bounds what a page reads. */
const MAX_SUPPLIERS = 200;

const noSupplier = () => new AppError('NOT_FOUND', 'Supplier not found.');

function storedSupplier({ name, ...fields }: SupplierFields) {
  const filled = Object.entries(fields).filter(([, value]) => value !== '');
  return { name, nameKey: vialNameKey(name), ...supplierDetailsOf(Object.fromEntries(filled)) };
}

/**
 * The signed-in user's suppliers by name.
 * @param updatedSince only those added or changed then or later
 * @throws AppError PREMIUM_REQUIRED
 */
export async function listSuppliers(ctx: Ctx, updatedSince?: Date): Promise<SupplierRecord[]> {
  const user = authorisePremiumUser(ctx.actor, 'vendor.manage');
  return repos(ctx).suppliers.list(user.id, MAX_SUPPLIERS, updatedSince);
}

/** @throws AppError PREMIUM_REQUIRED, NOT_FOUND */
export async function getSupplier(ctx: Ctx, id: string): Promise<SupplierRecord> {
  const user = authorisePremiumUser(ctx.actor, 'vendor.manage');
  const supplier = await repos(ctx).suppliers.find(user.id, id);
  if (supplier === null) throw noSupplier();
  return supplier;
}

/**
 * Adds a supplier.
 * @param idempotencyKey identifies one rendering of the form, so that submitting it twice has one effect
 * @throws AppError PREMIUM_REQUIRED, INVALID_INPUT, CONFLICT if there are too many
 */
export async function addSupplier(
  ctx: Ctx,
  input: SupplierInput,
  idempotencyKey?: string,
): Promise<SupplierRecord> {
  const user = authorisePremiumUser(ctx.actor, 'vendor.manage');
  const fields = storedSupplier(parseInput(supplierSchema, input));
  const id = idFromKey('sup', ctx.now(), user.id, idempotencyKey);
  const supplier = { ...fields, createdAt: ctx.now() };
  if ((await repos(ctx).suppliers.count(user.id)) >= MAX_SUPPLIERS)
    throw conflict('LIMIT_REACHED', `You can keep at most ${MAX_SUPPLIERS} suppliers.`);
  await repos(ctx).suppliers.create({ _id: id, userId: user.id, ...supplier });
  return { id, ...supplier };
}

/**
 * Replaces a supplier's details.
 * @throws AppError PREMIUM_REQUIRED, INVALID_INPUT, NOT_FOUND
 */
export async function updateSupplier(ctx: Ctx, id: string, input: SupplierInput): Promise<void> {
  const user = authorisePremiumUser(ctx.actor, 'vendor.manage');
  const fields = storedSupplier(parseInput(supplierSchema, input));
  if ((await repos(ctx).suppliers.update(user.id, id, fields)) === null) throw noSupplier();
}

/**
 * Deletes a supplier with its products. Orders are kept with its name.
 * @throws AppError PREMIUM_REQUIRED, NOT_FOUND
 */
export async function deleteSupplier(ctx: Ctx, id: string): Promise<void> {
  const user = authorisePremiumUser(ctx.actor, 'vendor.manage');
  if ((await repos(ctx).suppliers.delete(user.id, id)) === null) throw noSupplier();
  await repos(ctx).products.deleteOfSupplier(user.id, id);
}

/** The most an account can have, which bounds what a page reads. */
export const MAX_PRODUCTS = 2000;

const noProduct = () => new AppError('NOT_FOUND', 'Product not found.');

/** A product with the name of its supplier. */
export interface OfferedProduct extends ProductRecord {
  supplierName: string;
}

/** A supplier's products by name. @throws AppError PREMIUM_REQUIRED */
export async function listProductsOf(ctx: Ctx, supplierId: string): Promise<ProductRecord[]> {
  const user = authorisePremiumUser(ctx.actor, 'vendor.manage');
  return repos(ctx).products.list(user.id, MAX_PRODUCTS, supplierId);
}

/** All products with their suppliers. @throws AppError PREMIUM_REQUIRED */
export async function listProducts(ctx: Ctx): Promise<OfferedProduct[]> {
  const user = authorisePremiumUser(ctx.actor, 'vendor.manage');
  const [products, suppliers] = await Promise.all([
    repos(ctx).products.list(user.id, MAX_PRODUCTS),
    repos(ctx).suppliers.list(user.id, MAX_PRODUCTS),
  ]);
  const names = new Map(suppliers.map(({ id, name }) => [id, name]));
  return products.flatMap((product) => {
    const supplierName = names.get(product.supplierId);
    return supplierName === undefined ? [] : [{ ...product, supplierName }];
  });
}

/** Prices per mg across suppliers, grouped by name and currency. @throws AppError PREMIUM_REQUIRED */
export async function priceComparison(ctx: Ctx): Promise<PriceGroup<OfferedProduct>[]> {
  return comparePrices(await listProducts(ctx));
}

/** @throws AppError PREMIUM_REQUIRED, NOT_FOUND */
export async function getProduct(ctx: Ctx, id: string): Promise<ProductRecord> {
  const user = authorisePremiumUser(ctx.actor, 'vendor.manage');
  const product = await repos(ctx).products.find(user.id, id);
  if (product === null) throw noProduct();
  return product;
}

/** @throws AppError CONFLICT */
export async function requireRoom(ctx: Ctx, ownerId: string, more: number): Promise<void> {
  if ((await repos(ctx).products.count(ownerId)) + more > MAX_PRODUCTS)
    throw conflict('LIMIT_REACHED', `You can keep at most ${MAX_PRODUCTS} products.`);
}

/**
 * Adds a product to a supplier.
 * @param idempotencyKey identifies one rendering of the form, so that submitting it twice has one effect
 * @throws AppError PREMIUM_REQUIRED, INVALID_INPUT, NOT_FOUND (supplier), CONFLICT if there are too many
 */
export async function addProduct(
  ctx: Ctx,
  supplierId: string,
  input: ProductInput,
  idempotencyKey?: string,
): Promise<ProductRecord> {
  const user = authorisePremiumUser(ctx.actor, 'vendor.manage');
  const fields = parseInput(productSchema, input);
  await getSupplier(ctx, supplierId);
  await requireRoom(ctx, user.id, 1);
  const now = ctx.now();
  const id = idFromKey('prod', now, user.id, idempotencyKey);
  const nameKey = vialNameKey(fields.name);
  const product = { supplierId, ...fields, nameKey, createdAt: now, pricedAt: now };
  await repos(ctx).products.create({ _id: id, userId: user.id, ...product });
  return { id, ...product };
}

/**
 * Changes the fields that are sent. Setting the price also updates `pricedAt`.
 * @throws AppError PREMIUM_REQUIRED, INVALID_INPUT, NOT_FOUND
 */
export async function updateProduct(ctx: Ctx, id: string, input: ProductChangesInput): Promise<void> {
  const user = authorisePremiumUser(ctx.actor, 'vendor.manage');
  const fields = presentFields(parseInput(productChangesSchema, input));
  const isPriced = fields.price !== undefined || fields.currency !== undefined;
  const changed = await repos(ctx).products.update(user.id, id, {
    ...fields,
    ...(fields.name !== undefined && { nameKey: vialNameKey(fields.name) }),
    ...(isPriced && { pricedAt: ctx.now() }),
  });
  if (changed === null) throw noProduct();
}

/** @throws AppError PREMIUM_REQUIRED, NOT_FOUND */
export async function deleteProduct(ctx: Ctx, id: string): Promise<void> {
  const user = authorisePremiumUser(ctx.actor, 'vendor.manage');
  if ((await repos(ctx).products.delete(user.id, id)) === null) throw noProduct();
}
