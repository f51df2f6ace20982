import { describe, expect, it } from 'vitest';
import { hostileImports, hostilePapers } from '#tests/support/hostile-files.ts';
import { made, type Owner } from '../routes/owned/owned.ts';
import { upload } from '../routes/owned/upload.ts';
import { useWeb } from '../routes/web.ts';
import { LONGEST_WAIT_SECONDS, longestWait } from './other-visitor.ts';

/** Files and texts that cost more to read than to send, from two people who need no more than a browser. */
const web = useWeb();

/** Somebody with an account, and somebody who only opened the demo. */
async function senders(): Promise<Owner[]> {
  const demo = web.visitor();
  expect((await demo.post('/demo', { timeZone: 'UTC' })).status).toBe(302);
  return [await web.user({ trial: true }), Object.assign(demo, { email: '' })];
}

const SIZE = 100_000;
const blanks = ' '.repeat(SIZE);

/** Texts of fields; the demo sends nothing to push services. */
const TEXTS: [what: string, path: string, fields: Record<string, string>, status: number, inDemo?: number][] =
  [
    ['an amount', '/dashboard/schedule/new', { doseAmount: `1${blanks}!`, meantUnit: 'mcg' }, 200],
    ['a heading', '/dashboard/tracking/health/import', { text: `date,weight${blanks}(x\n2026-01-01,1` }, 200],
    ['headings', '/dashboard/tracking/health/import', { text: `date${',weight'.repeat(20_000)}` }, 200],
    [
      'keys',
      '/dashboard/profile/push',
      { endpoint: 'https://a.example', p256dh: `${'='.repeat(SIZE)}!` },
      400,
      403,
    ],
  ];

async function sendAll(sender: Owner): Promise<void> {
  for (const { what, type, bytes, status, error } of await hostileImports()) {
    const answer = await sender.send('/api/import', bytes, type);
    expect([answer.status, (JSON.parse(answer.body) as { error: string }).error], what).toEqual([
      status,
      error,
    ]);
  }
  const supplier = await made(sender, '/dashboard/vendors/suppliers/new', {
    name: 'Acme',
    idempotencyKey: '',
  });
  const catalogue = `/dashboard/vendors/suppliers/${supplier}/catalogue`;
  const columns = await sender.post(catalogue, { text: `name,mg,price${',x'.repeat(150_000)}` });
  expect(columns.status, 'a catalogue of columns').toBe(400);
  for (const [what, path, fields, status, inDemo = status] of TEXTS)
    expect((await sender.post(path, fields)).status, what).toBe(sender.email === '' ? inDemo : status);
  const papers = await paperAddress(sender, supplier);
  for (const { what, bytes } of hostilePapers()) {
    const name = `${' .'.repeat(SIZE / 2)}x.pdf`;
    const sent = await upload(sender, papers, { field: 'paper', name, type: 'application/pdf', bytes });
    expect(sent.status, what).toBe(302);
  }
}

/** Where the documents of a new order go. */
async function paperAddress(sender: Owner, supplier: string): Promise<string> {
  const line = { name: 'BPC-157', form: 'lyophilised', mgPerVial: '5', price: '30', currency: 'USD' };
  await made(sender, `/dashboard/vendors/suppliers/${supplier}/products`, line);
  const form = await sender.get(`/dashboard/vendors/orders/new?supplier=${supplier}`);
  const quantity = /name="(quantity\.[^"]+)"/.exec(form.body)?.[1] ?? '';
  const order = await made(sender, `/dashboard/vendors/orders/new?supplier=${supplier}`, { [quantity]: '2' });
  return `/dashboard/vendors/orders/${order}/papers`;
}

describe('files and texts that cost more to read than to send', () => {
  it('are refused for people with an account and in the demo, and nobody else waits', async () => {
    const work = senders().then((all) => Promise.all(all.map(sendAll)));
    expect(await longestWait(web, work)).toBeLessThan(LONGEST_WAIT_SECONDS);
  });
});
