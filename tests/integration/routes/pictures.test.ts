import { beforeAll, describe, expect, it } from 'vitest';
import { bomb, HTML, photograph, picture, SVG } from '#tests/support/pictures.ts';
import { visibleText } from '#tests/support/html.ts';
import { made, type Owner } from './owned/owned.ts';
import { upload } from './owned/upload.ts';
import type { Answer } from './web-client.ts';
import { useWeb } from './web.ts';

/** Uploads by content, size and pixel count. */
const web = useWeb();
const EFFECTS = '/dashboard/tracking/side-effects';

let owner: Owner;
let effect: string;
beforeAll(async () => {
  owner = await web.user({ trial: true });
  effect = await made(owner, `${EFFECTS}/new`, {
    name: 'Rash',
    severity: '2',
    startedAt: '2026-01-05T08:00',
  });
});

const send = (bytes: Buffer, { name = 'image', to = effect } = {}) =>
  upload(owner, `${EFFECTS}/${to}/images`, { field: name, name: 'photo.jpg', type: 'image/jpeg', bytes });

const said = (answer: Answer) => visibleText(answer.body);

describe('a picture sent by the form', () => {
  it('is shown to its owner, and only as a picture', async () => {
    const sent = await send(await photograph());
    expect([sent.status, sent.location]).toEqual([302, `${EFFECTS}/${effect}`]);
    const page = await owner.get(`${EFFECTS}/${effect}`);
    const at = /\/dashboard\/tracking\/side-effects\/fx_\w+\/images\/img_\w+/.exec(page.body)?.[0] ?? '';
    const shown = await owner.get(at);
    expect(shown.status).toBe(200);
    expect(shown.headers).toMatchObject({
      'content-type': 'image/jpeg',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    expect(shown.headers['content-security-policy']).toContain('sandbox');
    expect(shown.body).not.toContain('SecretCamera');
    expect((await web.visitor().get(at)).status).toBe(302);
    expect((await (await web.user({ trial: true })).get(at)).status).toBe(404);
  });

  it.each([
    ['a renamed web page', () => HTML, 415, 'Only JPEG, PNG and WebP pictures can be added'],
    ['a renamed SVG', () => SVG, 415, 'Only JPEG, PNG and WebP pictures can be added'],
    ['a decompression bomb', bomb, 400, 'at most 24 million pixels'],
    ['6 MB', () => Buffer.alloc(6 * 1024 * 1024, 0xff), 413, 'Pictures can be at most 5 MB'],
    ['nothing', () => Buffer.alloc(0), 400, 'Choose a picture'],
  ])('is refused at the field: %s', async (_, bytes, status, message) => {
    const answer = await send(bytes());
    expect(answer.status).toBe(status);
    expect(said(answer)).toContain(message);
    expect(answer.body).toContain('id="image-error"');
  });

  it('is refused unread when far too large, and other pages have the normal form limit', async () => {
    expect((await send(Buffer.alloc(9 * 1024 * 1024))).status).toBe(413);
    const elsewhere = await owner.send(
      `${EFFECTS}/new`,
      Buffer.alloc(2 * 1024 * 1024),
      'application/x-www-form-urlencoded',
    );
    expect(elsewhere.status).toBe(413);
  });

  it('requires the right field name, a side effect of one’s own, and a form', async () => {
    expect((await send(await picture(), { name: 'file' })).status).toBe(400);
    expect((await send(await picture(), { to: 'fx_none' })).status).toBe(404);
    expect((await owner.send(`${EFFECTS}/${effect}/images`, '{}', 'application/json')).status).toBe(415);
    expect(
      (await owner.send(`${EFFECTS}/${effect}/images`, 'junk', 'multipart/form-data; boundary=x')).status,
    ).toBe(400);
  });
});
