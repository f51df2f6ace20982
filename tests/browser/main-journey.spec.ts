import { buffer } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { DESKTOP, expectSoundPage, openPage, PHONE } from '#tests/support/browser.ts';
import { openAccountMenu } from './journey.ts';

const PASSWORD = 'a long enough passphrase';

async function fillRegistration(page: Page, email: string): Promise<void> {
  await page.waitForURL(/\/register/);
  await page.fill('[name=email]', email);
  await page.fill('[name=password]', PASSWORD);
  await page.fill('[name=confirmPassword]', PASSWORD);
  await page.check('[name=agreeToTerms]');
  await page.check('[name=ageVerification]');
  await page.locator('form:has([name=confirmPassword]) button[type=submit]').click();
  await page.waitForURL(/\/dashboard/);
}

async function register(page: Page, email: string): Promise<void> {
  await page.goto('/');
  await page
    .getByRole('link', { name: /start free trial|register|sign up|create/i })
    .first()
    .click();
  await fillRegistration(page, email);
}

async function calculate(page: Page): Promise<void> {
  await page.fill('[name=peptideAmount]', '5');
  await page.fill('[name=waterVolume]', '2');
  await page.fill('[name=desiredDose]', '250');
  await page.selectOption('[name=desiredDoseUnit]', 'mcg');
  await page.getByRole('button', { name: 'Calculate', exact: true }).click();
  await page.waitForURL(/peptideAmount=5/);
  const main = page.locator('main');
  await expect.poll(() => main.innerText()).toContain('0.100');
  const text = await main.innerText();
  expect(text).toMatch(/2\.50\s*mg\/ml/);
  expect(text).toMatch(/10\s*units/);
}

async function saveAs(page: Page, name: string): Promise<void> {
  await page
    .getByRole('button', { name: 'Save Calculation', exact: true })
    .or(page.getByRole('link', { name: 'Save Calculation', exact: true }))
    .first()
    .click();
  await page.locator('[name=peptideName]').waitFor();
  await page.fill('[name=peptideName]', name);
  await page.getByRole('button', { name: 'Save Calculation', exact: true }).click();
  await page.waitForURL(/history=1/);
}

async function findInHistory(page: Page, name: string): Promise<void> {
  await page.fill('[name=search]', name.toUpperCase());
  await page.locator('[name=search]').press('Enter');
  await page.waitForURL(/search=/);
  await expect.poll(() => page.locator('main').innerText()).toContain(name);
  await page.fill('[name=search]', 'nothing is called this');
  await page.locator('[name=search]').press('Enter');
  await page.waitForURL(/search=nothing/);
  await expect.poll(() => page.locator('main').innerText()).not.toContain(`${name}\n`);
}

/** The file that one export writes. With scripts the person is told, and stays where they were. */
async function exportAs(page: Page, format: 'csv' | 'json', scripts: boolean): Promise<string> {
  const from = page.url();
  await openAccountMenu(page);
  await page.getByRole('link', { name: 'Export', exact: true }).first().click();
  await page.locator(`[name=format][value=${format}]`).waitFor();
  await page.locator(`[name=format][value=${format}]`).check();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export', exact: true }).last().click(),
  ]);
  expect(download.suggestedFilename()).toMatch(
    new RegExp(`^vialbook-export-\\d{4}-\\d{2}-\\d{2}\\.${format}$`),
  );
  if (scripts) {
    await page.getByText(`${download.suggestedFilename()} was saved.`).first().waitFor();
    await page.waitForURL(from);
    // The address is there before its page: a press on the same link would replace it.
    await page.getByRole('heading', { name: 'Calculation history' }).waitFor();
  }
  return (await buffer(await download.createReadStream())).toString('utf8');
}

describe.each([
  { scripts: false, ...DESKTOP },
  { scripts: true, worker: true, ...DESKTOP },
  { scripts: false, ...PHONE },
  { scripts: true, worker: true, ...PHONE },
])('the main journey, scripts $scripts, $width px', (view) => {
  it('calculates, saves, finds, exports and signs out', async () => {
    const { context, page, problems } = await openPage(view);
    const name = `BPC-157 ${view.scripts ? 'on' : 'off'} ${view.width}`;
    await register(page, `main-${view.scripts}-${view.width}@example.org`);
    await expectSoundPage(page, 'dashboard', view.scripts);
    await calculate(page);
    await expectSoundPage(page, 'result', view.scripts);
    await saveAs(page, name);
    await findInHistory(page, name);
    const csv = await exportAs(page, 'csv', view.scripts);
    expect(csv.charCodeAt(0)).toBe(0xfeff);
    expect(csv).toContain(name);
    expect(csv).toContain(',2.50,0.100,');
    const json = JSON.parse(await exportAs(page, 'json', view.scripts)) as {
      calculations: { peptideName: string }[];
    };
    expect(json.calculations.map((row) => row.peptideName)).toEqual([name]);
    await openAccountMenu(page);
    await page.getByRole('button', { name: 'Sign out' }).first().click();
    await page.waitForURL((url) => url.pathname === '/' || url.pathname === '/login');
    await page.goto('/dashboard/calculator');
    expect(new URL(page.url()).pathname).toBe('/login');
    expect(problems).toEqual([]);
    await context.close();
  });
});

describe.each([
  { scripts: false, ...PHONE },
  { scripts: true, ...PHONE },
])('the first steps, scripts $scripts', (view) => {
  it('keep the calculation from before registration, and lead to Today', async () => {
    const { context, page, problems } = await openPage(view);
    await page.goto('/calculator');
    await calculate(page);
    await page.getByRole('button', { name: 'Create an account to keep it' }).click();
    await page.getByText('Your calculation will be carried over').waitFor();
    await expectSoundPage(page, 'registration with a calculation', view.scripts);
    await fillRegistration(page, `steps-${view.scripts}@example.org`);
    await page.getByRole('heading', { level: 1, name: 'First steps' }).waitFor();
    await page.getByRole('button', { name: 'Keep this calculation' }).click();
    await page.getByText('Saved.').waitFor();
    await expectSoundPage(page, 'first step', view.scripts);
    // The vial is filled in from the calculation; only its name is missing.
    await page.getByLabel('Name', { exact: true }).fill('BPC-157');
    await page.getByRole('button', { name: 'Add vial' }).click();
    await page.getByRole('button', { name: 'Create schedule' }).waitFor();
    await expectSoundPage(page, 'second step', view.scripts);
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('BPC-157');
    await page.fill('[name=doseAmount]', '250');
    await page.selectOption('[name=doseUnit]', 'mcg');
    await page.getByRole('button', { name: 'Create schedule' }).click();
    await page.getByRole('button', { name: 'Save choices' }).waitFor();
    await expectSoundPage(page, 'third step', view.scripts);
    await page.getByRole('button', { name: 'Skip this step' }).click();
    await page.waitForURL('**/dashboard/schedule');
    await page.getByText('BPC-157').first().waitFor();
    expect(problems).toEqual([]);
    await context.close();
  });
});
