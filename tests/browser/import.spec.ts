import { mkdirSync } from 'node:fs';
import { describe, expect, inject, it } from 'vitest';
import type { Page } from 'playwright-core';
import { DESKTOP, expectSoundPage, openPage, PHONE, type View } from '#tests/support/browser.ts';
import { APPLE_FILE } from '#tests/support/apple-health.ts';
import { spawnCli } from '#tests/support/cli.ts';
import { zipOf } from '#tests/support/zips.ts';
import { hydrated, saveCalculation, signUp } from './journey.ts';

const main = (page: Page) => page.locator('main');
const shows = (page: Page, text: string) => expect.poll(() => main(page).innerText()).toContain(text);

/** Looks at a page: sound for everybody, and kept as a picture when `SHOTS` names a folder. */
async function look(page: Page, name: string, { scripts, width }: View): Promise<void> {
  const folder = process.env['SHOTS'];
  if (folder) {
    mkdirSync(folder, { recursive: true });
    await page.screenshot({ path: `${folder}/${name}-${width}.png`, fullPage: true });
  }
  await expectSoundPage(page, name, scripts);
}

async function choose(page: Page, name: string, text: string): Promise<void> {
  await page.setInputFiles('[name=file]', { name, mimeType: 'text/csv', buffer: Buffer.from(text) });
  await page.getByRole('button', { name: 'Check file' }).click();
}

/** A file that is none, then one with a bad row: said at the field, and by line. */
async function chooseWrongly(page: Page, view: View): Promise<void> {
  await page.goto('/dashboard/profile/your-data');
  await page.getByRole('link', { name: /^Import/ }).click();
  await page.waitForURL(/\/dashboard\/import$/);
  await shows(page, 'Nothing imported yet');
  await page.getByRole('button', { name: 'Check file' }).click();
  await shows(page, 'This file is empty.');
  await choose(
    page,
    'doses.csv',
    'takenAt,name,amount,unit\n2026-01-05 08:00,BPC-157,250,mcg\nsoon,BPC-157,1,mg\n',
  );
  await page.waitForURL(/\/import\/imp_/);
  await shows(page, '1 row contains errors.');
  await shows(page, 'takenAt: Enter a date and a time');
  await look(page, 'import-bad', view);
  await page.getByRole('link', { name: 'Choose another file' }).click();
  await page.waitForURL(/\/dashboard\/import$/);
}

/** The account's calculations as a file. */
const calculations = async (page: Page) =>
  (await page.request.get('/dashboard/export/file?format=csv&types=calculations')).text();

/** An export goes in once, comes out again with Undo, and neither the back button nor a second file doubles it. */
async function bringInAndUndo(page: Page, file: string, view: View): Promise<void> {
  if (view.scripts) await hydrated(page);
  await choose(page, 'backup.json', file);
  await page.waitForURL(/\/import\/imp_/);
  await shows(page, 'Nothing is saved yet.');
  await look(page, 'import-checked', view);
  await page.getByRole('button', { name: 'Import 2 records' }).click();
  await shows(page, 'Imported: 2 calculations.');
  await page.goBack();
  await page.goForward();
  await page.goto('/dashboard/import');
  await shows(page, 'Added 2 calculations.');
  await look(page, 'import-list', view);
  await choose(page, 'backup.json', file);
  await shows(page, 'You already have everything in this file.');
  expect(await calculations(page)).toContain('Traveller');
  await page.goto('/dashboard/import');
  await page.getByRole('link', { name: /^Undo backup/ }).click();
  await page.getByRole('button', { name: 'Undo import' }).click();
  await shows(page, 'This import was undone.');
  expect(await calculations(page)).not.toContain('Traveller');
}

/** A phone's zip says what was understood and what was left out, goes in and comes out again. */
async function bringInHealth(page: Page, view: View): Promise<void> {
  await page.goto('/dashboard/import');
  if (view.scripts) await hydrated(page);
  const buffer = Buffer.from(await zipOf({ 'apple_health_export/export.xml': APPLE_FILE }));
  await page.setInputFiles('[name=file]', { name: 'export.zip', mimeType: 'application/zip', buffer });
  await page.getByRole('button', { name: 'Check file' }).click();
  await page.waitForURL(/\/import\/imp_/);
  await shows(page, 'Nothing is saved yet.');
  await shows(page, 'Heart rate');
  await shows(page, 'Left out');
  await look(page, 'import-health', view);
  await page.getByRole('button', { name: 'Import 8 records' }).click();
  await shows(page, 'Imported: 8 measurements.');
  await page.goto('/dashboard/import');
  await page.getByRole('link', { name: /^Undo export\.zip/ }).click();
  await page.getByRole('button', { name: 'Undo import' }).click();
  await shows(page, 'This import was undone.');
  await page.goto('/dashboard/tracking/health');
  expect(await main(page).innerText()).not.toContain('Measurements (8)');
}

describe.each([
  { ...PHONE, scripts: false, dark: true },
  { ...DESKTOP, scripts: true },
])('import, scripts $scripts, $width px', (view) => {
  it('a file is checked, imported, found again and undone', async () => {
    const source = await openPage(view);
    const email = await signUp(source.context, { trial: true });
    for (const notes of ['=1+1', '']) await saveCalculation(source.context, 'Traveller', notes);
    const env = { DATA_DIR: inject('serverDataDir'), NODE_ENV: 'production' };
    const { stdout } = await spawnCli(['export', '--user', email, '--format', 'json'], { env });
    await source.context.close();
    const { context, page, problems } = await openPage(view);
    await signUp(context, { trial: true });
    await chooseWrongly(page, view);
    await bringInAndUndo(page, stdout, view);
    await bringInHealth(page, view);
    expect(problems).toEqual([]);
    await context.close();
  });
});
