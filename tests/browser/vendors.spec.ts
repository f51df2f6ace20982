import { mkdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { DESKTOP, expectSoundPage, openPage, PHONE } from '#tests/support/browser.ts';
import { hydrated, signUp } from './journey.ts';

const CATALOGUE = 'name;mg per vial;price\nTB-500;5;41,50\nBPC-157;10;49\nBroken;none;1';

/** Looks at a page: sound for everybody, and kept as a picture when `SHOTS` names a folder. */
async function look(page: Page, name: string, scripts: boolean): Promise<void> {
  const folder = process.env['SHOTS'];
  if (folder) {
    mkdirSync(folder, { recursive: true });
    await page.screenshot({ path: `${folder}/${name}-${scripts ? 'js' : 'plain'}.png`, fullPage: true });
  }
  await expectSoundPage(page, name, scripts);
}

describe.each([
  { scripts: true, ...PHONE, dark: true },
  { scripts: false, ...DESKTOP },
])('vendors, scripts $scripts, $width px', (view) => {
  const { scripts } = view;
  const ready = async (page: Page) => {
    if (scripts) await hydrated(page);
  };

  it('takes a supplier, a price list and an order to the arrived vials', async () => {
    const { context, page, problems } = await openPage(view);
    await signUp(context, { trial: true });
    await page.goto('/dashboard/vendors');
    await ready(page);
    await look(page, 'vendors-empty', scripts);
    await page.getByRole('link', { name: 'Add a supplier' }).click();
    await page.getByRole('button', { name: 'Save supplier' }).click();
    await page.getByText('Enter a name').waitFor();
    await page.getByLabel('Name', { exact: true }).fill('Acme Peptides');
    await page.getByLabel('Website').fill('https://acme.example');
    await page.getByLabel('Your rating').selectOption('4');
    await page.getByRole('button', { name: 'Save supplier' }).click();
    await page.getByRole('heading', { name: 'Acme Peptides' }).waitFor();

    await page.getByRole('link', { name: 'Add product' }).click();
    await page.getByLabel('Compound').fill('BPC-157');
    await page.getByLabel('Amount per vial (mg)').fill('5');
    await page.getByLabel('Price per vial').fill('29,90');
    await page.getByRole('button', { name: 'Save product' }).click();
    await page.getByText('5.98 USD/mg').waitFor();

    await page.getByRole('link', { name: 'Import a catalogue' }).click();
    await page.getByLabel('Catalogue').fill(CATALOGUE);
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByText('2 new, 0 with a new price, 0 unchanged, 1 unreadable.').waitFor();
    await look(page, 'vendors-catalogue', scripts);
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByText('8.30 USD/mg').waitFor();
    await look(page, 'vendors-supplier', scripts);

    await page.getByRole('link', { name: 'Prices' }).click();
    await page.getByText('22% more').waitFor();
    await look(page, 'vendors-prices', scripts);

    await page.getByRole('link', { name: 'Orders' }).click();
    await page.getByRole('link', { name: 'New order' }).click();
    await page.getByRole('button', { name: 'Save order' }).click();
    await page.getByText('Add at least one product').waitFor();
    await page.getByLabel('TB-500, 5 mg').fill('2');
    await page.getByRole('button', { name: 'Save order' }).click();
    await page.getByText('83.00 USD').first().waitFor();
    await page.getByRole('button', { name: 'Mark as sent' }).click();
    await page.getByRole('link', { name: 'Receive' }).click();
    await page.getByLabel('Lot').fill('L-2207');
    await look(page, 'vendors-receive', scripts);
    await page.getByRole('button', { name: 'Receive the order' }).click();
    await page.getByText('Order received, 2 vials added').first().waitFor();
    await look(page, 'vendors-order', scripts);
    await page.getByRole('link', { name: 'Orders' }).click();
    await page.getByText('2 vials of TB-500').waitFor();
    await look(page, 'vendors-orders', scripts);
    await page.getByRole('link', { name: 'Suppliers' }).click();
    await page.getByText('4 of 5').waitFor();
    await look(page, 'vendors-list', scripts);
    expect(problems).toEqual([]);
    await context.close();
  });
});
