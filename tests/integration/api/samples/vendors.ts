import { certificate } from '#tests/support/papers.ts';
import type { ApiClient } from '../client.ts';
import type { Samples } from './sample.ts';

const PRODUCT = { name: 'BPC-157', mgPerVial: 5, price: 29.9, currency: 'USD' };

async function made(owner: ApiClient, path: string, body: object, field: string): Promise<string> {
  const answer = await owner.post(path, body);
  return (answer.body.data?.[field] as { id: string }).id;
}

const supplierOf = (owner: ApiClient) => made(owner, '/api/suppliers', { name: 'Acme' }, 'supplier');

const productOf = async (owner: ApiClient) =>
  made(owner, `/api/suppliers/${await supplierOf(owner)}/products`, PRODUCT, 'product');

const orderBody = async (owner: ApiClient) => ({
  supplierId: await supplierOf(owner),
  lines: [{ ...PRODUCT, quantity: 2 }],
});

const orderOf = async (owner: ApiClient) => made(owner, '/api/orders', await orderBody(owner), 'order');

async function sentOrder(owner: ApiClient): Promise<string> {
  const id = await orderOf(owner);
  await owner.patch(`/api/orders/${id}/state`, { state: 'sent' });
  return id;
}

const PAPER = {
  field: 'paper',
  name: 'coa.pdf',
  type: 'application/pdf',
  bytes: new Uint8Array(certificate()),
};

async function paperOf(owner: ApiClient) {
  const id = await orderOf(owner);
  const added = await owner.call('POST', `/api/orders/${id}/papers`, { file: PAPER });
  const { id: paperId } = added.body.data?.['paper'] as { id: string };
  return { params: { id, paperId } };
}

const of = (make: (owner: ApiClient) => Promise<string>, body?: object) => ({
  prepare: async (owner: ApiClient) => ({ params: { id: await make(owner) }, ...(body && { body }) }),
});

export const vendorSamples: Samples = {
  listSuppliers: { prepare: () => ({}) },
  addSupplier: { prepare: () => ({ body: { name: 'Acme', site: 'https://acme.example', rating: 4 } }) },
  getSupplier: of(supplierOf),
  changeSupplier: of(supplierOf, { rating: 5 }),
  deleteSupplier: of(supplierOf),
  listProducts: { prepare: () => ({}) },
  addProduct: of(supplierOf, PRODUCT),
  getProduct: of(productOf),
  changeProduct: of(productOf, { price: 31 }),
  deleteProduct: of(productOf),
  listOrders: { prepare: () => ({}) },
  reorderSuggestions: {},
  // Another user's supplier does not count.
  addOrder: { prepare: async (owner) => ({ body: await orderBody(owner) }), expect: { other: 400 } },
  getOrder: of(orderOf),
  stepOrder: of(orderOf, { state: 'sent' }),
  receiveOrder: of(sentOrder, { lines: [{ lot: 'L-2207', expirationDate: '2028-05-31' }] }),
  deleteOrder: of(orderOf),
  addOrderPaper: {
    prepare: async (owner) => ({ params: { id: await orderOf(owner) }, file: PAPER }),
  },
  getOrderPaper: { prepare: paperOf },
  deleteOrderPaper: { prepare: paperOf },
};
