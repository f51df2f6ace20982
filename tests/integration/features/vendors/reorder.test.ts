import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { receiveOrder, addOrder, stepOrder, suggestReorders } from '#app/features/vendors/orders.server.ts';
import { addProduct, addSupplier } from '#app/features/vendors/suppliers.server.ts';
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { stockedVial, storedSchedule } from '#tests/support/doses.ts';
import { newPerson } from '#tests/support/people.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.dispose());

const PRODUCT = { name: 'BPC-157', mgPerVial: '5', price: '30', currency: 'USD' };

describe('reorder suggestions', () => {
  it('require Premium', async () => {
    const { ctx } = await newPerson(db, 'reorder-free@example.org');
    await expect(suggestReorders(ctx)).rejects.toMatchObject({ code: 'PREMIUM_REQUIRED' });
  });

  it('come from the forecast, show the cheapest offer and open orders, and disappear after delivery', async () => {
    const person = await newPerson(db, 'reorder@example.org', { plan: 'trial' });
    const other = await newPerson(db, 'reorder-other@example.org', { plan: 'trial' });
    const { ctx } = person;
    await storedSchedule(db, person, { madeUntil: db.clock.now() });
    await stockedVial(person, { name: 'BPC-157' });
    const dear = await addSupplier(ctx, { name: 'Dear' });
    const cheap = await addSupplier(ctx, { name: 'Cheap' });
    await addProduct(ctx, dear.id, PRODUCT);
    await addProduct(ctx, cheap.id, { ...PRODUCT, price: '20' });
    const foreign = await addSupplier(other.ctx, { name: 'Foreign' });
    await addProduct(other.ctx, foreign.id, { ...PRODUCT, price: '1' });

    const [found, ...more] = await suggestReorders(ctx);
    expect(more).toEqual([]);
    expect(found).toMatchObject({ name: 'BPC-157', onTheWay: [] });
    expect(found?.offers.map(({ product }) => product.supplierName)).toEqual(['Cheap']);
    expect(await suggestReorders(other.ctx)).toEqual([]);

    const order = await addOrder(ctx, { supplierId: cheap.id, lines: [{ ...PRODUCT, quantity: '40' }] });
    await stepOrder(ctx, order.id, 'sent');
    expect((await suggestReorders(ctx))[0]?.onTheWay).toEqual([{ orderId: order.id, vials: 40 }]);
    await receiveOrder(ctx, order.id, []);
    expect(await suggestReorders(ctx)).toEqual([]);
  });
});
