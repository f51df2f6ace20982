import { describe, expect, it } from 'vitest';
import { pageBrowser, PATIENCE_MS, PHONE } from '#tests/support/browser.ts';
import { PASSWORD } from '#tests/support/people.ts';
import { openAccountMenu } from './journey.ts';
import {
  closeLater,
  entriesLeft,
  kept,
  nextAddress,
  register,
  server,
  someone,
  stored,
  typeCalculation,
  useOfflineWorld,
} from './offline-world.ts';

useOfflineWorld();

describe('a browser without storage, or with a full disk', () => {
  it('says that it could not save, keeps what was typed, and continues to work', async () => {
    const { context, page } = await someone();
    await context.setOffline(true);
    await page.goto('/offline');
    await page.getByText('5 mg of 5 mg left').waitFor();
    await page.evaluate(() => {
      IDBObjectStore.prototype.add = () => {
        throw new DOMException('The disk is full.', 'QuotaExceededError');
      };
    });
    await typeCalculation(page, 'No room');
    await page.getByRole('button', { name: 'Save Calculation' }).click();
    await page.getByText('This device could not save the calculation').waitFor();
    expect(await page.getByLabel('Peptide name').inputValue()).toBe('No room');
    const taken = page.getByRole('button', { name: /^Taken: BPC-157/ }).first();
    await taken.click();
    await page.getByRole('alert').filter({ hasText: 'could not' }).waitFor();
    await expect.poll(() => taken.isEnabled()).toBe(true);
    expect(await entriesLeft(page)).toBe(0);
  });

  it('still runs pages, calculator and sign-out, and the offline page says what is missing', async () => {
    const context = await (await pageBrowser()).newContext({ baseURL: server.url, viewport: PHONE });
    context.setDefaultTimeout(PATIENCE_MS);
    closeLater(context);
    await register(context, nextAddress());
    await context.addInitScript(() => {
      const refuse = () => {
        throw new DOMException('Access is denied for this document.', 'SecurityError');
      };
      for (const name of ['indexedDB', 'localStorage', 'sessionStorage', 'caches'])
        Object.defineProperty(window, name, { get: refuse });
      Object.defineProperty(document, 'cookie', { get: () => '', set: () => undefined });
      ServiceWorkerContainer.prototype.register = () => Promise.reject(new DOMException('', 'SecurityError'));
    });
    const page = await context.newPage();
    const failures: string[] = [];
    page.on('pageerror', (error) => failures.push(error.message));
    await page.goto('/dashboard/calculator');
    await page.getByLabel('Peptide amount').fill('10');
    await page.getByLabel('Water volume').fill('2');
    await page.getByLabel('Desired dose').fill('0.5');
    await expect.poll(() => page.locator('#result').innerText()).toContain('10 units');
    await page.goto('/offline');
    await page.getByRole('heading', { name: 'This browser stores nothing for this site' }).waitFor();
    await page.goto('/dashboard/calculator');
    await openAccountMenu(page);
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.waitForURL(/\/login/);
    // Remix's script for scroll positions uses storage in any case; its error is expected.
    expect(failures.filter((message) => !message.startsWith('Access is denied'))).toEqual([]);
  });
});

describe('signing out', () => {
  it('asks about unsent entries, wipes the device, and ends the session when online', async () => {
    const { context, page, email } = await someone();
    await context.setOffline(true);
    await page.goto('/offline');
    await page.getByText('5 mg of 5 mg left').waitFor();
    await typeCalculation(page, 'Never sent');
    await page.getByRole('button', { name: 'Save Calculation' }).click();
    await page.getByRole('heading', { name: '1 entry waiting' }).waitFor();
    await openAccountMenu(page);
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByText('1 entry has not been sent.').waitFor();
    await page.getByRole('button', { name: 'Sign out and delete it' }).click();
    await page.getByText('You are signed out, and your data was removed').waitFor();
    expect(await stored(page)).toMatchObject({ owner: [], items: [], waiting: [] });
    expect(await page.content()).not.toContain(email);

    await context.setOffline(false);
    await page.waitForURL(/\/login/);
    await page.goto('/dashboard/vials');
    await page.waitForURL(/\/login/);
    expect((await stored(page))['flags'] ?? []).toEqual([]);
  });

  it('online wipes the store, and the next user finds nothing', async () => {
    const { context, page } = await someone();
    await openAccountMenu(page);
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.waitForURL(/\/login/);
    await expect.poll(async () => (await stored(page))['owner'] ?? []).toEqual([]);
    expect((await stored(page))['items'] ?? []).toEqual([]);
    await register(context, nextAddress());
    await page.goto('/dashboard/calculator');
    await kept(page);
    await context.setOffline(true);
    await page.goto('/offline');
    await page.getByText('No vials.').waitFor();
    expect(await page.content()).not.toContain('BPC-157 250 mcg');
  });

  it('is installed even if its first version is lost while loading', async () => {
    const context = await (await pageBrowser()).newContext({ baseURL: server.url });
    context.setDefaultTimeout(PATIENCE_MS);
    closeLater(context);
    await context.addInitScript(() => {
      const workers = navigator.serviceWorker;
      const register = workers.register.bind(workers);
      workers.register = async (...request) => {
        const registration = await register(...request);
        workers.register = register;
        setTimeout(() => void registration.unregister(), 0);
        return registration;
      };
    });
    const page = await context.newPage();
    await page.goto('/calculator');
    await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
  });

  it('controls the next page even if it is removed while another page is open', async () => {
    const { context, page } = await someone();
    await page.evaluate(async () => (await navigator.serviceWorker.ready).unregister());
    const next = await context.newPage();
    await next.goto('/calculator');
    await expect.poll(() => next.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
  });

  it('that was abandoned leaves nothing for the next user, even if the connection is lost', async () => {
    const { context, page } = await someone();
    const next = nextAddress();
    const elsewhere = await (await pageBrowser()).newContext({ baseURL: server.url });
    elsewhere.setDefaultTimeout(PATIENCE_MS);
    closeLater(elsewhere);
    await register(elsewhere, next);
    await context.clearCookies({ name: 'vialbook_session' });
    await page.goto('/login');
    await page.getByLabel('Email').fill(next);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.route('**/dashboard**', (route) => route.abort());
    const lost = page.waitForEvent('requestfailed', (request) => request.url().includes('/dashboard'));
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await lost;
    await context.setOffline(true);
    const later = await context.newPage();
    await expect(later.goto('/offline')).rejects.toThrow('ERR_INTERNET_DISCONNECTED');
    await context.setOffline(false);
    await later.goto('/healthz');
    expect(await stored(later)).toEqual({});
  });
});
