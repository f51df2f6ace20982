import { describe, expect, it } from 'vitest';
import { DESKTOP, openPage, PHONE } from '#tests/support/browser.ts';
import { hydrated, resultText, typeExample } from './journey.ts';

const SUMMARY = '5 mg + 2 ml = 2.50 mg/ml; 0.25 mg = 0.100 ml (10 units)';
const ASKED = '/calculator?peptideAmount=5&waterVolume=2&desiredDose=250&desiredDoseUnit=mcg';

describe('a blend on a phone', () => {
  it.each([true, false])('is entered in rows that can be added and removed, scripts: %s', async (scripts) => {
    const { context, page, problems } = await openPage({ scripts, ...PHONE });
    await page.goto('/calculator');
    if (scripts) await hydrated(page);
    await page.getByLabel('Peptide amount').fill('5');
    await page.getByLabel('Water volume').fill('2');
    await page.getByText('Blend', { exact: true }).click();
    await page.getByRole('button', { name: 'Add a peptide' }).click();
    await page.waitForURL(/blend=add/);
    await expect.poll(() => page.getByLabel('Amount 1', { exact: true }).inputValue()).toBe('5');
    await expect.poll(() => page.getByLabel('Water volume').inputValue()).toBe('2');
    await page.getByLabel('Peptide 1', { exact: true }).fill('BPC-157');
    await page.getByLabel('Peptide 2', { exact: true }).fill('TB-500');
    await page.getByLabel('Amount 2', { exact: true }).fill('10');
    await page.getByLabel('Dose is for peptide 2').check();
    await page.getByLabel('Desired dose').fill('0.5');
    if (scripts) await expect.poll(() => resultText(page)).toContain('250 mcg in this draw');
    await page.getByLabel('Desired dose').press('Enter');
    await page.waitForURL(/componentName=TB-500/);
    await expect.poll(() => resultText(page)).toMatch(/^Draw 10 units 0\.100 ml/);
    for (const text of ['BPC-157 5 mg + TB-500 10 mg + 2 ml', '250 mcg in this draw', '500 mcg in this draw'])
      await expect.poll(() => resultText(page)).toContain(text);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE.width);

    await page.getByRole('button', { name: 'Remove 1' }).click();
    await page.waitForURL(/blend=remove-1/);
    await expect.poll(() => page.getByLabel('Peptide amount').inputValue()).toBe('10');
    await expect.poll(() => resultText(page)).toContain('10 mg + 2 ml = 5.00 mg/ml');
    expect(problems).toEqual([]);
    await context.close();
  });
});

describe('the calculator with scripts', () => {
  it('shows the result while typing without asking the server, and validates on leaving a field', async () => {
    const { context, page, problems } = await openPage({ scripts: true, ...DESKTOP });
    await page.goto('/calculator');
    await hydrated(page);
    const calculate = page.getByRole('button', { name: 'Calculate', exact: true });
    await expect.poll(() => calculate.isDisabled()).toBe(true);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await typeExample(page);
    await expect.poll(() => resultText(page)).toContain(SUMMARY);
    await expect.poll(() => resultText(page)).toMatch(/^Draw 10 units 0\.100 ml/);
    await expect.poll(() => calculate.isEnabled()).toBe(true);

    await page.getByLabel('Desired dose').fill('0,5');
    await page.getByLabel('Dose unit').selectOption('mg');
    await expect.poll(() => resultText(page)).toContain('0.200 ml');
    await page.getByLabel('Syringe', { exact: true }).selectOption('u40-1ml');
    await expect.poll(() => resultText(page)).toMatch(/^Draw 8 units 0\.200 ml/);
    await page.getByLabel('Syringe', { exact: true }).selectOption('u100-0.3ml');
    await expect.poll(() => resultText(page)).toMatch(/^Draw 20 units/);

    await page.getByText('Water', { exact: true }).click();
    await page.getByLabel('Draw volume').fill('0.1');
    await expect.poll(() => resultText(page)).toContain('5 mg + 1 ml = 5.00 mg/ml; 0.5 mg = 0.100 ml');
    await page.getByText('Dose', { exact: true }).click();
    await expect.poll(() => page.getByLabel('Water volume').isVisible()).toBe(true);
    await expect.poll(() => resultText(page)).toContain('0.25 mg = 0.100 ml');

    await page.getByLabel('Peptide amount').fill('500');
    await page.getByLabel('Peptide amount').press('Tab');
    const error = page.getByText('Peptide amount must be between 0.1mg and 100mg');
    await expect.poll(() => error.isVisible()).toBe(true);
    await expect.poll(() => page.getByLabel('Peptide amount').getAttribute('aria-invalid')).toBe('true');
    expect(asked.filter((path) => !path.startsWith('/assets/'))).toEqual([]);
    expect(new URL(page.url()).search).toBe('');

    await page.getByRole('link', { name: 'Clear' }).click();
    await expect.poll(() => page.getByLabel('Peptide amount').inputValue()).toBe('');
    await expect.poll(() => error.count()).toBe(0);
    await expect.poll(() => resultText(page)).toContain('appear here');
    expect(problems).toEqual([]);
    await context.close();
  });

  it('goes back to the previous calculation, with form and result', async () => {
    const { context, page, problems } = await openPage({ scripts: true, ...PHONE });
    await page.goto('/calculator');
    await hydrated(page);
    await typeExample(page);
    await page.getByLabel('Desired dose').press('Enter');
    await page.waitForURL(/desiredDose=250/);
    await page.getByLabel('Desired dose').fill('500');
    await page.getByRole('button', { name: 'Calculate', exact: true }).click();
    await page.waitForURL(/desiredDose=500/);
    await expect.poll(() => resultText(page)).toContain('0.200 ml');
    await page.goBack();
    await page.waitForURL(/desiredDose=250/);
    await expect.poll(() => page.getByLabel('Desired dose').inputValue()).toBe('250');
    await expect.poll(() => resultText(page)).toContain(SUMMARY);
    await page.goBack();
    await expect.poll(() => page.getByLabel('Desired dose').inputValue()).toBe('');
    await page.goForward();
    await expect.poll(() => resultText(page)).toContain(SUMMARY);
    expect(problems).toEqual([]);
    await context.close();
  });

  it('keeps what is typed while waiting for the answer to Calculate', async () => {
    const { context, page, problems } = await openPage({ scripts: true, ...PHONE });
    await page.goto('/calculator');
    await hydrated(page);
    await typeExample(page);
    let sendAnswer: (() => void) | undefined;
    const isTyped = new Promise<void>((resolve) => {
      sendAnswer = resolve;
    });
    await page.route(/calculator\.data\?.*desiredDose=250/, async (route) => {
      await isTyped;
      await route.continue();
    });
    await page.getByLabel('Desired dose').press('Enter');
    await page.getByLabel('Desired dose').fill('500');
    await expect.poll(() => resultText(page)).toContain('0.200 ml');
    sendAnswer?.();
    await page.waitForURL(/desiredDose=250/);
    await page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    );
    expect(await page.getByLabel('Desired dose').inputValue()).toBe('500');
    await page.getByRole('button', { name: 'Calculate', exact: true }).click();
    await page.waitForURL(/desiredDose=500/);
    await expect.poll(() => resultText(page)).toContain('0.200 ml');
    await page.goBack();
    await expect.poll(() => page.getByLabel('Desired dose').inputValue()).toBe('250');
    await expect.poll(() => resultText(page)).toContain(SUMMARY);
    expect(problems).toEqual([]);
    await context.close();
  });

  it('copies the line to the letter', async () => {
    const { context, page, problems } = await openPage({ scripts: true, ...DESKTOP });
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto(ASKED);
    await page.getByRole('button', { name: 'Copy' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(SUMMARY);
    expect(problems).toEqual([]);
    await context.close();
  });

  it('opens research dosages over the page and closes them with Escape, without losing what was typed', async () => {
    const { context, page, problems } = await openPage({ scripts: true, ...PHONE });
    await page.goto('/calculator');
    await hydrated(page);
    await page.getByLabel('Peptide amount').fill('7');
    await page.getByRole('link', { name: 'Research dosages' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Research dosages' });
    await dialog.waitFor();
    await expect.poll(() => dialog.evaluate((element) => element.matches(':modal'))).toBe(true);
    for (const text of ['BPC-157', 'TB-500', 'Semaglutide', 'Ipamorelin', 'not a recommendation'])
      await expect.poll(() => dialog.innerText()).toContain(text);
    for (let count = 0; count < 6; count += 1) await page.keyboard.press('Tab');
    const outside = await page.evaluate(() => {
      const { activeElement } = document;
      return activeElement !== document.body && !activeElement?.closest('dialog');
    });
    expect(outside).toBe(false);
    await page.keyboard.press('Escape');
    await expect.poll(() => dialog.count()).toBe(0);
    expect(new URL(page.url()).search).toBe('');
    await expect.poll(() => page.getByLabel('Peptide amount').inputValue()).toBe('7');
    expect(problems).toEqual([]);
    await context.close();
  });

  it('shows and hides the dosage reference, with the draw at this concentration', async () => {
    const { context, page, problems } = await openPage({ scripts: true, ...DESKTOP });
    await page.goto(ASKED);
    await hydrated(page);
    await page.getByRole('link', { name: 'Show recommendations' }).click();
    const panel = page.getByRole('region', { name: /Dosage reference/ });
    await panel.getByRole('link', { name: 'Semaglutide' }).click();
    await page.getByRole('region', { name: 'Dosage reference: Semaglutide' }).waitFor();
    const text = await panel.innerText();
    expect(text).toMatch(/starter/i);
    expect(text).toContain('Research reference only');
    expect(text).toContain('0.100 ml');
    expect(text).toContain('Source:');
    await page.getByRole('link', { name: 'Hide recommendations' }).click();
    await expect.poll(() => page.locator('#recommendations').count()).toBe(0);
    await expect.poll(() => resultText(page)).toContain(SUMMARY);
    expect(problems).toEqual([]);
    await context.close();
  });
});

describe('the calculator without scripts', () => {
  it('works completely with links and forms, and offers nothing that needs scripts', async () => {
    const { context, page } = await openPage({ scripts: false, ...PHONE });
    await page.goto('/calculator');
    await expect
      .poll(() => page.getByRole('button', { name: 'Calculate', exact: true }).isEnabled())
      .toBe(true);
    await page.getByRole('button', { name: 'Calculate', exact: true }).click();
    await expect
      .poll(() => page.locator('main').innerText())
      .toContain('Peptide amount must be between 0.1mg and 100mg');
    await page.getByText('Water', { exact: true }).click();
    await page.getByLabel('Peptide amount').fill('5');
    await page.getByLabel('Desired dose').fill('0,25');
    await page.getByLabel('Draw volume').fill('0.1');
    await page.getByLabel('Syringe', { exact: true }).selectOption('u100-0.5ml');
    await page.getByLabel('Draw volume').press('Enter');
    await page.waitForURL(/solveFor=water/);
    await expect.poll(() => resultText(page)).toContain(SUMMARY);
    await expect.poll(() => page.getByRole('button', { name: 'Copy' }).count()).toBe(0);

    await page.getByRole('link', { name: 'Research dosages' }).click();
    const dialog = page.getByRole('dialog', { name: 'Research dosages' });
    await expect.poll(() => dialog.innerText()).toContain('Ipamorelin');
    await dialog.getByRole('link', { name: 'Close' }).last().click();
    await expect.poll(() => dialog.count()).toBe(0);
    await page.getByRole('link', { name: 'Show recommendations' }).click();
    await page.getByRole('link', { name: 'BPC-157' }).click();
    await expect.poll(() => page.locator('#recommendations').innerText()).toContain('Source:');
    await expect.poll(() => resultText(page)).toContain(SUMMARY);
    await page.getByRole('link', { name: 'Clear' }).click();
    await expect.poll(() => page.getByLabel('Peptide amount').inputValue()).toBe('');
    await page.goBack();
    await expect.poll(() => resultText(page)).toContain(SUMMARY);
    await context.close();
  });
});
