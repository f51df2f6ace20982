import { DOSE_WARNINGS } from '#app/domain/doses/dose-warnings.ts';
import { logDose } from '#app/features/doses/doses.server.ts';
import {
  addLot,
  addLotDocument,
  deleteLot,
  deleteLotDocument,
  listLots,
  readLotDocument,
  updateLot,
} from '#app/features/lots/lots.server.ts';
import { findRecall, recalledDoses, takenFromLot } from '#app/features/lots/recall.server.ts';
import { addVial, deleteVial } from '#app/features/vials/vials.server.ts';
import { importCatalogue } from '#app/features/vendors/catalogue-import.server.ts';
import {
  addOrderDocument,
  deleteOrderDocument,
  readOrderDocument,
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
  addSupplier,
  deleteSupplier,
  listSuppliers,
  updateSupplier,
} from '#app/features/vendors/suppliers.server.ts';
import type { TestDatabase } from '#tests/support/database.ts';
import { certificate } from '#tests/support/papers.ts';
import { newPerson, type Person } from '#tests/support/people.ts';
import { pageThrough } from './pages.ts';

const PRODUCT = { name: 'BPC-157', mgPerVial: '5', price: '30', currency: 'USD' };

/** The lot that came, and one of its own with a paper, looked at, changed and gone again. */
async function lookAtLots(ctx: Person['ctx']): Promise<void> {
  const ownerId = ctx.actor.kind === 'user' ? ctx.actor.id : '';
  const { lots } = await listLots(ctx, { page: 1, limit: 20 });
  await pageThrough((page) => listLots(ctx, page));
  const recall = await findRecall(ctx, ownerId, lots[0]?.lot.number ?? '');
  await recalledDoses(ctx, ownerId, recall, { page: 1, limit: 20 });
  await takenFromLot(ctx, ownerId, recall);
  const { lot } = await addLot(ctx, { number: 'L-2', product: 'TB-500' }, 'key');
  await updateLot(ctx, lot.id, { number: 'L-3', purityPercent: '99' });
  const paper = await addLotDocument(ctx, lot.id, { fileName: 'coa.pdf', bytes: certificate() });
  await readLotDocument(ctx, lot.id, paper.id);
  await deleteLotDocument(ctx, lot.id, paper.id);
  const vial = await addVial(ctx, {
    name: 'TB-500',
    totalAmount: '5',
    waterMl: '2',
    reconstitutionDate: '2026-01-01',
    lot: 'L-3',
  });
  await logDose(ctx, { name: 'TB-500', actualDose: '1', compoundId: vial.id, confirmed: [...DOSE_WARNINGS] });
  await deleteVial(ctx, vial.id);
  await deleteLot(ctx, lot.id);
}

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
  const paper = await addOrderDocument(ctx, id, sent);
  await readOrderDocument(ctx, id, paper.id);
  await deleteOrderDocument(ctx, id, paper.id);
  await addOrderDocument(ctx, id, sent);
  const gone = await addOrder(ctx, input);
  await addOrderDocument(ctx, gone.id, sent);
  await updateOrder(ctx, gone.id, input);
  await deleteOrder(ctx, gone.id);
  await listOrders(ctx);
  await listOrders(ctx, id);
  await pageOfOrders(ctx, { page: 1, limit: 20 });
  await pageThrough((page) => pageOfOrders(ctx, page));
  await pageThrough((page) => pageOfOrders(ctx, { ...page, updatedSince: new Date(0) }));
  await stepOrder(ctx, id, 'sent');
  await receiveOrder(ctx, id, [{ lot: 'L-1', netContentMg: '5.1' }]);
  await lookAtLots(ctx);
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
