import { beforeAll, describe, expect, it } from 'vitest';
import { APPLE_FILE } from '#tests/support/apple-health.ts';
import { zipOf } from '#tests/support/zips.ts';
import { fieldValue, visibleText } from '#tests/support/html.ts';
import { oneVial, sendFile } from './owned/imports.ts';
import type { WebClient } from './web-client.ts';
import { signUp, useWeb } from './web.ts';

const web = useWeb();
let ada: WebClient;

const text = async (path: string) => visibleText((await ada.get(path)).body);

beforeAll(async () => {
  ada = web.visitor();
  await signUp(ada, 'importer@example.org', { plan: 'trial' });
});

describe('a file sent to the import page', () => {
  it('is checked, imported once however often the button is pressed, and undone', async () => {
    const page = (await sendFile(ada, oneVial(), '../../etc/"x".json')).location ?? '';
    expect(page).toMatch(/^\/dashboard\/import\/imp_\w+$/);
    expect(await text(page)).toContain('Import 1 record');
    expect((await ada.get('/dashboard/vials')).body).not.toContain('Imported');
    const presses = await Promise.all([ada.post(page, {}), ada.post(page, {})]);
    expect(presses.map(({ status, location }) => [status, location])).toEqual([
      [302, page],
      [302, page],
    ]);
    expect(await text(page)).toContain('Imported: 1 vial.');
    expect(await text('/dashboard/import')).toContain('Added 1 vial.');
    expect((await ada.post(page, {})).status).toBe(302);
    expect((await ada.post(`${page}/undo`, {})).location).toBe(page);
    expect((await ada.post(`${page}/undo`, {})).location).toBe(page);
    expect(await text(page)).toContain('This import was undone.');
    const late = await ada.post(page, {});
    expect([late.status, visibleText(late.body)]).toEqual([
      409,
      expect.stringContaining('This import was undone before. Upload the file again.'),
    ]);
  });

  it('with invalid rows is shown with line and reason, and cannot be imported', async () => {
    const bad = `takenAt,name,amount,unit\n${'soon,<b>BPC</b>,1,mg\n'.repeat(120)}`;
    const page = (await sendFile(ada, bad, 'doses.csv')).location ?? '';
    const shown = await text(page);
    expect(shown).toContain('120 rows contain errors.');
    expect(shown).toContain('takenAt: Enter a date and a time');
    expect(shown).toContain('These are the first 100. 20 more rows contain errors.');
    expect(shown).not.toContain('Import 120');
    expect((await ada.post(page, {})).status).toBe(422);
  });

  it('of a phone shows what was understood and what was left out', async () => {
    const page = (await sendFile(ada, APPLE_FILE, 'export.xml')).location ?? '';
    const shown = await text(page);
    for (const words of ['Recognised', 'Left out', 'Step count', 'Import 8 records'])
      expect(shown).toContain(words);
    expect((await ada.post(page, {})).location).toBe(page);
    expect(await text(page)).toContain('Imported: 8 measurements.');
    expect(await text('/dashboard/tracking/health')).toContain('Measurements (8)');
  });

  it('of a phone may come in its zip', async () => {
    const zip = await zipOf({ 'apple_health_export/export.xml': APPLE_FILE });
    const page = (await sendFile(ada, Buffer.from(zip), 'export.zip')).location ?? '';
    expect(await text(page)).toContain('You already have everything in this file.');
  });

  it.each([
    ['half of an XML file', APPLE_FILE.slice(0, -20), 400, 'Line 34: '],
    ['nothing', '', 400, 'This file is empty.'],
    [
      'a picture',
      Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff, 0xfe]),
      400,
      'Choose a CSV, JSON or XML file, or a zip with one.',
    ],
    ['another table', 'a,b\n1,2', 400, 'The first line must be the header of an export'],
    ['33 MB', Buffer.alloc(33 * 1024 * 1024, 10), 413, 'The file is larger than 32 MB.'],
  ])('that is %s comes back with what is wrong', async (_what, content, status, message) => {
    const sent = await sendFile(ada, content);
    expect([sent.status, visibleText(sent.body)]).toEqual([status, expect.stringContaining(message)]);
  });

  it('that is larger than the server reads is refused before it is read', async () => {
    expect((await sendFile(ada, Buffer.alloc(37 * 1024 * 1024, 10))).status).toBe(413);
  });

  it('that is incomplete is refused', async () => {
    const head = '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\ntakenAt';
    const sent = await ada.send(
      '/dashboard/import?index',
      Buffer.from(head),
      'multipart/form-data; boundary=x',
    );
    expect(sent.status).toBe(400);
  });
});

it('a future reconstitution date must be confirmed before the import', async () => {
  const vial = { id: `vial_${'e'.repeat(24)}`, createdAt: '2026-01-05T08:00:00.000Z', name: 'Ahead' };
  const rows = [{ ...vial, totalAmount: 5, waterMl: 2, reconstitutionDate: '2190-03-08' }];
  const page = (await sendFile(ada, JSON.stringify({ compounds: rows }))).location ?? '';
  const { body } = await ada.get(page);
  expect(visibleText(body)).toContain('Are these rows right?');
  expect(visibleText(body)).toContain('Reconstituted on 8 Mar 2190, which is in the future.');
  expect((await ada.post(page, { confirm: fieldValue(body, 'confirm') ?? '' })).location).toBe(page);
  expect(await text(page)).toContain('Imported: 1 vial.');
});

it('the example can be imported unchanged', async () => {
  const example = await ada.get('/dashboard/import/doses-example.csv');
  expect(example.status).toBe(200);
  const page = (await sendFile(ada, example.body, 'doses.csv')).location ?? '';
  expect(await text(page)).toContain('Import 2 records');
});
