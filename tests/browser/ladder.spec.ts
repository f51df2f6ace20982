import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expectSoundPage, openPage, PHONE } from '#tests/support/browser.ts';
import { hydrated, signUp } from './journey.ts';

const textOf = async (page: Page) => (await page.locator('main').innerText()).replace(/\s+/g, ' ');

describe.each([true, false])('a ladder of six doses on a phone, scripts %s', (scripts) => {
  const sound = (page: Page, where: string) => expectSoundPage(page, where, scripts);

  it('leads from the calculator through the water to the vial and its schedule', async () => {
    const { context, page, problems } = await openPage({ scripts, ...PHONE });
    await signUp(context, { trial: true });
    await page.goto('/dashboard/calculator');
    if (scripts) await hydrated(page);
    await page.getByRole('link', { name: 'Find water for several doses' }).click();
    await page.waitForURL(/calculator\/ladder/);
    await page.getByLabel('Peptide amount').fill('30');
    const doses = ['2.5', '5', '7.5', '10', '12.5', '15'];
    for (const [at, dose] of doses.entries())
      await page.getByLabel(`Dose ${at + 1}`, { exact: true }).fill(dose);
    await page.getByLabel('Dose unit').selectOption('mg');
    await sound(page, 'the form for several doses');
    await page.getByRole('button', { name: 'Find the water' }).click();
    await page.getByRole('heading', { name: '1.8 ml of water' }).waitFor();
    await expect.poll(() => textOf(page)).toContain('Every dose is on a printed mark of the syringe.');
    await sound(page, 'the water for several doses');

    await page.getByRole('link', { name: 'Use this water' }).nth(1).click();
    await page.waitForURL(/waterVolume=1\.2/);
    await expect
      .poll(() => textOf(page))
      .toContain('30 mg + 1.2 ml = 25.00 mg/ml; 2.5 mg = 0.100 ml (10 units)');
    await page.goBack();

    await page.getByRole('link', { name: 'Make this the plan' }).first().click();
    await page.waitForURL(/calculator\/plan/);
    await page.getByLabel('Name').fill('Tirzepatide');
    await sound(page, 'the form of the plan');
    await page.getByRole('button', { name: 'Add vial and schedule' }).click();
    await page.getByText('Vial and schedule added').waitFor();
    await expect.poll(() => textOf(page)).toContain('2.5 mg');
    await page.goto('/dashboard/vials');
    await expect.poll(() => textOf(page)).toContain('Tirzepatide');
    expect(problems).toEqual([]);
    await context.close();
  });
});
