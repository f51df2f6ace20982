import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { openPage, PHONE } from '#tests/support/browser.ts';
import { hydrated } from './journey.ts';

/**
 * The main journeys as somebody with a screen reader walks them, on a phone: each step is found by its role and its
 * accessible name alone, both exact, so that a step whose role or name changes is not found.
 */
const PASSWORD = 'a long enough passphrase';

type Role = Parameters<Page['getByRole']>[0];

/** What a screen reader says of the thing, which must be there once. */
async function find(within: Page | Locator, role: Role, name: string): Promise<Locator> {
  const found = within.getByRole(role, { name, exact: true });
  await found.first().waitFor();
  expect(await found.count(), `${role} “${name}”`).toBe(1);
  return found;
}

const press = async (within: Page | Locator, role: Role, name: string) =>
  (await find(within, role, name)).click();
const fill = async (within: Page | Locator, name: string, text: string) =>
  (await find(within, 'textbox', name)).fill(text);

/** A page has arrived: its first heading is what a screen reader says then. */
async function arrive(page: Page, title: string): Promise<void> {
  await page.getByRole('heading', { name: title, exact: true, level: 1 }).waitFor();
  await find(page, 'main', '');
  await hydrated(page);
}

/** Whether two things lie over each other on the screen. */
async function overlap(one: Locator, other: Locator): Promise<boolean> {
  const [a, b] = [await one.boundingBox(), await other.boundingBox()];
  if (!a || !b) return false;
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

it('the main journeys can be completed by role and name only, on a phone', async () => {
  const { context, page, problems } = await openPage({ scripts: true, ...PHONE });
  const bar = page.getByRole('navigation', { name: 'Quick navigation', exact: true });
  const header = page.getByRole('banner');

  await page.goto('/register?plan=trial');
  await arrive(page, 'Start free trial');
  await fill(page, 'Email', 'spoken@example.org');
  await fill(page, 'Password', PASSWORD);
  await fill(page, 'Confirm password', PASSWORD);
  await (await find(page, 'checkbox', 'I am 18 or older')).check();
  await (await find(page, 'checkbox', 'I agree to the Terms of Service and the Privacy Policy')).check();
  await press(page, 'button', 'Start free trial');

  await arrive(page, 'Reconstitution Calculator');
  const account = await find(header, 'button', 'Account');
  expect((await header.boundingBox())?.height).toBeLessThanOrEqual(48 + 1);
  const vial = page.getByRole('group', { name: 'Vial and dose', exact: true });
  await fill(vial, 'Peptide amount', '5');
  await fill(vial, 'Water volume', '2');
  await fill(vial, 'Desired dose', '250');
  await (await find(vial, 'combobox', 'Dose unit')).selectOption('mcg');
  await find(vial, 'combobox', 'Syringe');
  await press(vial, 'button', 'Calculate');
  const draw = page.getByRole('region', { name: 'Draw', exact: true });
  await find(draw, 'img', 'U-100 1 ml syringe filled to 10 units');
  await press(draw, 'button', 'Save Calculation');
  await fill(page, 'Peptide name', 'BPC-157');
  await press(page, 'button', 'Save Calculation');
  await page.getByRole('heading', { name: 'Calculation history', exact: true, level: 2 }).waitFor();
  await page.getByRole('status').filter({ hasText: 'saved' }).first().waitFor();

  await press(bar, 'link', 'Vials');
  await arrive(page, 'Vials');
  await press(page, 'link', 'Add your first vial');
  await arrive(page, 'Add vial');
  await fill(page, 'Name', 'BPC-157');
  await fill(page, 'Amount in vial', '5');
  await fill(page, 'Water added', '2');
  await (await find(page, 'textbox', 'Reconstituted on')).fill(new Date().toISOString().slice(0, 10));
  await press(page, 'button', 'Add vial');
  await arrive(page, 'BPC-157');

  await press(bar, 'link', 'Schedule');
  await arrive(page, 'Today');
  await press(page, 'link', 'Create a schedule');
  await arrive(page, 'New schedule');
  await fill(page, 'Name', 'BPC-157');
  await fill(page, 'Dose', '250');
  await (await find(page, 'combobox', 'Unit of the dose')).selectOption('mcg');
  expect(await (await find(page, 'radio', 'Every day')).isChecked()).toBe(true);
  await (await find(page, 'textbox', 'Time 1')).fill('23:59');
  await press(page, 'button', 'Create schedule');
  await arrive(page, 'BPC-157');

  await press(bar, 'link', 'Schedule');
  await arrive(page, 'Today');
  await press(page, 'button', 'Taken: BPC-157 250 mcg, 23:59');
  await page.getByRole('heading', { name: 'Logged today', exact: true, level: 2 }).waitFor();
  await find(page, 'button', 'Undo BPC-157 250 mcg, 23:59');
  await press(page, 'link', 'Log a dose');
  await arrive(page, 'Log a dose');
  await (await find(page, 'combobox', 'Compound')).fill('TB-500');
  await fill(page, 'Dose taken', '2');
  await press(page, 'button', 'Log dose');
  await arrive(page, 'Today');
  // A message lies over the page for a while, and not over the ways out.
  const toast = page.locator('.toast').first();
  await toast.waitFor();
  expect(await overlap(toast, account)).toBe(false);

  await press(bar, 'link', 'Tracking');
  await arrive(page, 'Injection sites');
  await find(page, 'radio', 'A dose');
  await find(page, 'button', 'Log injection');
  await page.getByRole('link', { name: 'Side effects', exact: true }).click();
  await arrive(page, 'Side effects');

  await bar.getByText('More', { exact: true }).click();
  await bar.getByRole('link', { name: /^Analytics/ }).click();
  await arrive(page, 'Analytics');
  await find(page, 'combobox', 'Period');
  await find(page, 'button', 'Show');
  await find(page, 'link', 'Clinician report');

  await press(header, 'button', 'Account');
  await find(header, 'link', 'Export');
  await press(header, 'button', 'Sign out');
  await page.waitForURL((url) => url.pathname === '/' || url.pathname === '/login');
  expect(problems).toEqual([]);
  await context.close();
});
