import { beforeAll, describe, expect, it } from 'vitest';
import { certificate } from '#tests/support/papers.ts';
import { bomb, HTML, SVG } from '#tests/support/pictures.ts';
import { visibleText } from '#tests/support/html.ts';
import { made, type Owner } from './owned/owned.ts';
import { upload } from './owned/upload.ts';
import { storedIn } from './stored.ts';
import { useWeb } from './web.ts';

/** The certificates of orders. */
const web = useWeb();

let owner: Owner;
let papers: string;
beforeAll(async () => {
  owner = await web.user({ trial: true });
  const supplier = await made(owner, '/dashboard/vendors/suppliers/new', {
    name: 'Acme',
    idempotencyKey: '',
  });
  await made(owner, `/dashboard/vendors/suppliers/${supplier}/products`, {
    name: 'BPC-157',
    form: 'lyophilised',
    mgPerVial: '5',
    price: '30',
    currency: 'USD',
  });
  const rows = await storedIn(web.dataDir, 'products');
  const product = String(rows.find((row) => row['supplierId'] === supplier)?._id);
  const order = await made(owner, `/dashboard/vendors/orders/new?supplier=${supplier}`, {
    [`quantity.${product}`]: '2',
  });
  papers = `/dashboard/vendors/orders/${order}/papers`;
});

const send = (bytes: Buffer, name = 'coa.pdf') =>
  upload(owner, papers, { field: 'paper', name, type: 'application/pdf', bytes });

describe('a certificate sent by the form', () => {
  it('is saved under its name, cannot run in a browser, and is available to its owner only', async () => {
    const sent = await send(certificate(), 'Prüfbericht 7.pdf');
    expect([sent.status, sent.location]).toEqual([302, papers.replace('/papers', '')]);
    const page = await owner.get(papers.replace('/papers', ''));
    expect(visibleText(page.body)).toContain('Prüfbericht 7.pdf');
    const at = new RegExp(`${papers}/paper_\\w+`).exec(page.body)?.[0] ?? '';
    const saved = await owner.get(at);
    expect(saved.status).toBe(200);
    expect(saved.headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition':
        'attachment; filename="Pr_fbericht 7.pdf"; filename*=UTF-8\'\'Pr%C3%BCfbericht%207.pdf',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    const called = await owner.get(at.replace('/dashboard/vendors', '/api'));
    expect(called.headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': saved.headers['content-disposition'],
      'x-content-type-options': 'nosniff',
    });
    // Beside the policy of every answer; both hold.
    for (const { headers } of [saved, called])
      expect(headers['content-security-policy']).toMatch(/, default-src 'none'; sandbox$/);
    expect((await web.visitor().get(at)).status).toBe(302);
    expect((await (await web.user({ trial: true })).get(at)).status).toBe(404);
  });

  it.each([
    ['a renamed web page', () => HTML, 415, 'Only PDF files and JPEG, PNG or WebP pictures can be added'],
    ['a renamed SVG', () => SVG, 415, 'Only PDF files and JPEG, PNG or WebP pictures can be added'],
    ['half a PDF', () => certificate().subarray(0, 200), 400, 'This PDF is incomplete'],
    ['a decompression bomb', bomb, 400, 'at most 24 million pixels'],
    ['6 MB', () => Buffer.alloc(6 * 1024 * 1024, 0xff), 413, 'A file can be at most 5 MB'],
    ['nothing', () => Buffer.alloc(0), 400, 'Choose a file'],
  ])('is refused at the field: %s', async (_, bytes, status, message) => {
    const answer = await send(bytes());
    expect(answer.status).toBe(status);
    expect(visibleText(answer.body)).toContain(message);
    expect(answer.body).toContain('id="paper-error"');
  });

  it('can have 4 MB, at an order and at a lot', async () => {
    const bytes = certificate('Purity 99.1 %'.padEnd(4_000_000));
    const lot = await made(owner, '/dashboard/lots/new', {
      number: 'A-1',
      product: 'BPC-157',
      idempotencyKey: '',
    });
    for (const at of [papers, `/dashboard/lots/${lot}/papers`]) {
      const sent = await upload(owner, at, {
        field: 'paper',
        name: 'coa.pdf',
        type: 'application/pdf',
        bytes,
      });
      expect([sent.status, sent.location]).toEqual([302, at.replace('/papers', '')]);
    }
  });
});
