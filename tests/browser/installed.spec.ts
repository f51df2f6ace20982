import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { openPage, PHONE } from '#tests/support/browser.ts';

/** Simulates the browser's offer to install the site, and records the user's choice. */
const offerInstall = (page: Page, fails = false) =>
  page.evaluate((isRefused) => {
    const prompt = () => {
      Object.assign(window, { prompted: true });
      return isRefused ? Promise.reject(new Error('refused')) : Promise.resolve();
    };
    const userChoice = Promise.resolve({ outcome: 'accepted' });
    window.dispatchEvent(Object.assign(new Event('beforeinstallprompt'), { prompt, userChoice }));
  }, fails);

describe('the installed app', () => {
  it('is offered in a card that covers nothing; "Not now" is remembered, "Install" opens the browser’s prompt', async () => {
    const { context, page } = await openPage({ scripts: true, worker: true, ...PHONE });
    const card = page.getByRole('complementary', { name: 'Vialbook on this device' });
    // The page starts to listen some time after it becomes usable; an earlier offer would be missed.
    await context.addInitScript(() => {
      const add = window.addEventListener.bind(window);
      window.addEventListener = (type: string, ...rest: unknown[]) => {
        if (type === 'beforeinstallprompt') Object.assign(window, { listens: true });
        add(type, ...(rest as [EventListener]));
      };
    });
    const comeAgain = async (fails = false) => {
      await page.goto('/calculator');
      await page.waitForFunction(() => 'listens' in window);
      await offerInstall(page, fails);
    };
    await comeAgain();
    await card.waitFor();
    const atTheFields = await page.evaluate(() =>
      ['peptideAmount', 'waterVolume', 'desiredDose'].every((name) => {
        const field = document.querySelector<HTMLInputElement>(`input[name=${name}]`);
        const box = field?.getBoundingClientRect();
        return field === document.elementFromPoint((box?.left ?? 0) + 9, (box?.top ?? 0) + 9);
      }),
    );
    expect(atTheFields).toBe(true);
    await card.getByRole('button', { name: 'Install' }).click();
    await card.waitFor({ state: 'detached' });
    expect(await page.evaluate(() => 'prompted' in window)).toBe(true);
    await comeAgain(true);
    await card.getByRole('button', { name: 'Install' }).click();
    await page.getByRole('alert').filter({ hasText: 'Failed to install app' }).waitFor();
    await comeAgain();
    await card.getByRole('button', { name: 'Not now' }).click();
    await card.waitFor({ state: 'detached' });
    await comeAgain();
    await context.setOffline(true);
    await page.getByRole('link', { name: 'Working offline' }).waitFor();
    expect(await card.count()).toBe(0);
    await context.setOffline(false);
    await page.getByRole('status').filter({ hasText: 'Back online' }).waitFor();
    await context.close();
  });

  it('announces a new version, which takes over when the user wants it', async () => {
    const { context, page } = await openPage({ scripts: true, ...PHONE });
    // The previous version's worker is in control, and a new one is waiting.
    await context.addInitScript(() => {
      const workers = new EventTarget();
      const waiting = {
        postMessage: (what: unknown) => {
          localStorage.setItem('said', String(what));
          workers.dispatchEvent(new Event('controllerchange'));
        },
      };
      const registration = Object.assign(new EventTarget(), { waiting, update: () => Promise.resolve() });
      const register = () => Promise.resolve(registration);
      const world = Object.assign(workers, { controller: {}, register });
      Object.defineProperty(navigator, 'serviceWorker', { get: () => world });
    });
    await page.goto('/calculator');
    await page
      .getByRole('status')
      .filter({ hasText: 'New app version available. Refresh to update.' })
      .waitFor();
    const loaded = page.waitForEvent('load');
    await page.getByRole('button', { name: 'Refresh', exact: true }).click();
    await loaded;
    expect(await page.evaluate(() => localStorage.getItem('said'))).toBe('TAKE_OVER');
    await context.close();
  });
});
