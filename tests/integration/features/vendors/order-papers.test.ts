import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAX_DOCUMENT_BYTES, DOCUMENT_QUOTA } from '#app/domain/vendors/document-schema.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import {
  addOrderDocument,
  deleteOrderDocument,
  readOrderDocument,
  addOrder,
  deleteOrder,
  getOrder,
} from '#app/features/vendors/orders.server.ts';
import { addSupplier } from '#app/features/vendors/suppliers.server.ts';
import { openTestDatabase, testConnection, type TestDatabase } from '#tests/support/database.ts';
import { codeOf } from '#tests/support/outcomes.ts';
import { certificate } from '#tests/support/papers.ts';
import { newPerson } from '#tests/support/people.ts';
import { bomb, HTML, photograph, picture, SVG } from '#tests/support/pictures.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await openTestDatabase({ env: { RATE_LIMIT_FACTOR: '100' } });
});
afterAll(() => db.dispose());

const LINE = { name: 'BPC-157', mgPerVial: '5', price: '29.90', currency: 'USD', quantity: '3' };

let people = 0;
async function buyer() {
  const person = await newPerson(db, `papers-${(people += 1)}@example.org`, { plan: 'trial' });
  const { ctx } = person;
  const { id: supplierId } = await addSupplier(ctx, { name: 'Acme' });
  const { id } = await addOrder(ctx, { supplierId, lines: [LINE] });
  return { ctx, id, userId: person.signedIn.user.id };
}

const add = (ctx: Ctx, id: string, bytes: Uint8Array = certificate(), fileName = 'coa.pdf') =>
  addOrderDocument(ctx, id, { fileName, bytes });

describe('a PDF is stored as it is, without being unpacked', () => {
  const packed = (content: Buffer) =>
    Buffer.concat([
      Buffer.from('%PDF-1.7\n8 0 obj<</Type/ObjStm/N 1/First 4/Filter/FlateDecode/Length 1>>stream\n'),
      content,
      Buffer.from('\nendstream\nendobj\n%%EOF\n'),
    ]);

  it.each([
    ['packed objects that end on a line of their own', packed(deflateSync('9 0 <</Type/Font>>'))],
    ['63 kB that would fill 64 MB', packed(deflateSync(Buffer.alloc(64 * 1024 * 1024)))],
    ['100 kB of beginnings without an end', packed(Buffer.from('stream\n'.repeat(15_000)))],
  ])('with %s', async (_, bytes) => {
    const { ctx, id } = await buyer();
    const { id: paperId } = await add(ctx, id, bytes);
    expect((await readOrderDocument(ctx, id, paperId)).bytes.equals(bytes)).toBe(true);
  });
});

describe('a document of an order', () => {
  it('requires Premium', async () => {
    const { ctx } = await newPerson(db, 'papers-free@example.org');
    expect(await codeOf(add(ctx, 'x'))).toBe('PREMIUM_REQUIRED');
    expect(await codeOf(readOrderDocument(ctx, 'x', 'y'))).toBe('PREMIUM_REQUIRED');
    expect(await codeOf(deleteOrderDocument(ctx, 'x', 'y'))).toBe('PREMIUM_REQUIRED');
  });

  it('is returned unchanged if it is a PDF, under a name without folders', async () => {
    const { ctx, id } = await buyer();
    const paper = await add(ctx, id, certificate(), 'C:\\lab\\COA L-1.pdf');
    expect(paper).toMatchObject({ fileName: 'COA L-1.pdf', contentType: 'application/pdf' });
    expect((await getOrder(ctx, id)).papers).toEqual([paper]);
    const read = await readOrderDocument(ctx, id, paper.id);
    expect(read.fileName).toBe('COA L-1.pdf');
    expect(read.bytes.equals(certificate())).toBe(true);
  });

  it('is re-encoded if it is a picture, without location and camera data', async () => {
    const { ctx, id } = await buyer();
    const paper = await add(ctx, id, await photograph(), 'scan.pdf');
    expect(paper).toMatchObject({ fileName: 'scan.jpg', contentType: 'image/jpeg' });
    const { bytes } = await readOrderDocument(ctx, id, paper.id);
    expect((await sharp(bytes).metadata()).exif).toBeUndefined();
    expect(bytes.includes('SecretCamera')).toBe(false);
  });

  it('is refused for its content, whatever its name, and nothing of it is stored', async () => {
    const { ctx, id, userId } = await buyer();
    const tries: [string, Uint8Array, string][] = [
      ['a web page', HTML, 'UNSUPPORTED_MEDIA_TYPE'],
      ['a web page before a PDF', Buffer.concat([HTML, certificate()]), 'UNSUPPORTED_MEDIA_TYPE'],
      ['an SVG', SVG, 'UNSUPPORTED_MEDIA_TYPE'],
      ['nothing', Buffer.alloc(0), 'INVALID_INPUT'],
      ['half a PDF', certificate().subarray(0, 200), 'INVALID_INPUT'],
      ['a decompression bomb', bomb(), 'INVALID_INPUT'],
      [
        'a byte too much',
        Buffer.concat([certificate(), Buffer.alloc(MAX_DOCUMENT_BYTES)]),
        'PAYLOAD_TOO_LARGE',
      ],
    ];
    for (const [what, bytes, code] of tries) expect(await codeOf(add(ctx, id, bytes)), what).toBe(code);
    expect((await getOrder(ctx, id)).papers).toEqual([]);
    expect(await testConnection(db).collection('papers.files').countDocuments({ userId })).toBe(0);
    expect(await db.repos.documentQuota.get(userId)).toEqual({ count: 0, bytes: 0 });
  });

  it('belongs only to its owner, and is deleted alone or with its order', async () => {
    const [owner, other] = [await buyer(), await buyer()];
    const [first] = [await add(owner.ctx, owner.id), await add(owner.ctx, owner.id, await picture('png'))];
    expect(await codeOf(readOrderDocument(other.ctx, owner.id, first.id))).toBe('NOT_FOUND');
    expect(await codeOf(readOrderDocument(other.ctx, other.id, first.id))).toBe('NOT_FOUND');
    expect(await codeOf(add(other.ctx, owner.id))).toBe('NOT_FOUND');
    expect(await codeOf(deleteOrderDocument(other.ctx, owner.id, first.id))).toBe('NOT_FOUND');
    await deleteOrderDocument(owner.ctx, owner.id, first.id);
    expect(await codeOf(readOrderDocument(owner.ctx, owner.id, first.id))).toBe('NOT_FOUND');
    expect(await codeOf(deleteOrderDocument(owner.ctx, owner.id, first.id))).toBe('NOT_FOUND');
    await deleteOrder(owner.ctx, owner.id);
    expect(await db.repos.documentFiles.usage(owner.userId)).toEqual({ count: 0, bytes: 0 });
    expect(await db.repos.documentQuota.get(owner.userId)).toEqual({ count: 0, bytes: 0 });
  });

  it('is limited to ten per order, even concurrently, and by the account’s quota', async () => {
    const { ctx, id, userId } = await buyer();
    const answers = await Promise.all(Array.from({ length: 12 }, () => codeOf(add(ctx, id))));
    expect(answers.filter((code) => code === 'done')).toHaveLength(10);
    expect(answers.filter((code) => code === 'LIMIT_REACHED')).toHaveLength(2);
    expect((await db.repos.documentQuota.get(userId)).count).toBe(10);
    const { bytes } = await db.repos.documentQuota.get(userId);
    expect(
      await db.repos.documentQuota.reserve(userId, DOCUMENT_QUOTA.bytes - bytes + 1, DOCUMENT_QUOTA),
    ).toBe(false);
  });
});
