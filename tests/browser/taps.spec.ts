import { afterAll, describe, expect, inject, it } from 'vitest';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { listSiteEntries } from '#app/features/tracking/sites/injection-sites.server.ts';
import { DESKTOP, expectSoundPage, openPage, PHONE } from '#tests/support/browser.ts';
import { planDoses } from '#tests/support/due-doses.ts';
import { asSomeone } from '#tests/support/someone.ts';
import { hydrated, signUp, typeExample } from './journey.ts';

const HOME = '/dashboard';
const TODAY = '/dashboard/schedule';
const HAND = { width: 360, height: 740 };

const closing: BrowserContext[] = [];
afterAll(() => Promise.all(closing.map((context) => context.close())));

/** One dose for each of these, due today, from a vial of 5 mg in 2 ml each. */
async function plan(email: string, names: readonly string[]): Promise<void> {
  await asSomeone(inject('serverDataDir'), email, async (ctx) => {
    await planDoses(ctx, names);
  });
}

const sitesOf = (email: string) =>
  asSomeone(inject('serverDataDir'), email, async (ctx) => (await listSiteEntries(ctx)).items);

/** Whether a thing can be seen without scrolling: in the bar at the bottom, or above it. */
async function isInView(thing: Locator): Promise<boolean> {
  const page = thing.page();
  const box = await thing.boundingBox();
  const isInBar = await thing.evaluate((element) => element.closest('.bottom-bar') !== null);
  const bar = isInBar ? null : await page.locator('.bottom-bar').boundingBox();
  const end = bar?.y ?? page.viewportSize()?.height ?? 0;
  return box !== null && box.y >= 0 && box.y + box.height <= end;
}

/** Presses counts every press, and only presses what can be seen without scrolling. */
function hand(page: Page) {
  let presses = 0;
  return {
    presses: () => presses,
    press: async (thing: Locator) => {
      await thing.waitFor();
      expect(await isInView(thing), String(thing)).toBe(true);
      presses += 1;
      await thing.click();
    },
    said: (text: string | RegExp) => page.getByRole('status').filter({ hasText: text }),
  };
}

describe.each([{ scripts: true }, { scripts: false }])('every day on a phone, scripts $scripts', (view) => {
  const { scripts } = view;
  async function open(names: readonly string[] = ['BPC-157']) {
    const { context, page, problems } = await openPage({ scripts, ...HAND });
    closing.push(context);
    const email = await signUp(context, { trial: true });
    await plan(email, names);
    const go = async (at: string) => {
      await page.goto(at);
      if (scripts) await hydrated(page);
    };
    return { page, problems, email, go, ...hand(page) };
  }
  const taken = (page: Page) => page.getByRole('button', { name: /^Taken: BPC-157/ }).first();

  it('the next dose is seen at once and taken with one press, its site noted with two', async () => {
    const { page, problems, email, go, press, presses, said } = await open();
    await go(HOME);
    const next = page.getByRole('region', { name: 'Next dose' });
    expect(await isInView(next)).toBe(true);
    expect(await next.innerText()).toMatch(/BPC-157 250 mcg · 10 units · \d\d:\d\d/);
    await expectSoundPage(page, 'the next dose', scripts);
    await page.setViewportSize(PHONE);
    expect(await isInView(page.locator('[name=peptideAmount]'))).toBe(true);
    await page.setViewportSize(HAND);
    await press(taken(page));
    const text = /Dose marked as taken\s*BPC-157 250 mcg taken at \d\d:\d\d/;
    await said(text).waitFor();
    expect([new URL(page.url()).pathname, presses()]).toEqual([HOME, 1]);
    await expectSoundPage(page, 'what was logged', scripts);

    await press(page.getByRole('button', { name: 'Add site: Abdomen, upper left' }));
    await said('Site noted: Abdomen, upper left').waitFor();
    expect([new URL(page.url()).pathname, presses()]).toEqual([HOME, 2]);
    const [entry, ...more] = await sitesOf(email);
    expect(entry).toMatchObject({ site: 'abdomen-upper-left', name: 'BPC-157', dose: '250' });
    expect(more).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('a dose taken on Today is undone from its message, or gets another site', async () => {
    const { page, problems, email, go, press, presses, said } = await open();
    await go(TODAY);
    await press(taken(page));
    await said('BPC-157 250 mcg taken at').waitFor();
    expect(presses()).toBe(1);
    await press(page.getByRole('button', { name: 'Undo', exact: true }));
    await said('Undone. The dose is back to how it was.').waitFor();
    await taken(page).click();
    await page.getByRole('link', { name: 'Other site' }).click();
    await page.getByRole('combobox', { name: 'Injection site' }).selectOption('deltoid-left');
    await page.getByRole('button', { name: 'Save site' }).click();
    await said('Site noted: Deltoid, left').waitFor();
    expect((await sitesOf(email)).map(({ site }) => site)).toEqual(['deltoid-left']);
    await page.getByRole('link', { name: 'BPC-157', exact: true }).first().click();
    await page.getByRole('heading', { name: 'BPC-157', level: 1 }).waitFor();
    expect(await page.getByRole('combobox', { name: 'Injection site' }).inputValue()).toBe('deltoid-left');
    await expectSoundPage(page, 'a taken dose with its site', scripts);
    expect(problems).toEqual([]);
  });

  it('is within five presses of Tab on Today, the skip link among them', async () => {
    const { page, go } = await open();
    await go(TODAY);
    await page.keyboard.press('Tab');
    await expect.poll(() => page.locator(':focus').innerText()).toBe('Skip to content');
    await page.keyboard.press('Enter');
    await page.waitForURL(/#/);
    let tabs = 1;
    const isThere = () => taken(page).evaluate((button) => button === document.activeElement);
    while (tabs < 5 && !(await isThere())) {
      await page.keyboard.press('Tab');
      tabs += 1;
    }
    expect(await isThere(), `after ${tabs}`).toBe(true);
    await page.keyboard.press('Enter');
    await page.getByRole('status').filter({ hasText: 'BPC-157 250 mcg taken at' }).waitFor();
  });

  it('all that is due is one press, and what is left another', async () => {
    const { page, problems, go, press, presses, said } = await open(['BPC-157', 'TB-500']);
    await go(TODAY);
    await press(page.getByRole('button', { name: 'Take all 2' }));
    await said('2 doses marked as taken').waitFor();
    expect(presses()).toBe(1);
    await go(HOME);
    await press(
      page.getByRole('navigation', { name: 'Quick navigation' }).getByRole('link', { name: 'Vials' }),
    );
    await page.getByRole('heading', { name: 'Vials', level: 1 }).waitFor();
    expect(await isInView(page.getByText(/4\.75\s*mg/).first())).toBe(true);
    expect(presses()).toBe(2);
    expect(problems).toEqual([]);
  });

  it('a draw is three fields and one press, with the result in view', async () => {
    const { page, problems, go, press, presses } = await open([]);
    await go(HOME);
    // Three fields; the unit is that of the profile or is typed with the dose.
    await typeExample(page);
    await press(page.getByRole('button', { name: 'Calculate', exact: true }));
    const units = page
      .locator('#result')
      .getByText(/10\s*units/)
      .first();
    await units.waitFor();
    await expect.poll(() => isInView(units)).toBe(true);
    expect(presses()).toBe(1);
    expect(problems).toEqual([]);
  });

  it('a vial is at most five fields on one screen', async () => {
    const { page, go } = await open([]);
    await go('/dashboard/vials/new');
    const form = page.locator('main form', { has: page.getByLabel('Amount in vial') });
    const fields = form.locator('input:visible, select:visible, textarea:visible');
    const [first, last] = [fields.first(), form.getByRole('button', { name: 'Add vial' })];
    expect(await fields.count()).toBeLessThanOrEqual(5);
    await first.scrollIntoViewIfNeeded();
    const [top, end] = [await first.boundingBox(), await last.boundingBox()];
    expect((end?.y ?? 0) + (end?.height ?? 0) - (top?.y ?? 0)).toBeLessThan(HAND.height);
  });
});

it('without Premium the calculator begins with itself', async () => {
  const { context, page } = await openPage({ scripts: false, ...DESKTOP });
  closing.push(context);
  await signUp(context);
  await page.goto(HOME);
  expect(await page.getByRole('region', { name: 'Next dose' }).count()).toBe(0);
});
