import { premium, premiumOnly, type AccessRow } from './access-rows.ts';

/** Suppliers, prices, products and orders. */
export const VENDOR_ACCESS: Readonly<Record<string, readonly AccessRow[]>> = {
  'routes/dashboard.vendors._index': [premium('/dashboard/vendors', 200)],
  'routes/dashboard.vendors.prices': [premium('/dashboard/vendors/prices', 200)],
  'routes/dashboard.vendors.suppliers.new': [premium('/dashboard/vendors/suppliers/new', 200, 400)],
  'routes/dashboard.vendors.suppliers.$id': [premium('/dashboard/vendors/suppliers/none', 404)],
  'routes/dashboard.vendors.suppliers.$id_.edit': [
    premium('/dashboard/vendors/suppliers/none/edit', 404, 400),
  ],
  'routes/dashboard.vendors.suppliers.$id_.delete': [
    premium('/dashboard/vendors/suppliers/none/delete', 404, 404),
  ],
  'routes/dashboard.vendors.suppliers.$id_.products': [
    premium('/dashboard/vendors/suppliers/none/products', 404, 400),
  ],
  'routes/dashboard.vendors.suppliers.$id_.catalogue': [
    premium('/dashboard/vendors/suppliers/none/catalogue', 404, 404),
  ],
  'routes/dashboard.vendors.products.$id': [premium('/dashboard/vendors/products/none', 404, 404)],
  'routes/dashboard.vendors.products.$id_.delete': [
    premium('/dashboard/vendors/products/none/delete', 404, 404),
  ],
  'routes/dashboard.vendors.orders._index': [premium('/dashboard/vendors/orders?index', 200)],
  'routes/dashboard.vendors.orders.new': [premium('/dashboard/vendors/orders/new', 200, 400)],
  'routes/dashboard.vendors.orders.$id': [premium('/dashboard/vendors/orders/none', 404, 400)],
  'routes/dashboard.vendors.orders.$id_.edit': [premium('/dashboard/vendors/orders/none/edit', 404, 404)],
  'routes/dashboard.vendors.orders.$id_.receive': [
    premium('/dashboard/vendors/orders/none/receive', 404, 404),
  ],
  'routes/dashboard.vendors.orders.$id_.cancel': [premium('/dashboard/vendors/orders/none/cancel', 404, 404)],
  'routes/dashboard.vendors.orders.$id_.delete': [premium('/dashboard/vendors/orders/none/delete', 404, 404)],
  'routes/dashboard.vendors.orders.$id_.papers': [premium('/dashboard/vendors/orders/none/papers', 404, 404)],
  'routes/dashboard.vendors.orders.$id_.papers_.$paperId': [
    premiumOnly('/dashboard/vendors/orders/none/papers/none', 404),
  ],
  'routes/dashboard.vendors.orders.$id_.papers_.$paperId_.delete': [
    premium('/dashboard/vendors/orders/none/papers/none/delete', 404, 404),
  ],
};
