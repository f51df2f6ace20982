import type { Document } from 'mongodb';
import { expect, it } from 'vitest';
import { fieldError, fieldValue, visibleText } from '#tests/support/html.ts';
import { made } from './owned/owned.ts';
import { storedIn } from './stored.ts';
import { useWeb } from './web.ts';

const web = useWeb();
// The server and what it keeps are shared with other tests.
const lotName = 'B-9 of a blend';

it('an order of a blend says what its vials will hold, from the draft to the vials that it becomes', async () => {
  const owner = await web.user({ trial: true });
  const supplier = await made(owner, '/dashboard/vendors/suppliers/new', {
    name: 'Acme',
    idempotencyKey: '',
  });
  await made(owner, `/dashboard/vendors/suppliers/${supplier}/products`, {
    name: 'Healing',
    form: 'lyophilised',
    mgPerVial: '15',
    price: '30',
    currency: 'USD',
  });
  const ofSupplier = (row: Document) => row['supplierId'] === supplier;
  const product = String((await storedIn(web.dataDir, 'products')).find(ofSupplier)?._id);
  const form = `/dashboard/vendors/orders/new?supplier=${supplier}`;
  const fields = (components: string) => ({
    [`quantity.${product}`]: '1',
    [`components.${product}`]: components,
  });
  const wrong = await owner.post(form, fields('BPC-157:5;TB-500:5'));
  expect(wrong.status).toBe(400);
  expect(fieldError(wrong.body, `components.${product}`)).toContain('must add up to 15 mg per vial');
  expect(fieldValue(wrong.body, `components.${product}`)).toBe('BPC-157:5;TB-500:5');
  const id = await made(owner, form, fields('BPC-157:5; TB-500:10'));
  const order = `/dashboard/vendors/orders/${id}`;
  const contents = 'BPC-157 5 mg + TB-500 10 mg';
  expect(visibleText((await owner.get(order)).body)).toContain(contents);
  const edit = await owner.get(`${order}/edit`);
  expect(fieldValue(edit.body, `components.${product}`)).toBe('BPC-157:5;TB-500:10');
  await owner.post(order, { to: 'sent' });
  const receive = await owner.get(`${order}/receive`);
  expect(fieldValue(receive.body, 'components.0')).toBe('BPC-157:5;TB-500:10');
  const received = await owner.post(`${order}/receive`, {
    'lot.0': lotName,
    'components.0': fieldValue(receive.body, 'components.0') ?? '',
  });
  expect(received.status, visibleText(received.body)).toBe(302);
  expect(visibleText((await owner.get(order)).body)).toContain(contents);
  const vials = (await storedIn(web.dataDir, 'compounds')).filter(({ lot }) => lot === lotName);
  expect(vials).toHaveLength(1);
  expect(vials[0]).toMatchObject({
    supplierId: supplier,
    components: [
      { name: 'BPC-157', amount: '5' },
      { name: 'TB-500', amount: '10' },
    ],
  });
});
