import { expect, it } from 'vitest';
import { openPage, PHONE } from '#tests/support/browser.ts';
import { hydrated, resultText } from './journey.ts';

/** A container, what is typed in its fields, and what the result must say. */
const CONTAINERS = [
  {
    name: 'hCG 5,000 IU',
    container: 'Powder to mix',
    isIu: true,
    fields: { 'Peptide amount': '5000', 'Water volume': '2' },
    dose: ['250', 'IU'],
    expected: /^Draw 10 units 0\.100 ml.*2500\.00 IU\/ml.*marks of a syringe are units/,
  },
  {
    name: 'a somatropin pen',
    container: 'Pen',
    isIu: true,
    fields: { Concentration: '10', 'Total volume': '3', 'Volume of a click': '0.05' },
    dose: ['2', 'IU'],
    expected: /^Draw 4 clicks 0\.200 ml.*0\.5 IU in a click.*may forbid counting clicks/,
  },
  {
    name: 'a ready tirzepatide solution',
    container: 'Ready solution',
    isIu: false,
    fields: { Concentration: '10', 'Total volume': '2' },
    dose: ['2.5', 'mg'],
    expected: /^Draw 25 units 0\.250 ml.*10\.00 mg\/ml/,
  },
  {
    name: 'a nasal spray',
    container: 'Spray',
    isIu: false,
    fields: { Concentration: '1', 'Total volume': '10', 'Volume of a spray': '0.1' },
    dose: ['250', 'mcg'],
    expected: /^Draw 2 sprays exact 2\.5 sprays, 0\.250 ml delivers 200 mcg, 20% less/,
  },
  {
    name: 'capsules',
    container: 'Capsules',
    isIu: false,
    fields: { 'Peptide amount': '0.5', 'Capsules (if known)': '60' },
    dose: ['1', 'mg'],
    expected: /^Draw 2 capsules.*Doses 30/,
  },
] as const;

it.each([true, false])('what is not powder in mg is calculated on a phone, scripts: %s', async (scripts) => {
  const { context, page, problems } = await openPage({ scripts, ...PHONE });
  for (const { name, container, isIu, fields, dose, expected } of CONTAINERS) {
    await page.goto('/calculator');
    if (scripts) await hydrated(page);
    await page.getByLabel('Container').selectOption(container);
    if (isIu) await page.locator('.segments label', { hasText: /^IU$/ }).click();
    for (const [label, text] of Object.entries(fields)) await page.getByLabel(label).fill(text);
    await page.getByLabel('Desired dose').fill(dose[0]);
    // With scripts, the dose's measure follows the container's.
    if (!scripts || !isIu) await page.getByLabel('Dose unit').selectOption(dose[1]);
    if (scripts) await expect.poll(() => resultText(page), { message: name }).toMatch(expected);
    await page.getByLabel('Desired dose').press('Enter');
    await page.waitForURL(/desiredDose=/);
    await expect.poll(() => resultText(page), { message: name }).toMatch(expected);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE.width);
  }
  expect(problems).toEqual([]);
  await context.close();
});

it('an amount that was typed for powder does not count for a pen', async () => {
  const { context, page } = await openPage({ scripts: true, ...PHONE });
  await page.goto('/calculator');
  await hydrated(page);
  await page.getByLabel('Peptide amount').fill('5');
  await page.getByLabel('Water volume').fill('2');
  await page.getByLabel('Desired dose').fill('0.25');
  await expect.poll(() => resultText(page)).toMatch(/^Draw 10 units/);
  await page.getByLabel('Container').selectOption('Pen');
  await page.getByLabel('Total volume').fill('3');
  await page.getByLabel('Volume of a click').fill('0.01');
  await expect.poll(() => resultText(page)).not.toMatch(/clicks/);
  await page.getByLabel('Concentration').fill('10');
  await page.getByLabel('Desired dose').fill('0.5');
  await expect.poll(() => resultText(page)).toMatch(/^Draw 5 clicks/);
  await context.close();
});

it('IU typed with a number switch the calculation, and IU in a field for a volume are asked about', async () => {
  const { context, page } = await openPage({ scripts: true, ...PHONE });
  await page.goto('/calculator');
  await hydrated(page);
  await page.getByLabel('Peptide amount').fill('5000 IU');
  await page.getByLabel('Water volume').fill('2');
  await page.getByLabel('Desired dose').fill('250 IU');
  await page.getByLabel('Desired dose').blur();
  await expect.poll(() => resultText(page)).toMatch(/^Draw 10 units 0\.100 ml.*2500\.00 IU\/ml/);
  await page.getByLabel('Water volume').fill('10 IU');
  await page.getByLabel('Water volume').blur();
  await expect.poll(() => page.getByText('Did you mean 10 units on a U-100 syringe?').isVisible()).toBe(true);
  await context.close();
});
