import type { Page } from 'playwright-core';
import { describe, expect, inject, it } from 'vitest';
import { addVial } from '#app/features/vials/vials.server.ts';
import { DESKTOP, expectSoundPage, openPage, PHONE, type View } from '#tests/support/browser.ts';
import { asSomeone } from '#tests/support/someone.ts';
import { hydrated, signUp } from './journey.ts';

const VIEWS: View[] = [
  { scripts: true, ...PHONE, dark: true },
  { scripts: false, ...DESKTOP },
];

const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);

describe.each(VIEWS)('vials, scripts $scripts, $width px, dark $dark', (view) => {
  const sound = (page: Page, where: string) => expectSoundPage(page, where, view.scripts);
  const ready = async (page: Page) => (view.scripts ? hydrated(page) : undefined);

  it('are followed from the first to the last use', async () => {
    const { context, page, problems } = await openPage(view);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await signUp(context);

    await page.goto('/dashboard/vials');
    await sound(page, 'no vials');
    await page.getByRole('link', { name: 'Add your first vial' }).click();
    await page.waitForURL(/new$/);
    await ready(page);
    await page.getByRole('button', { name: 'Add vial' }).click();
    await page.locator('#vial-name-error', { hasText: 'Enter a name' }).waitFor();
    await sound(page, 'a form with errors');

    await page.getByRole('link', { name: 'TB-500' }).click();
    await page.waitForURL(/template=tb-500/);
    await page.locator('[name=name][value="TB-500"]').waitFor();
    await page.getByLabel('Water added').fill('2,5');
    await page.getByLabel('Reconstituted on').fill(day(-24));
    await page.getByText('More details').click();
    await page.getByLabel('Price paid').fill('45.5');
    await page.getByRole('button', { name: 'Add vial' }).click();
    await page.waitForURL(/vial_[^/]+$/);
    const path = new URL(page.url()).pathname;
    await page.getByText('4 days left').waitFor();
    await ready(page);

    await page.getByLabel('Dose', { exact: true }).fill('300');
    await page.getByLabel('Unit', { exact: true }).selectOption('mcg');
    await page.getByRole('button', { name: 'Show' }).click();
    await page.getByText('Doses left').waitFor();
    expect((await page.locator('#draw').innerText()).replace(/\s+/g, ' ')).toMatch(
      /15 units 0\.15 ml.*16.*2\.73/,
    );
    await sound(page, 'what to draw');
    const size = page.viewportSize() ?? DESKTOP;
    for (const width of [1024, 1100, 1300]) {
      await page.setViewportSize({ ...size, width });
      const isInside = await page.locator('#draw .btn').evaluate((button) => {
        const panel = button.closest('section')?.getBoundingClientRect();
        return panel !== undefined && button.getBoundingClientRect().right < panel.right;
      });
      expect(isInside, `${width} px`).toBe(true);
    }
    await page.setViewportSize(size);

    await page.goto(`${path}/remaining`);
    await ready(page);
    await page.getByLabel('Remaining amount').fill('9');
    await page.getByRole('button', { name: 'Correct the amount' }).click();
    await page.getByText('Remaining amount must be between 0 and 5 mg').waitFor();
    await page.getByLabel('Remaining amount').fill('0.8');
    await page.getByRole('button', { name: 'Correct the amount' }).click();
    await page.waitForURL(/vial_[^/]+$/);
    await page.getByText('−4.2 mg').waitFor();
    await sound(page, 'a vial with a ledger');

    await page.goto(`${path}/edit`);
    await ready(page);
    await page.getByLabel('Name').fill('TB-500 acetate');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByRole('heading', { name: 'TB-500 acetate', level: 1 }).waitFor();

    for (const at of ['/edit', '/label', '/card', '/discard', '/delete']) {
      await page.goto(path + at);
      await sound(page, at);
    }
    await page.goto('/dashboard/vials?filter=low');
    await page.getByRole('link', { name: 'TB-500 acetate' }).waitFor();
    await sound(page, 'the list');

    await page.goto(`${path}/discard`);
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.waitForURL(/vials$/);
    await page.goto(path);
    await expect.poll(() => page.getByText('Discarded').count()).toBeGreaterThan(0);
    await page.goto(`${path}/delete`);
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.waitForURL(/vials$/);
    expect((await page.goto(path))?.status()).toBe(404);
    expect(problems).toEqual([]);
    await context.close();
  });

  it('from the calculator, as typed', async () => {
    const { context, page } = await openPage(view);
    await signUp(context);
    await page.goto('/dashboard/calculator?peptideAmount=5&waterVolume=2&desiredDose=0.25');
    await ready(page);
    await page.getByLabel('Water volume').fill('4');
    await page.getByRole('button', { name: 'Save as vial' }).click();
    await page.waitForURL(/vials\/new/);
    await page.locator('[name=waterMl][value="4"]').waitFor();
    await expect.poll(() => page.getByLabel('Amount in vial').inputValue()).toBe('5');
    await context.close();
  });
});

it('a blend of five with long unbroken names fits a phone', async () => {
  const { context, page } = await openPage({ scripts: false, ...PHONE });
  const email = await signUp(context, { trial: true });
  const id = await asSomeone(inject('serverDataDir'), email, async (ctx) => {
    const components = [...'ABCDE'].map((letter) => ({ name: letter.repeat(50), amount: '2' }));
    const vial = {
      name: 'Z'.repeat(100),
      amountMg: '10',
      waterMl: '2',
      reconstitutionDate: day(-2),
      components,
    };
    return (await addVial(ctx, vial as never)).id;
  });
  for (const at of [`/dashboard/vials/${id}`, '/dashboard/vials', '/dashboard/analytics']) {
    await page.goto(at);
    await page.getByText('ZZZZZ').first().waitFor();
    await expectSoundPage(page, at, false);
  }
  await context.close();
});

it('the label is printed alone, and other pages print only their content', async () => {
  const { context, page } = await openPage({ scripts: true, ...DESKTOP });
  await signUp(context);
  await page.goto('/dashboard/vials/new?template=bpc-157');
  await page.getByRole('button', { name: 'Add vial' }).click();
  await page.waitForURL(/vial_[^/]+$/);
  await page.goto(`${new URL(page.url()).pathname}/label`);
  await page.emulateMedia({ media: 'print' });
  expect((await page.locator('body').innerText()).trim().split('\n')[0]).toBe('BPC-157');
  await expect.poll(() => page.getByRole('heading', { name: 'Label' }).isVisible()).toBe(false);

  // Other pages print what they say in black on white, by night as well, without what is there to be pressed.
  await page.goto('/dashboard/vials');
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await page.getByRole('heading', { name: 'Vials', level: 1 }).waitFor();
  expect(await page.locator('.no-print:visible, nav:visible, form:visible').count()).toBe(0);
  expect(await page.locator('main').innerText()).toContain('BPC-157');
  const colours = await page.evaluate(() => {
    const { color } = getComputedStyle(document.body);
    return [color, getComputedStyle(document.documentElement).backgroundColor];
  });
  expect(colours).toEqual(['rgb(0, 0, 0)', 'rgb(255, 255, 255)']);

  await page.goto('/calculator?peptideAmount=5&waterVolume=2&desiredDose=250&desiredDoseUnit=mcg');
  const result = page.locator('#result');
  expect((await result.innerText()).replace(/\s+/g, ' ')).toContain('10 units');
  await expect.poll(() => page.locator('fieldset:visible, summary:visible').count()).toBe(0);
  await context.close();
});

it('a list is searched with the keyboard without losing its place, and its fields follow the address', async () => {
  const { context, page, problems } = await openPage({ scripts: true, ...DESKTOP });
  const email = await signUp(context);
  await asSomeone(inject('serverDataDir'), email, async (ctx) => {
    for (const name of ['TB-500', 'BPC-157'])
      await addVial(ctx, { name, amountMg: '5', waterMl: '2', reconstitutionDate: day(-2) } as never);
  });
  await page.goto('/dashboard/vials');
  await hydrated(page);
  const search = page.getByLabel('Search by name, lot or notes');
  const order = page.getByLabel('Sort by');
  const hasFocus = (field: typeof search) => field.evaluate((element) => element === document.activeElement);

  await search.fill('bpc');
  await search.press('Enter');
  await page.waitForURL(/search=bpc/);
  await expect.poll(() => page.getByRole('link', { name: 'TB-500' }).count()).toBe(0);
  expect(await hasFocus(search)).toBe(true);

  let sendAnswer: (() => void) | undefined;
  const isTyped = new Promise<void>((resolve) => {
    sendAnswer = resolve;
  });
  await page.route(/vials\.data\?.*search=tb/, async (route) => {
    await isTyped;
    await route.continue();
  });
  await search.fill('tb');
  await search.press('Enter');
  await search.fill('tb-500');
  sendAnswer?.();
  await page.waitForURL(/search=tb/);
  await page.getByRole('link', { name: 'TB-500' }).first().waitFor();
  expect(await search.inputValue()).toBe('tb-500');
  expect(await hasFocus(search)).toBe(true);

  await order.focus();
  await order.selectOption('name');
  await page.waitForURL(/search=tb-500.*sort=name/);
  await expect.poll(() => hasFocus(order)).toBe(true);
  await page.goBack();
  await page.waitForURL(/search=tb&/);
  await expect.poll(() => search.inputValue()).toBe('tb');
  expect(await order.inputValue()).toBe('expiry');
  await page.goBack();
  await page.waitForURL(/search=bpc/);
  await expect.poll(() => search.inputValue()).toBe('bpc');
  expect(problems).toEqual([]);
  await context.close();
});
