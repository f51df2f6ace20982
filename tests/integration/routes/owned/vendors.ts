import { certificate } from '#tests/support/papers.ts';
import { storedIn } from '../stored.ts';
import type { Web } from '../web.ts';
import { made, type Owned, type Owner, type Thing } from './owned.ts';
import { uploaded } from './upload.ts';

const SUPPLIER = { name: 'Acme Peptides', idempotencyKey: '' };
const PRODUCT = { name: 'BPC-157', form: 'lyophilised', mgPerVial: '5', price: '30', currency: 'USD' };

async function supplierOf(owner: Owner): Promise<string> {
  return made(owner, '/dashboard/vendors/suppliers/new', SUPPLIER);
}

async function productOf(owner: Owner, web: Web, supplier: string): Promise<string> {
  await made(owner, `/dashboard/vendors/suppliers/${supplier}/products`, PRODUCT);
  const [product] = await storedIn(web.dataDir, 'products', { supplierId: supplier });
  return String(product?._id);
}

async function orderOf(owner: Owner, web: Web): Promise<string> {
  const supplier = await supplierOf(owner);
  const product = await productOf(owner, web, supplier);
  return made(owner, `/dashboard/vendors/orders/new?supplier=${supplier}`, { [`quantity.${product}`]: '2' });
}

/** Whether a row still says what it said. */
const still =
  (web: Web, collection: string, id: string, field = '_id', value: unknown = id) =>
  async () =>
    (await storedIn(web.dataDir, collection, { _id: id })).some((row) => row[field] === value);

const supplierPage = (path: string, thing: (id: string, web: Web) => Omit<Thing, 'at'>): Owned => ({
  premium: true,
  async make(owner, web) {
    const id = await supplierOf(owner);
    return { at: `/dashboard/vendors/suppliers/${id}${path}`, ...thing(id, web) };
  },
});

const productPage = (path: string, thing: (id: string, web: Web) => Omit<Thing, 'at'>): Owned => ({
  premium: true,
  async make(owner, web) {
    const id = await productOf(owner, web, await supplierOf(owner));
    return { at: `/dashboard/vendors/products/${id}${path}`, ...thing(id, web) };
  },
});

const orderPage = (path: string, thing: (id: string, web: Web) => Omit<Thing, 'at'>): Owned => ({
  premium: true,
  async make(owner, web) {
    const id = await orderOf(owner, web);
    return { at: `/dashboard/vendors/orders/${id}${path}`, ...thing(id, web) };
  },
});

const paperPage = (path: string, thing: Omit<Thing, 'at' | 'isThere'>): Owned => ({
  premium: true,
  async make(owner, web) {
    const order = await orderOf(owner, web);
    const at = `/dashboard/vendors/orders/${order}/papers`;
    const bytes = certificate('Mine alone');
    await uploaded(owner, at, { field: 'paper', name: 'mine.pdf', type: 'application/pdf', bytes });
    const files = async () => await storedIn(web.dataDir, 'papers.files');
    const id = (await files()).find((row) => (row['metadata'] as { of?: string }).of === order)?._id;
    const isThere = async () => (await files()).some((row) => String(row._id) === String(id));
    return { at: `${at}/${String(id)}${path}`, ...thing, isThere };
  },
});

const noProducts = (web: Web, supplier: string) => async () =>
  (await storedIn(web.dataDir, 'products', { supplierId: supplier })).length === 0;

/** Suppliers, products and orders. */
export const OWNED_VENDORS: Record<string, Owned> = {
  '/dashboard/vendors/suppliers/:id': supplierPage('', (id, web) => ({
    shows: 'Acme Peptides',
    takesForms: false,
    isThere: still(web, 'suppliers', id),
  })),
  '/dashboard/vendors/suppliers/:id/edit': supplierPage('/edit', (id, web) => ({
    shows: 'Edit supplier',
    form: { name: 'Another name' },
    isThere: still(web, 'suppliers', id, 'name', 'Acme Peptides'),
  })),
  '/dashboard/vendors/suppliers/:id/delete': supplierPage('/delete', (id, web) => ({
    shows: 'Delete Acme Peptides?',
    isThere: still(web, 'suppliers', id),
  })),
  '/dashboard/vendors/suppliers/:id/products': supplierPage('/products', (id, web) => ({
    shows: 'Add a product from Acme Peptides',
    form: PRODUCT,
    isThere: noProducts(web, id),
  })),
  '/dashboard/vendors/suppliers/:id/catalogue': supplierPage('/catalogue', (id, web) => ({
    shows: 'Import a catalogue from Acme Peptides',
    form: { text: 'name,mg,price\nTB-500,5,40', step: 'import' },
    isThere: noProducts(web, id),
  })),
  '/dashboard/vendors/products/:id': productPage('', (id, web) => ({
    shows: 'Edit product',
    form: { ...PRODUCT, price: '31' },
    isThere: still(web, 'products', id, 'price', '30'),
  })),
  '/dashboard/vendors/products/:id/delete': productPage('/delete', (id, web) => ({
    shows: 'Delete BPC-157, 5 mg?',
    isThere: still(web, 'products', id),
  })),
  '/dashboard/vendors/orders/:id': orderPage('', (id, web) => ({
    shows: 'Order from Acme Peptides',
    form: { to: 'sent' },
    isThere: still(web, 'orders', id, 'state', 'draft'),
  })),
  '/dashboard/vendors/orders/:id/edit': orderPage('/edit', (id, web) => ({
    shows: 'Edit order',
    takesForms: false,
    isThere: still(web, 'orders', id),
  })),
  '/dashboard/vendors/orders/:id/receive': orderPage('/receive', (id, web) => ({
    shows: 'Receive the order from Acme Peptides',
    takesForms: false,
    isThere: still(web, 'orders', id, 'state', 'draft'),
  })),
  '/dashboard/vendors/orders/:id/cancel': orderPage('/cancel', (id, web) => ({
    shows: 'Cancel this order?',
    isThere: still(web, 'orders', id, 'state', 'draft'),
  })),
  '/dashboard/vendors/orders/:id/delete': orderPage('/delete', (id, web) => ({
    shows: 'Delete this order?',
    isThere: still(web, 'orders', id),
  })),
  '/dashboard/vendors/orders/:id/papers': orderPage('/papers', (id, web) => ({
    shows: 'Order from Acme Peptides',
    takesForms: false,
    isThere: still(web, 'orders', id),
  })),
  '/dashboard/vendors/orders/:id/papers/:paperId': paperPage('', { shows: 'Mine alone', takesForms: false }),
  '/dashboard/vendors/orders/:id/papers/:paperId/delete': paperPage('/delete', {
    shows: 'Delete this document?',
  }),
};
