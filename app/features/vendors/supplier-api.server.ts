import * as z from 'zod';
import { controlTexts } from '#app/domain/forms/fields.ts';
import {
  productChangesSchema,
  productSchema,
  supplierDetailsOf,
  supplierSchema,
} from '#app/domain/vendors/vendor-schema.ts';
import {
  addProduct,
  deleteProduct,
  getProduct,
  listProducts,
  updateProduct,
  addSupplier,
  deleteSupplier,
  getSupplier,
  listSuppliers,
  updateSupplier,
} from './suppliers.server.ts';
import { operation, Reply } from '#app/platform/api/operation.ts';
import { cursorPageShape, cursorQuery, idParams, pageQuery, updatedQuery } from '#app/platform/api/shapes.ts';
import { pageOfAll } from '#app/platform/pagination.server.ts';
import {
  EXAMPLE_PRODUCT,
  EXAMPLE_SUPPLIER,
  productAnswer,
  productShape,
  supplierAnswer,
  supplierShape,
} from './vendor-shape.server.ts';

const tag = 'Vendors';

const supplierResponse = z.object({ supplier: supplierShape });
const productResponse = z.object({ product: productShape });

export const listSuppliersCall = operation({
  id: 'listSuppliers',
  method: 'GET',
  path: '/api/suppliers',
  tag,
  summary: 'Your suppliers by name',
  description: 'Includes your ratings.',
  access: 'premium',
  isList: true,
  query: z.object({ ...pageQuery(), ...cursorQuery, ...updatedQuery }),
  response: z.object({ suppliers: z.array(supplierShape), ...cursorPageShape }),
  example: { data: { suppliers: [EXAMPLE_SUPPLIER], page: 1, limit: 20, total: 1, next: null } },
  async run(ctx, { query: { updatedSince, ...request } }) {
    const { items, paging } = await pageOfAll(request, await listSuppliers(ctx, updatedSince), {
      name: 'suppliers',
      kinds: ['text', 'text'],
      placeOf: ({ nameKey, id }) => [nameKey, id],
      order: 1,
    });
    return { suppliers: items.map(supplierAnswer), ...paging };
  },
});

export const addSupplierCall = operation({
  id: 'addSupplier',
  method: 'POST',
  path: '/api/suppliers',
  tag,
  summary: 'Add a supplier',
  description: 'Only the name is required.',
  access: 'premium',
  creates: '/api/suppliers/{supplier.id}',
  errors: ['LIMIT_REACHED'],
  body: supplierSchema,
  response: supplierResponse,
  example: { body: { name: 'Acme Peptides', rating: 4 }, data: { supplier: EXAMPLE_SUPPLIER } },
  run: async (ctx, { body }) => ({ supplier: supplierAnswer(await addSupplier(ctx, body)) }),
});

export const getSupplierCall = operation({
  id: 'getSupplier',
  method: 'GET',
  path: '/api/suppliers/{id}',
  tag,
  summary: 'One supplier',
  description: 'Its products are listed by `GET /api/products`.',
  access: 'premium',
  params: idParams,
  response: supplierResponse,
  example: { data: { supplier: EXAMPLE_SUPPLIER } },
  run: async (ctx, { params }) => ({ supplier: supplierAnswer(await getSupplier(ctx, params.id)) }),
});

export const changeSupplierCall = operation({
  id: 'changeSupplier',
  method: 'PUT',
  path: '/api/suppliers/{id}',
  tag,
  summary: 'Update a supplier',
  description: 'Only the fields you send change; an empty text clears a value.',
  access: 'premium',
  params: idParams,
  body: supplierSchema.partial(),
  response: supplierResponse,
  example: { body: { rating: 5 }, data: { supplier: { ...EXAMPLE_SUPPLIER, rating: 5 } } },
  async run(ctx, { params, body }) {
    const supplier = await getSupplier(ctx, params.id);
    const known = { name: supplier.name, ...controlTexts(supplierDetailsOf(supplier)) };
    await updateSupplier(ctx, params.id, { ...known, ...body });
    return { supplier: supplierAnswer(await getSupplier(ctx, params.id)) };
  },
});

export const deleteSupplierCall = operation({
  id: 'deleteSupplier',
  method: 'DELETE',
  path: '/api/suppliers/{id}',
  tag,
  summary: 'Delete a supplier and its products',
  description: 'Orders and vials are kept. This cannot be undone.',
  access: 'premium',
  params: idParams,
  response: z.object({}),
  example: { data: {} },
  async run(ctx, { params }) {
    await deleteSupplier(ctx, params.id);
    return new Reply({}, { message: 'Supplier deleted' });
  },
});

export const listProductsCall = operation({
  id: 'listProducts',
  method: 'GET',
  path: '/api/products',
  tag,
  summary: 'Products of your suppliers by name',
  description: 'Each with its price per vial and when that was last set.',
  access: 'premium',
  isList: true,
  query: z.object({ ...pageQuery(), ...cursorQuery }),
  response: z.object({ products: z.array(productShape), ...cursorPageShape }),
  example: { data: { products: [EXAMPLE_PRODUCT], page: 1, limit: 20, total: 1, next: null } },
  async run(ctx, { query }) {
    const { items, paging } = await pageOfAll(query, await listProducts(ctx), {
      name: 'products',
      kinds: ['text', 'text'],
      placeOf: ({ nameKey, id }) => [nameKey, id],
      order: 1,
    });
    return { products: items.map(productAnswer), ...paging };
  },
});

export const addProductCall = operation({
  id: 'addProduct',
  method: 'POST',
  path: '/api/suppliers/{id}/products',
  tag,
  summary: 'Add a product to a supplier',
  description: 'The price is per vial; prices per mg are compared on the pages and in suggestions.',
  access: 'premium',
  creates: '/api/products/{product.id}',
  errors: ['LIMIT_REACHED'],
  params: idParams,
  body: productSchema,
  response: productResponse,
  example: {
    body: { name: 'BPC-157', mgPerVial: 5, price: 29.9, currency: 'USD' },
    data: { product: EXAMPLE_PRODUCT },
  },
  run: async (ctx, { params, body }) => ({ product: productAnswer(await addProduct(ctx, params.id, body)) }),
});

export const getProductCall = operation({
  id: 'getProduct',
  method: 'GET',
  path: '/api/products/{id}',
  tag,
  summary: 'One product',
  description: 'Includes its price per vial and when that was last set.',
  access: 'premium',
  params: idParams,
  response: productResponse,
  example: { data: { product: EXAMPLE_PRODUCT } },
  run: async (ctx, { params }) => ({ product: productAnswer(await getProduct(ctx, params.id)) }),
});

export const changeProductCall = operation({
  id: 'changeProduct',
  method: 'PUT',
  path: '/api/products/{id}',
  tag,
  summary: 'Update a product',
  description: 'Only the fields you send change. Setting the price also updates `pricedAt`.',
  access: 'premium',
  params: idParams,
  body: productChangesSchema,
  response: productResponse,
  example: { body: { price: 31 }, data: { product: { ...EXAMPLE_PRODUCT, price: 31 } } },
  async run(ctx, { params, body }) {
    await updateProduct(ctx, params.id, body);
    return { product: productAnswer(await getProduct(ctx, params.id)) };
  },
});

export const deleteProductCall = operation({
  id: 'deleteProduct',
  method: 'DELETE',
  path: '/api/products/{id}',
  tag,
  summary: 'Delete a product',
  description: 'Orders keep their lines for it.',
  access: 'premium',
  params: idParams,
  response: z.object({}),
  example: { data: {} },
  async run(ctx, { params }) {
    await deleteProduct(ctx, params.id);
    return new Reply({}, { message: 'Product deleted' });
  },
});

export const supplierOperations = [
  listSuppliersCall,
  addSupplierCall,
  getSupplierCall,
  changeSupplierCall,
  deleteSupplierCall,
  listProductsCall,
  addProductCall,
  getProductCall,
  changeProductCall,
  deleteProductCall,
];
