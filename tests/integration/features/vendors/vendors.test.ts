import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { importCatalogue, type CatalogueSource } from '#app/features/vendors/catalogue-import.server.ts';
import type { OrderInput } from '#app/domain/vendors/order-schema.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import {
  receiveOrder,
  addOrder,
  deleteOrder,
  getOrder,
  listOrders,
  stepOrder,
  updateOrder,
} from '#app/features/vendors/orders.server.ts';
import {
  addProduct,
  listProductsOf,
  priceComparison,
  addSupplier,
  deleteSupplier,
  listSuppliers,
  updateSupplier,
} from '#app/features/vendors/suppliers.server.ts';
import { openTestDatabase, testConnection, type TestDatabase } from '#tests/support/database.ts';
import { codeOf } from '#tests/support/outcomes.ts';
import { newPerson } from '#tests/support/people.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await openTestDatabase({ env: { RATE_LIMIT_FACTOR: '100' } });
});
afterAll(() => db.dispose());

let people = 0;
const premium = async (): Promise<Ctx> =>
  (await newPerson(db, `vendor-${(people += 1)}@example.org`, { plan: 'trial' })).ctx;

const LINE = { name: 'BPC-157', mgPerVial: '5', price: '29.90', currency: 'USD', quantity: '3' };
const vialsOf = (ctx: Ctx) =>
  testConnection(db)
    .collection('compounds')
    .find({ userId: ctx.actor.kind === 'user' ? ctx.actor.id : '' })
    .toArray();

async function sentOrder(ctx: Ctx, lines: OrderInput['lines'] = [LINE]) {
  const supplier = await addSupplier(ctx, { name: 'Acme' });
  const order = await addOrder(ctx, { supplierId: supplier.id, lines });
  await stepOrder(ctx, order.id, 'sent');
  return order;
}

describe('suppliers and products', () => {
  it('require Premium', async () => {
    const { ctx } = await newPerson(db, 'free-vendor@example.org');
    expect(await codeOf(listSuppliers(ctx))).toBe('PREMIUM_REQUIRED');
    expect(await codeOf(addSupplier(ctx, { name: 'Acme' }))).toBe('PREMIUM_REQUIRED');
    expect(await codeOf(addOrder(ctx, { supplierId: 'x', lines: [LINE] }))).toBe('PREMIUM_REQUIRED');
  });

  it('are added once per form, however often it is submitted', async () => {
    const ctx = await premium();
    await Promise.all(Array.from({ length: 10 }, () => addSupplier(ctx, { name: 'Acme' }, 'press-1')));
    expect((await listSuppliers(ctx)).length).toBe(1);
  });

  it('are deleted together, and belong only to their owner', async () => {
    const [owner, other] = [await premium(), await premium()];
    const { id } = await addSupplier(owner, { name: 'Acme' });
    await addProduct(owner, id, { name: 'BPC-157', mgPerVial: 5, price: 30, currency: 'usd' });
    expect(await codeOf(addProduct(other, id, LINE))).toBe('NOT_FOUND');
    expect(await codeOf(updateSupplier(other, id, { name: 'Mine' }))).toBe('NOT_FOUND');
    expect(await codeOf(deleteSupplier(other, id))).toBe('NOT_FOUND');
    expect((await priceComparison(owner))[0]?.rows[0]?.perMgText).toBe('6.00 USD/mg');
    await deleteSupplier(owner, id);
    expect(await priceComparison(owner)).toEqual([]);
  });
});

describe('an order', () => {
  it('moves from draft to sent, confirmed and received, and no other way', async () => {
    const ctx = await premium();
    const supplier = await addSupplier(ctx, { name: 'Acme' });
    const { id } = await addOrder(ctx, { supplierId: supplier.id, lines: [LINE] });
    expect(await codeOf(stepOrder(ctx, id, 'confirmed'))).toBe('WRONG_STATE');
    expect(await codeOf(receiveOrder(ctx, id, []))).toBe('WRONG_STATE');
    await stepOrder(ctx, id, 'sent');
    expect(await codeOf(updateOrder(ctx, id, { supplierId: supplier.id, lines: [LINE] }))).toBe('NOT_DRAFT');
    expect(await codeOf(deleteOrder(ctx, id))).toBe('WRONG_STATE');
    await stepOrder(ctx, id, 'confirmed');
    await receiveOrder(ctx, id, []);
    expect(await codeOf(stepOrder(ctx, id, 'cancelled'))).toBe('WRONG_STATE');
    const { steps } = await getOrder(ctx, id);
    expect(steps.map(({ state }) => state)).toEqual(['draft', 'sent', 'confirmed', 'received']);
  });

  it('adds sealed vials with lot, expiry and cost once, even if received in several tabs', async () => {
    const ctx = await premium();
    const { id, supplierId } = await sentOrder(ctx);
    const said = [{ lot: ' L-77 ', expirationDate: '2091-05-31' }];
    const answers = await Promise.all(Array.from({ length: 8 }, () => codeOf(receiveOrder(ctx, id, said))));
    expect(answers).toContain('done');
    const vials = await vialsOf(ctx);
    expect(vials.length).toBe(3);
    for (const vial of vials)
      expect(vial).toMatchObject({
        name: 'BPC-157',
        status: 'sealed',
        totalAmount: '5',
        lot: 'L-77',
        expirationDate: '2091-05-31',
        cost: '29.90',
        currency: 'USD',
        supplierId,
      });
  });

  it('of more vials than one act adds has them all, each once', async () => {
    const ctx = await premium();
    const { id } = await sentOrder(ctx, [{ ...LINE, quantity: '60' }, LINE]);
    expect(await receiveOrder(ctx, id, [{ lot: 'L-1' }])).toBe(63);
    const vials = await vialsOf(ctx);
    expect(vials.filter(({ lot }) => lot === 'L-1')).toHaveLength(60);
    expect(vials.filter(({ lot }) => lot === null)).toHaveLength(3);
  });

  it('of a blend adds vials with each component, which add up to the ordered amount', async () => {
    const ctx = await premium();
    const { id } = await sentOrder(ctx, [{ ...LINE, name: 'Healing', mgPerVial: '15' }]);
    const received = (components: unknown) => receiveOrder(ctx, id, [{ lot: 'B-1', components }]);
    for (const [wrong, message] of [
      ['BPC-157:5;TB-500:5', 'add up to 15 mg'],
      ['BPC-157:5;TB-500', 'TB-500'],
      [[{ name: 'BPC-157', amount: 15 }, { name: '' }], ''],
    ] as const)
      await expect(received(wrong)).rejects.toMatchObject({
        code: 'INVALID_INPUT',
        fields: { 'components.0': [expect.stringContaining(message)] },
      });
    expect(await vialsOf(ctx)).toEqual([]);
    expect(await received('BPC-157:5; TB-500:10')).toBe(3);
    for (const vial of await vialsOf(ctx))
      expect(vial).toMatchObject({
        name: 'Healing',
        totalAmount: '5',
        remaining: '5',
        components: [
          { name: 'BPC-157', amount: '5', changedMg: '0' },
          { name: 'TB-500', amount: '10', changedMg: '0' },
        ],
      });
  });

  it('of a blend stores the components, which are received unless others are entered', async () => {
    const ctx = await premium();
    const ordered = { ...LINE, name: 'Healing', mgPerVial: '15', components: 'BPC-157:5; TB-500:10' };
    const held = [
      { name: 'BPC-157', amount: '5' },
      { name: 'TB-500', amount: '10' },
    ];
    await expect(sentOrder(ctx, [{ ...ordered, mgPerVial: '10' }])).rejects.toMatchObject({
      fields: { 'lines.components': ['Components must add up to 10 mg per vial'] },
    });
    const first = await sentOrder(ctx, [ordered]);
    expect((await getOrder(ctx, first.id)).lines).toMatchObject([{ components: held }]);
    await receiveOrder(ctx, first.id, [{ lot: 'B-2' }]);
    expect((await getOrder(ctx, first.id)).lines).toMatchObject([{ lot: 'B-2', components: held }]);
    for (const vial of await vialsOf(ctx))
      expect(vial).toMatchObject({ totalAmount: '5', components: held.map((one) => ({ ...one })) });
    for (const [sent, kept] of [
      ['BPC-157:10;TB-500:5', [{ amount: '10' }, { amount: '5' }]],
      ['', null],
    ] as const) {
      const { id } = await sentOrder(ctx, [ordered]);
      await receiveOrder(ctx, id, [{ components: sent }]);
      const [line] = (await getOrder(ctx, id)).lines;
      expect(line).toMatchObject({ components: kept });
    }
  });

  it('that was interrupted while adding vials is finished by receiving again', async () => {
    const ctx = await premium();
    const { id } = await sentOrder(ctx);
    await receiveOrder(ctx, id, [{ lot: 'A' }]);
    await testConnection(db)
      .collection('orders')
      .updateOne({ _id: id as never }, { $set: { vialsMade: false } });
    const [gone] = await vialsOf(ctx);
    await testConnection(db).collection('compounds').deleteOne({ _id: gone?._id });
    expect(await receiveOrder(ctx, id, [])).toBe(3);
    expect((await vialsOf(ctx)).map(({ lot }) => lot as string)).toEqual(['A', 'A', 'A']);
    expect(await codeOf(receiveOrder(ctx, id, []))).toBe('WRONG_STATE');
  });

  it('reports the line of an error, and nothing is received', async () => {
    const ctx = await premium();
    const { id } = await sentOrder(ctx, [LINE, { ...LINE, name: 'TB-500' }]);
    const refused = await receiveOrder(ctx, id, [{}, { expirationDate: '2091-02-30' }]).catch(
      (e: unknown) => e,
    );
    expect(refused).toMatchObject({
      code: 'INVALID_INPUT',
      fields: { 'expirationDate.1': [expect.any(String)] },
    });
    expect((await getOrder(ctx, id)).state).toBe('sent');
    expect(await vialsOf(ctx)).toEqual([]);
  });

  it('of somebody else is not found, and somebody else’s supplier is refused', async () => {
    const [owner, other] = [await premium(), await premium()];
    const order = await sentOrder(owner);
    for (const attempt of [
      () => getOrder(other, order.id),
      () => stepOrder(other, order.id, 'cancelled'),
      () => receiveOrder(other, order.id, []),
      () => deleteOrder(other, order.id),
    ])
      expect(await codeOf(attempt())).toBe('NOT_FOUND');
    expect(await codeOf(addOrder(other, { supplierId: order.supplierId, lines: [LINE] }))).toBe(
      'INVALID_INPUT',
    );
  });

  it('is listed in pages, newest first', async () => {
    const ctx = await premium();
    const supplier = await addSupplier(ctx, { name: 'Acme' });
    const ids: string[] = [];
    for (let index = 0; index < 23; index += 1)
      ids.unshift((await addOrder(ctx, { supplierId: supplier.id, lines: [LINE] })).id);
    const first = await listOrders(ctx);
    const second = await listOrders(ctx, first.next ?? '');
    expect([...first.orders, ...second.orders].map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
    expect(second.next).toBeNull();
  });
});

describe('a catalogue', () => {
  const CSV = 'Name;mg per vial;Price;Currency\nBPC-157;5;30;USD\n"TB;500";10;45,5;eur\nBad;x;1;USD\n';

  it('has a preview, and importing it again adds nothing twice and updates prices', async () => {
    const ctx = await premium();
    const { id } = await addSupplier(ctx, { name: 'Acme' });
    const look = await importCatalogue(ctx, id, { text: CSV }, true);
    expect(look).toMatchObject({ added: 2, updated: 0, bad: [{ line: 4 }] });
    expect(await listProductsOf(ctx, id)).toEqual([]);
    await importCatalogue(ctx, id, { text: CSV }, false);
    expect(await importCatalogue(ctx, id, { text: CSV }, false)).toMatchObject({ added: 0, unchanged: 2 });
    const dearer = CSV.replace(';30;', ';33;');
    expect(await importCatalogue(ctx, id, { text: dearer }, false)).toMatchObject({ added: 0, updated: 1 });
    const products = await listProductsOf(ctx, id);
    expect(products.map(({ name, price }) => [name, price])).toEqual([
      ['BPC-157', '33'],
      ['TB;500', '45.5'],
    ]);
  });

  it('can be imported from a web address', async () => {
    const server = http.createServer((_request, response) => response.end(CSV));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/list.csv`;
    const ctx = await premium();
    const { id } = await addSupplier(ctx, { name: 'Acme' });
    expect(await importCatalogue(ctx, id, { url }, false)).toMatchObject({ added: 2 });
    server.close();
  });

  it.each<[string, CatalogueSource, string]>([
    ['nothing', {}, 'text'],
    ['an empty text', { text: '' }, 'text'],
    ['a text that is no table', { text: 'just words' }, 'text'],
    ['a table without amounts', { text: 'name,price\nA,1' }, 'text'],
    ['a table of 1,001 lines', { text: `name,mg,price\n${'A,1,1\n'.repeat(1001)}` }, 'text'],
    ['an unknown currency', { text: CSV, currency: 'dollars' }, 'currency'],
    ['a private address', { url: 'http://10.0.0.1/list.csv' }, 'url'],
    ['a file of the machine', { url: 'file:///etc/passwd' }, 'url'],
  ])('is refused: %s', async (_, source, field) => {
    const ctx = await premium();
    const { id } = await addSupplier(ctx, { name: 'Acme' });
    const refused = await importCatalogue(ctx, id, source, false).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'INVALID_INPUT', fields: { [field]: [expect.any(String)] } });
    expect(await listProductsOf(ctx, id)).toEqual([]);
  });
});
