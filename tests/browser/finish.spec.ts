import { afterAll, describe, expect, inject, it } from 'vitest';
import type { BrowserContext, Page } from 'playwright-core';
import { logDose } from '#app/features/doses/doses.server.ts';
import { laterToday } from '#tests/support/schedules.ts';
import { createSchedule } from '#app/features/schedules/schedules.server.ts';
import {
  DESKTOP,
  expectSoundPage,
  openPage,
  PHONE,
  problemsInEveryView,
  type View,
} from '#tests/support/browser.ts';
import { startServer } from '#tests/support/server.ts';
import { asSomeone } from '#tests/support/someone.ts';
import { readBrowserManifest } from '../../scripts/javascript-size.mjs';
import { hydrated, saveCalculation, signUp, typeExample } from './journey.ts';

const closing: BrowserContext[] = [];
afterAll(() => Promise.all(closing.map((context) => context.close())));

async function open(view: View = { scripts: true, ...DESKTOP }) {
  const opened = await openPage(view);
  closing.push(opened.context);
  const email = await signUp(opened.context, { trial: true });
  const go = async (at: string) => {
    await opened.page.goto(at);
    if (view.scripts) await hydrated(opened.page);
  };
  return { ...opened, email, go };
}

/** The address of a route's own code. */
const codeOf = (route: string): string =>
  `**${readBrowserManifest('build/client').routes[`routes/${route}`]?.module ?? expect.unreachable(route)}`;

/** Pages still load their files, but nobody answers for their data. */
const cut = (page: Page) => page.route(/\.data(\?|$)/, (route) => route.abort());
const mend = (page: Page) => page.unrouteAll();
const entry = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link', { name });
const alert = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text });

/** A browser whose service worker controls its pages. Their files go through it, so they are cut off in its context. */
async function withWorker() {
  const opened = await open({ scripts: true, ...DESKTOP, worker: true });
  await opened.go('/dashboard/calculator');
  await expect.poll(() => opened.page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
  return opened;
}

describe('the code of a page', () => {
  it('that fails to load at first is requested again, and the page says what it is waiting for', async () => {
    const { context, page } = await withWorker();
    let asked = 0;
    await context.route(codeOf('dashboard.vials'), (route) => {
      asked += 1;
      return asked < 3 ? route.abort() : route.continue();
    });
    await entry(page, 'Vials').click();
    await page.getByText('Loading component...').waitFor();
    await page.getByRole('heading', { name: 'Vials', level: 1 }).waitFor();
    expect(asked).toBe(3);
    expect(new URL(page.url()).pathname).toBe('/dashboard/vials');
  });

  it('that never loads is reported in the frame, and refreshing leads to the requested page', async () => {
    const { context, page } = await withWorker();
    let asked = 0;
    await context.route(codeOf('dashboard.vendors._index'), (route) => {
      asked += 1;
      return route.abort();
    });
    await entry(page, 'Vendors').click();
    await page.getByRole('heading', { name: 'Component Loading Error' }).waitFor();
    expect(asked).toBe(4);
    await entry(page, 'Vials').waitFor();
    await page.getByRole('link', { name: 'Back to Dashboard' }).waitFor();
    await context.unrouteAll();
    await page.getByRole('link', { name: 'Refresh Page' }).click();
    await page.getByRole('heading', { name: 'Vendors', level: 1 }).waitFor();
  });

  it('that never loads without a service worker is reported on the page that Remix reloads', async () => {
    const { page, go } = await open({ scripts: true, ...PHONE });
    await go('/dashboard/calculator');
    await page.route(codeOf('dashboard.vials'), (route) => route.abort());
    await page
      .getByRole('navigation', { name: 'Quick navigation' })
      .getByRole('link', { name: 'Vials' })
      .click();
    await alert(page, 'Component Loading Error').waitFor();
    await expectSoundPage(page, 'component loading error', true);
    await mend(page);
    await page.getByRole('link', { name: 'Refresh Page' }).click();
    await page.getByRole('heading', { name: 'Vials', level: 1 }).waitFor();
    expect(await alert(page, 'Component Loading Error').count()).toBe(0);
  });

  it('and its data do not arrive: the page that is open stays, with what was typed', async () => {
    const { context, page, go } = await withWorker();
    await go('/dashboard/vials/new');
    await page.getByLabel('Name', { exact: true }).fill('Half typed');
    await context.route(/\.data(\?|$)|\/assets\//, (route) => route.abort());
    const given = page.waitForResponse(codeOf('dashboard.profile'));
    await entry(page, 'Profile').click();
    await alert(page, 'Network Error').waitFor();
    await given;
    await expect.poll(() => page.locator('.loading-bar').count()).toBe(0);
    expect(new URL(page.url()).pathname).toBe('/dashboard/vials/new');
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Half typed');
  });
});

describe('without an answer from the server', () => {
  it('navigation stays on the page, and works when the connection is back', async () => {
    const { page, go } = await open();
    await go('/dashboard/vials/new');
    await page.getByLabel('Name', { exact: true }).fill('Half typed');
    await cut(page);
    await entry(page, 'Profile').click();
    await alert(page, 'Network Error').filter({ hasText: 'Failed to connect to server' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/dashboard/vials/new');
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Half typed');
    await mend(page);
    await entry(page, 'Profile').click();
    await page.getByRole('heading', { name: 'Profile', level: 1 }).waitFor();
  });

  it('going back shows what happened, and trying again the page', async () => {
    const { page, go } = await open();
    await go('/dashboard/calculator');
    await entry(page, 'Vials').click();
    await page.getByRole('heading', { name: 'Vials', level: 1 }).waitFor();
    await cut(page);
    await page.goBack();
    await page.getByRole('heading', { name: 'Network Error' }).waitFor();
    await page.getByText('Failed to connect to server').waitFor();
    await expectSoundPage(page, 'nobody answers', true);
    await mend(page);
    await page.getByRole('link', { name: 'Try Again' }).click();
    await page.getByLabel('Peptide amount').waitFor();
    expect(new URL(page.url()).pathname).toBe('/dashboard/calculator');
  });

  it.each([
    [502, 'HTTP 502: Bad Gateway'],
    [429, 'HTTP 429: Too Many Requests'],
  ])(
    'but one of %i from a proxy, a form keeps what was typed, says so, and can be sent again',
    async (...of) => {
      const [status, message] = of;
      const { page, go, problems } = await open({ scripts: true, ...PHONE });
      await go('/dashboard/vials/new');
      await page.getByLabel('Name', { exact: true }).fill('Half typed');
      await page.getByLabel('Amount in vial').fill('5');
      const body = `<!doctype html><title>${status}</title><h1>A proxy</h1>`;
      await page.route(/\.data(\?|$)/, (route) => route.fulfill({ status, contentType: 'text/html', body }));
      const send = page.getByRole('button', { name: 'Add vial', exact: true });
      await send.click();
      await alert(page, 'Request failed').filter({ hasText: message }).waitFor();
      await expect.poll(() => send.isEnabled()).toBe(true);
      expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Half typed');
      expect(await page.getByLabel('Amount in vial').inputValue()).toBe('5');
      // A link leads nowhere either, and loses nothing.
      const refused = page.waitForResponse(/\/dashboard\/vials\.data/);
      await page.getByRole('link', { name: 'Back to vials' }).click();
      await refused;
      expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Half typed');
      await mend(page);
      await send.click();
      await page.getByText('Half typed').first().waitFor();
      expect(new URL(page.url()).pathname).not.toBe('/dashboard/vials/new');
      // Remix reports what it could not read, and what it gave up.
      const expected = /Failed to load resource|^SyntaxError|^AbortError/;
      expect(problems.filter((problem) => !expected.test(problem))).toEqual([]);
    },
  );

  it('a dose that was shown as taken is pending again', async () => {
    const { page, email, go } = await open();
    const day = new Date(Date.now() - 24 * 3_600_000).toISOString().slice(0, 10);
    await asSomeone(inject('serverDataDir'), email, async (ctx) => {
      const schedule = { name: 'BPC-157', doseAmount: '250', doseUnit: 'mcg', timeZone: 'UTC' };
      const rule = { frequency: { kind: 'daily' }, times: [laterToday()], startDate: day };
      await createSchedule(ctx, { ...schedule, ...rule });
    });
    await go('/dashboard/schedule');
    const taken = page.getByRole('button', { name: /^Taken: BPC-157/ }).first();
    await cut(page);
    await taken.click();
    await alert(page, 'Network Error').waitFor();
    await expect.poll(() => taken.isEnabled()).toBe(true);
    await mend(page);
    await taken.click();
    await page.getByRole('status').filter({ hasText: 'Dose marked as taken' }).waitFor();
  });

  it('a deleted row reappears; with an answer it is removed, and the list keeps its filters', async () => {
    const { context, page, go } = await open();
    await saveCalculation(context, 'Leaves at once');
    await saveCalculation(context, 'Stays');
    await go('/dashboard/calculator?history=1&search=leaves');
    const deleted = page.getByRole('link', { name: /^Delete Leaves at once/ });
    const erase = async () => {
      await deleted.click();
      await page.getByRole('heading', { name: 'Delete calculation for Leaves at once?' }).waitFor();
      await page.getByRole('button', { name: 'Delete', exact: true }).click();
    };
    await cut(page);
    await erase();
    await alert(page, 'Network Error').waitFor();
    await deleted.waitFor();
    await mend(page);
    await erase();
    await page.getByRole('status').filter({ hasText: 'Calculation deleted' }).waitFor();
    await page.getByText('No match').waitFor();
    expect(new URL(page.url()).search).toBe('?history=1&search=leaves');
  });
});

describe('with the keyboard', () => {
  it('shortcuts lead through the pages, focus moves to each heading, and they can be turned off', async () => {
    const { page, go, problems } = await open();
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    // An address with the list open is hydrated as the server sent it.
    await page.goto('/dashboard/calculator?help=keys');
    await hydrated(page);
    await dialog.getByLabel('Use shortcuts in this browser').waitFor();
    expect(problems).toEqual([]);
    await go('/dashboard/calculator?history=1');
    // The keys come a moment after the page.
    const ask = async () => {
      await page.keyboard.press('?');
      return dialog.waitFor({ timeout: 3000 }).then(
        () => true,
        () => false,
      );
    };
    await expect.poll(ask).toBe(true);
    expect(new URL(page.url()).search).toBe('?history=1&help=keys');
    await page.keyboard.press('Escape');
    await expect.poll(() => dialog.count()).toBe(0);
    expect(new URL(page.url()).search).toBe('?history=1');
    await page.keyboard.press('g');
    await page.keyboard.press('v');
    await page.getByRole('heading', { name: 'Vials', level: 1 }).waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Vials');

    await page.keyboard.press('?');
    await dialog.getByLabel('Use shortcuts in this browser').uncheck();
    await page.keyboard.press('Escape');
    await expect.poll(() => dialog.count()).toBe(0);
    await page.keyboard.press('g');
    await page.keyboard.press('p');
    await page.keyboard.press('?');
    expect(new URL(page.url()).pathname).toBe('/dashboard/vials');
    expect(await dialog.count()).toBe(0);
  });

  it('a refused form moves focus to its message', async () => {
    const { page } = await openPage({ scripts: true, ...DESKTOP });
    closing.push(page.context());
    await page.goto('/login');
    await hydrated(page);
    await page.getByLabel('Email').fill('nobody@example.org');
    await page.getByLabel('Password').fill('wrong-password');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await alert(page, 'Invalid email or password').waitFor();
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.textContent))
      .toBe('Invalid email or password');
  });
});

it('without scripts the list of shortcuts and delete confirmations have their own pages', async () => {
  const { context, page, go, problems } = await open({ scripts: false, ...PHONE });
  await saveCalculation(context, 'Plain');
  await go('/dashboard/calculator?history=1');
  await page.goto('/calculator?help=keys');
  await page.getByRole('heading', { name: 'Keyboard shortcuts' }).waitFor();
  await page.getByRole('link', { name: 'Close' }).click();
  await page.waitForURL(/\/calculator$/);
  await page.goto('/dashboard/calculator?history=1');
  await page.getByRole('link', { name: /^Delete Plain/ }).click();
  await page.waitForURL(/\/delete$/);
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByText('No calculations yet').waitFor();
  expect(problems).toEqual([]);
});

/** How far things moved that nobody touched; 0.1 is what Lighthouse calls good. */
const shifted = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let sum = 0;
        const observer = new PerformanceObserver((list) => {
          for (const shift of list.getEntries() as (PerformanceEntry & { value: number })[])
            sum += shift.value;
        });
        observer.observe({ type: 'layout-shift', buffered: true });
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(sum)));
      }),
  );

describe.each([PHONE, DESKTOP])('at $width px', (size) => {
  it('nothing moves while a page loads, every picture has its size, and right-to-left layouts fit too', async () => {
    const { page, email, go } = await open({ scripts: true, ...size });
    await asSomeone(inject('serverDataDir'), email, (ctx) =>
      logDose(ctx, { name: 'BPC-157', actualDose: '0.25', doseUnit: 'mg', site: 'deltoid-left' }),
    );
    const visitor = await openPage({ scripts: true, ...size });
    closing.push(visitor.context);
    const walk = async (one: Page, paths: readonly string[], come: (at: string) => Promise<unknown>) => {
      for (const at of paths) {
        await come(at);
        // What a page does by itself, it does at every load; a busy machine may also paint a page of which half has arrived.
        const moved = [await shifted(one)];
        if ((moved[0] ?? 0) >= 0.01) {
          await one.reload();
          await hydrated(one);
          moved.push(await shifted(one));
        }
        expect(Math.min(...moved), at).toBeLessThan(0.01);
        const unsized = 'img:not([width]), img:not([height]), svg:not([viewBox])';
        expect(await one.locator(unsized).count(), at).toBe(0);
        await one.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'));
        const wide = await one.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        expect(wide, `${at}, right to left`).toBeLessThanOrEqual(0);
      }
    };
    await walk(visitor.page, ['/', '/calculator', '/login', '/register'], async (at) => {
      await visitor.page.goto(at);
      await hydrated(visitor.page);
    });
    await walk(
      page,
      ['/dashboard/calculator', '/dashboard/schedule', '/dashboard/tracking', '/dashboard/analytics'],
      go,
    );
    await visitor.page.goto('/calculator');
    await hydrated(visitor.page);
    await typeExample(visitor.page);
    await visitor.page.locator('#result').getByText('exactly on a mark').waitFor();
    await visitor.context.close();
  });
});

it('the style guide shows every component if the setting enables it, and axe finds nothing in either scheme', async () => {
  const server = await startServer({ env: { STYLEGUIDE: 'on' } });
  try {
    const { context, page } = await openPage({ scripts: true, ...PHONE });
    closing.push(context);
    await page.goto(`${server.url}/styleguide`);
    await page.getByRole('heading', { name: 'Style guide' }).waitFor();
    expect(await problemsInEveryView(page)).toEqual([]);
  } finally {
    await server.stop();
  }
});
