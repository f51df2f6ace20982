import { describe, expect, inject, it } from 'vitest';
import type { Page } from 'playwright-core';
import { PASSWORD } from '#tests/support/people.ts';
import { DESKTOP, openPage, PHONE } from '#tests/support/browser.ts';
import { admin, hydrated, resultText, saveCalculation, signUp, typeExample } from './journey.ts';

const ASKED = '/dashboard/calculator?peptideAmount=5&waterVolume=2&desiredDose=0.25';
const save = (page: Page) => page.getByRole('button', { name: 'Save Calculation', exact: true });

describe.each([
  { scripts: true, ...DESKTOP },
  { scripts: false, ...PHONE },
])('saving, scripts $scripts', (view) => {
  it('with a double-click saves once, shows a toast, and asks before deleting', async () => {
    const { context, page, problems } = await openPage(view);
    await signUp(context);
    await page.goto(`${ASKED}&mode=save`);
    if (view.scripts) await hydrated(page);
    await page.getByLabel('Peptide name').fill('Pressed twice');
    await save(page).dblclick();
    // The second click may cut the first one's navigation off, which a wait for that navigation would take for a failure.
    await expect.poll(() => page.url()).toMatch(/history=1/);
    const toast = page.getByRole('status').filter({ hasText: 'Calculation saved' });
    await toast.waitFor();
    const closeToast = toast.getByRole(view.scripts ? 'button' : 'link', { name: 'Close' });
    await closeToast.click();
    await expect.poll(() => toast.count()).toBe(0);
    await expect.poll(() => page.getByRole('link', { name: /^Delete Pressed twice/ }).count()).toBe(1);

    await page.getByRole('link', { name: /^Delete Pressed twice/ }).click();
    await page.getByRole('heading', { name: 'Delete calculation for Pressed twice?' }).waitFor();
    await page.getByRole('link', { name: 'Keep it' }).click();
    await page.getByRole('link', { name: /^Delete Pressed twice/ }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.waitForURL(/history=1/);
    await page.getByText('No calculations yet').waitFor();
    await page.goBack();
    await page.goto('/dashboard/calculator?history=1');
    await expect.poll(() => page.getByText('Pressed twice').count()).toBe(0);
    expect(problems).toEqual([]);
    await context.close();
  });

  it('suspended from the terminal, the next click says so', async () => {
    const { context, page } = await openPage(view);
    const email = await signUp(context, { trial: true });
    await page.goto(ASKED);
    if (view.scripts) await hydrated(page);
    await admin('suspend', email, '--reason', 'test');
    await save(page).click();
    await page.waitForURL(/\/login/);
    const alert = page.getByRole('alert').filter({ hasText: 'This account is suspended. Contact support.' });
    await alert.waitFor();
    await page.goto('/dashboard');
    expect(new URL(page.url()).pathname).toBe('/login');
    await context.close();
  });

  it('is offered on the public calculator when signed in, with what is in the form', async () => {
    const { context, page, problems } = await openPage(view);
    await signUp(context);
    await page.goto('/calculator?peptideAmount=5&waterVolume=2&desiredDose=0.25');
    if (view.scripts) await hydrated(page);
    await page.getByLabel('Desired dose').fill('0.5');
    if (!view.scripts) await page.getByRole('button', { name: 'Calculate', exact: true }).click();
    await expect.poll(() => resultText(page)).toContain('0.200 ml');
    await expect.poll(() => page.getByText('Sign in to save').count()).toBe(0);
    await save(page)
      .or(page.getByRole('link', { name: 'Save Calculation', exact: true }))
      .first()
      .click();
    await page.waitForURL(/\/dashboard\/calculator.*mode=save/);
    await page.getByLabel('Peptide name').fill('From the public page');
    await expect.poll(() => resultText(page)).toContain('0.200 ml');
    await save(page).click();
    await page.waitForURL(/history=1/);
    await page.getByRole('link', { name: /^Delete From the public page/ }).waitFor();
    expect(problems).toEqual([]);
    await context.close();
  });
});

describe('with scripts', () => {
  it('a toast disappears by itself, but not while it is pointed at', async () => {
    const { context, page, problems } = await openPage({ scripts: true, ...DESKTOP });
    await signUp(context);
    await page.clock.install();
    await page.goto(`${ASKED}&mode=save`);
    await hydrated(page);
    await save(page).click();
    const toast = page.getByRole('status').filter({ hasText: 'Calculation saved' });
    await toast.waitFor();
    await toast.hover();
    await page.clock.runFor(20_000);
    await expect.poll(() => toast.count()).toBe(1);
    await page.mouse.move(5, 700);
    await page.clock.runFor(5_100);
    await expect.poll(() => toast.count()).toBe(0);
    expect(problems).toEqual([]);
    await context.close();
  });

  it('the history copies each line exactly and keeps what is typed; lists are sorted as soon as an order is chosen', async () => {
    const { context, page, problems } = await openPage({ scripts: true, ...DESKTOP });
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await signUp(context);
    await saveCalculation(context, 'BPC-157', 'first\nsecond');
    await page.goto('/dashboard/calculator');
    await hydrated(page);
    await typeExample(page);
    await page.getByRole('link', { name: 'Show History (1)' }).click();
    await page.locator('#history').getByRole('button', { name: 'Copy' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toBe('BPC-157: 5 mg + 2 ml = 2.50 mg/ml; 0.25 mg = 0.100 ml (10 units)');
    await expect.poll(() => page.getByLabel('Desired dose').inputValue()).toBe('250');
    await page.getByLabel('Sort by').selectOption('name');
    await page.waitForURL(/sort=name/);
    await page.getByRole('link', { name: /^Hide History/ }).click();
    await expect.poll(() => page.locator('#history').count()).toBe(0);
    await page.goto('/dashboard/vials/new?template=bpc-157');
    await page.getByRole('button', { name: 'Add vial' }).click();
    await page.waitForURL(/vial_[^/]+$/);
    await page.goto('/dashboard/vials');
    await hydrated(page);
    await page.getByLabel('Sort by').selectOption('name');
    await page.waitForURL(/sort=name/);
    expect(problems).toEqual([]);
    await context.close();
  });
});

/** Presses Tab until the element in focus matches. */
async function tabTo(page: Page, selector: string): Promise<void> {
  for (let count = 0; count < 80; count += 1) {
    await page.keyboard.press('Tab');
    if (await page.evaluate((expected) => document.activeElement?.matches(expected) ?? false, selector))
      return;
  }
  expect.unreachable(`the keyboard does not reach ${selector}`);
}

it('registering, calculating and saving work with the keyboard only', async () => {
  const { context, page, problems } = await openPage({ scripts: true, ...DESKTOP });
  await page.goto('/register');
  await hydrated(page);
  await page.keyboard.press('Tab');
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to content');
  await page.keyboard.press('Enter');
  await tabTo(page, '[name=email]');
  await page.keyboard.type(`keyboard-${process.pid}@example.org`);
  await tabTo(page, '[name=password]');
  await page.keyboard.type(PASSWORD);
  await tabTo(page, '[name=confirmPassword]');
  await page.keyboard.type(PASSWORD);
  await tabTo(page, '[name=ageVerification]');
  await page.keyboard.press('Space');
  await tabTo(page, '[name=agreeToTerms]');
  await page.keyboard.press('Space');
  await tabTo(page, 'form#register button');
  const outline = await page.evaluate(
    () => getComputedStyle(document.activeElement ?? document.body).outlineStyle,
  );
  expect(outline).not.toBe('none');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/dashboard/);
  await hydrated(page);
  await tabTo(page, '[name=peptideAmount]');
  await page.keyboard.type('5');
  await tabTo(page, '[name=waterVolume]');
  await page.keyboard.type('2');
  await tabTo(page, '[name=desiredDose]');
  await page.keyboard.type('0,25');
  await page.keyboard.press('Enter');
  await page.waitForURL(/desiredDose=0/);
  await tabTo(page, '#result button[name=mode]');
  await page.keyboard.press('Enter');
  await page.waitForURL(/mode=save/);
  await tabTo(page, '[name=peptideName]');
  await page.keyboard.type('By keyboard');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Save Calculation');
  await page.keyboard.press('Enter');
  await page.waitForURL(/history=1/);
  await page.getByRole('link', { name: /^Delete By keyboard/ }).waitFor();
  expect(new URL(page.url()).origin).toBe(inject('serverUrl'));
  expect(problems).toEqual([]);
  await context.close();
});
