import { expect, it } from 'vitest';
import { expectSoundPage, openPage, PHONE } from '#tests/support/browser.ts';
import { hydrated, signUp } from './journey.ts';

it('a syringe of one’s own is measured, chosen and drawn on a phone without scripts', async () => {
  const { context, page, problems } = await openPage({ scripts: false, ...PHONE });
  await signUp(context, { trial: true });
  const shot = async (name: string) => {
    const folder = process.env['SHOTS'];
    if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
  };
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const follow = (name: string) => page.getByRole('link', { name, exact: true }).click();
  await page.goto('/dashboard/profile/units');
  await follow('Add a syringe');
  await page.getByLabel('Name').fill('Orange cap');
  await page.getByLabel('Barrel').fill('0.7');
  await page.getByLabel('Units in 1 ml').fill('40');
  await page.getByLabel('Between two marks').fill('3');
  await press('Save syringe');
  await page.getByText('The barrel must end on a mark').first().waitFor();
  await expectSoundPage(page, 'the form of a syringe', false);
  await page.getByLabel('Between two marks').fill('0.5');
  await press('Save syringe');
  await page.getByText('0.7 ml, 40 units in 1 ml, a mark every 0.5 units').waitFor();
  await expectSoundPage(page, 'the list of syringes', false);
  await shot('own-list');
  await follow('Change Orange cap');
  await page.getByRole('img', { name: 'Orange cap syringe, empty' }).waitFor();
  await expectSoundPage(page, 'a syringe', false);
  await shot('own-change');

  await page.goto('/dashboard/calculator');
  await page.getByLabel('Peptide amount').fill('5');
  await page.getByLabel('Water volume').fill('2');
  await page.getByLabel('Desired dose').fill('0.77');
  await page.getByRole('combobox', { name: 'Syringe' }).selectOption({ label: 'Orange cap' });
  await press('Calculate');
  await page.getByRole('img', { name: 'Orange cap syringe filled to 12.5 units' }).waitFor();
  await expect
    .poll(() => page.locator('main').innerText())
    .toContain('12.32 units on your Orange cap syringe');
  await expectSoundPage(page, 'a result on a syringe of one’s own', false);
  await shot('own-result');

  await page.goto('/dashboard/profile/units');
  await follow('Remove Orange cap');
  await expectSoundPage(page, 'the question before a syringe is removed', false);
  await shot('own-remove');
  await press('Remove syringe');
  await page.getByText('Syringe removed').first().waitFor();
  expect(problems).toEqual([]);
  await context.close();
});

it('a syringe of one’s own is drawn while numbers are typed', async () => {
  const { context, page, problems } = await openPage({ scripts: true, ...PHONE });
  await signUp(context);
  await page.goto('/dashboard/profile/syringes/new');
  await hydrated(page);
  await page.getByLabel('Name').fill('Oral');
  await page.getByLabel('Barrel').fill('5');
  await page.getByLabel('Between two marks').fill('0.2');
  await page.getByRole('button', { name: 'Save syringe' }).click();
  await page.getByText('5 ml, a mark every 0.2 ml').waitFor();
  await page.goto('/dashboard/calculator');
  await hydrated(page);
  await page.getByRole('combobox', { name: 'Syringe' }).selectOption({ label: 'Oral' });
  await page.getByLabel('Peptide amount').fill('5');
  await page.getByLabel('Water volume').fill('10');
  await page.getByLabel('Desired dose').fill('0.5');
  await page.getByRole('img', { name: 'Oral syringe filled to 1 ml' }).waitFor();
  expect(problems).toEqual([]);
  await context.close();
});
