import { importCatalogue } from '#app/features/vendors/catalogue-import.server.ts';
import {
  addOrderPaper,
  deleteOrderPaper,
  readOrderPaper,
} from '#app/features/vendors/order-papers.server.ts';
import {
  receiveOrder,
  addOrder,
  deleteOrder,
  listOrders,
  pageOfOrders,
  stepOrder,
  updateOrder,
  suggestReorders,
} from '#app/features/vendors/orders.server.ts';
import {
  addProduct,
  deleteProduct,
  getProduct,
  priceComparison,
  updateProduct,
} from '#app/features/vendors/products.server.ts';
import {
  addSupplier,
  deleteSupplier,
  listSuppliers,
  updateSupplier,
} from '#app/features/vendors/suppliers.server.ts';
import type { TestDatabase } from '#tests/support/database.ts';
import { certificate } from '#tests/support/papers.ts';
import { newPerson, type Person } from '#tests/support/people.ts';

const PRODUCT = { name: 'BPC-157', mgPerVial: '5', price: '30', currency: 'USD' };

/** A supplier whose order, with its paper, has come; everything else about vendors once, and gone again. */
export async function buyVials({ ctx }: Pick<Person, 'ctx'>): Promise<void> {
  const { id: supplierId } = await addSupplier(ctx, { name: 'Acme' }, 'key');
  await updateSupplier(ctx, supplierId, { name: 'Acme Peptides' });
  const { id: product } = await addProduct(ctx, supplierId, PRODUCT);
  await getProduct(ctx, product);
  await updateProduct(ctx, product, { ...PRODUCT, price: '31' });
  await importCatalogue(ctx, supplierId, { text: 'name,mg,price\nTB-500,5,40\nBPC-157,5,32' }, false);
  await deleteProduct(ctx, product);
  await priceComparison(ctx);
  const input = { supplierId, lines: [{ ...PRODUCT, quantity: '2' }] };
  const { id } = await addOrder(ctx, input);
  const sent = { fileName: 'coa.pdf', bytes: certificate() };
  const paper = await addOrderPaper(ctx, id, sent);
  await readOrderPaper(ctx, id, paper.id);
  await deleteOrderPaper(ctx, id, paper.id);
  await addOrderPaper(ctx, id, sent);
  const gone = await addOrder(ctx, input);
  await addOrderPaper(ctx, gone.id, sent);
  await updateOrder(ctx, gone.id, input);
  await deleteOrder(ctx, gone.id);
  await listOrders(ctx);
  await listOrders(ctx, id);
  await pageOfOrders(ctx, { page: 1, limit: 20 });
  await stepOrder(ctx, id, 'sent');
  await receiveOrder(ctx, id, []);
  await listSuppliers(ctx);
  await suggestReorders(ctx);
}

/** All of it, and the supplier deleted in the end. */
export async function buyAndLeave(db: TestDatabase): Promise<void> {
  const person = await newPerson(db, 'buys@example.org', { plan: 'trial' });
  await buyVials(person);
  const [supplier] = await listSuppliers(person.ctx);
  await deleteSupplier(person.ctx, supplier?.id ?? '');
}
