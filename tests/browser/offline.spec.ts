import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { BrowserContext, Page } from 'playwright-core';
import { createSchedule } from '#app/services/schedules.server.ts';
import { addVial } from '#app/services/vials.server.ts';
import { connectBrowser, DESKTOP, expectSoundPage, PHONE } from '#tests/support/browser.ts';
import { PASSWORD } from '#tests/support/people.ts';
import { startServer, type RunningServer } from '#tests/support/server.ts';
import { asSomeone } from '#tests/support/someone.ts';

// A server of its own: it is started again in between.
const HOUR = 3_600_000;
let server: RunningServer;
let port = '';
const contexts: BrowserContext[] = [];
const env = { RATE_LIMIT_FACTOR: '100' };

afterEach(async () => {
  await Promise.all(contexts.splice(0).map((context) => context.close()));
});
afterAll(async () => {
  await server.stop();
  await rm(server.dataDir, { recursive: true, force: true });
});

async function start(): Promise<void> {
  server ??= await startServer({ env, dataDir: await mkdtemp(path.join(os.tmpdir(), 'vialbook-offline-')) });
  port = new URL(server.url).port;
}

async function register(context: BrowserContext, email: string): Promise<void> {
  const answer = await context.request.post('/register', {
    headers: { origin: server.url },
    form: {
      email,
      password: PASSWORD,
      confirmPassword: PASSWORD,
      agreeToTerms: 'on',
      ageVerification: 'on',
      plan: 'trial',
    },
    maxRedirects: 0,
  });
  expect(answer.status()).toBe(302);
}

/** A dose that was due an hour ago, from a vial of 5 mg in 2 ml. */
async function plan(email: string): Promise<void> {
  const hourAgo = new Date(Date.now() - HOUR).toISOString();
  const day = hourAgo.slice(0, 10);
  await asSomeone(server.dataDir, email, async (ctx) => {
    await addVial(ctx, { name: 'BPC-157', amountMg: '5', waterMl: '2', reconstitutionDate: day });
    await createSchedule(ctx, {
      name: 'BPC-157',
      doseAmount: '250',
      doseUnit: 'mcg',
      frequency: { kind: 'daily' },
      times: [hourAgo.slice(11, 16)],
      timeZone: 'UTC',
      startDate: day,
    });
  });
}

let people = 0;

/** A browser that is signed in and has seen the account with a connection. */
async function someone(size = DESKTOP): Promise<{ context: BrowserContext; page: Page; email: string }> {
  await start();
  const browser = await connectBrowser();
  const context = await browser.newContext({ baseURL: server.url, viewport: size });
  contexts.push(context);
  people += 1;
  const email = `offline-${people}@example.org`;
  await register(context, email);
  await plan(email);
  const page = await context.newPage();
  await page.goto('/dashboard/calculator');
  await kept(page);
  return { context, page, email };
}

/** What stands in the store, by the names of its parts. */
function stored(page: Page): Promise<Record<string, unknown[]>> {
  return page.evaluate(async () => {
    const known = (await indexedDB.databases()).some(({ name }) => name === 'vialbook');
    if (!known) return {};
    return new Promise<Record<string, unknown[]>>((resolve, reject) => {
      const asked = indexedDB.open('vialbook');
      asked.onerror = () => reject(new Error('no store'));
      asked.onsuccess = () => {
        const database = asked.result;
        const names = [...database.objectStoreNames];
        const found: Record<string, unknown[]> = {};
        if (names.length === 0) return resolve(found);
        const read = database.transaction(names);
        for (const name of names) {
          const keys = read.objectStore(name).getAllKeys();
          keys.onsuccess = () => (found[name] = keys.result);
        }
        read.oncomplete = () => {
          database.close();
          resolve(found);
        };
      };
    });
  });
}

/** Waits until the worker is in charge of the page and the account was looked at. */
async function kept(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
  await expect.poll(async () => (await stored(page))['items'] ?? []).toContain('vials');
}

const entriesLeft = async (page: Page) => (await stored(page))['waiting']?.length ?? 0;

async function typeCalculation(page: Page, name: string): Promise<void> {
  await page.getByLabel('Peptide amount').fill('10');
  await page.getByLabel('Water volume').fill('2');
  await page.getByLabel('Desired dose').fill('0.5');
  await page.getByLabel('Peptide name').fill(name);
}

async function api<T>(context: BrowserContext, path: string): Promise<T> {
  const { data } = (await (await context.request.get(path)).json()) as { data: T };
  return data;
}

describe('without a connection', () => {
  it('everything is computed, read and written down, and arrives once, with its time, after a restart', async () => {
    const { context, page } = await someone(PHONE);
    await context.setOffline(true);
    await page.getByRole('link', { name: 'Working offline' }).waitFor();
    await page.goto('/dashboard/schedule');
    await page.waitForURL(/\/offline\?from=/);
    await page.getByText('Draw 10 units (0.100 ml)').first().waitFor();
    await page.locator('#vials').waitFor();
    await page.getByText('5 mg of 5 mg left').waitFor();
    await page.getByText('As of').first().waitFor();
    await expectSoundPage(page, 'offline, phone', true);

    await page
      .getByRole('button', { name: /^Taken: BPC-157/ })
      .first()
      .click();
    await page.getByText('Taken, waits to be sent').waitFor();
    const takenBefore = Date.now();
    await typeCalculation(page, 'From the train');
    await expect.poll(() => page.locator('#result').innerText()).toContain('10 units');
    await page.getByRole('button', { name: 'Save Calculation' }).click();
    await page.getByText('Written down. It is sent as soon as there is a connection.').waitFor();
    await page.getByText('A side effect', { exact: true }).click();
    await page.getByRole('button', { name: 'Note side effect' }).click();
    await page.getByText('Name is required').waitFor();
    await page.getByLabel('What it is').fill('Headache');
    await page.getByRole('button', { name: 'Note side effect' }).click();
    await page.getByRole('heading', { name: '3 entries wait' }).waitFor();
    expect(await entriesLeft(page)).toBe(3);

    const { dataDir } = server;
    await server.stop();
    server = await startServer({ env, dataDir, port: Number(port) });
    await context.setOffline(false);
    await expect.poll(() => entriesLeft(page)).toBe(0);
    await page.reload();
    const { calculations } = await api<{ calculations: { peptideName: string }[] }>(
      context,
      '/api/calculations',
    );
    expect(calculations.map(({ peptideName }) => peptideName)).toEqual(['From the train']);
    const { doses } = await api<{ doses: { takenAt: string }[] }>(
      context,
      '/api/schedules/doses?status=taken',
    );
    expect(doses).toHaveLength(1);
    expect(Date.parse(doses[0]?.takenAt ?? '')).toBeLessThanOrEqual(takenBefore);
    const effects = await api<{ total: number }>(context, '/api/side-effects');
    expect(effects.total).toBe(1);
  });

  it('two tabs write into one line that is sent once; what is refused is shown with a choice', async () => {
    const { context, page } = await someone();
    const second = await context.newPage();
    await second.goto('/offline');
    await second.getByText('5 mg of 5 mg left').waitFor();
    await page.goto('/offline');
    await page.getByText('5 mg of 5 mg left').waitFor();
    await context.setOffline(true);
    for (const [tab, name] of [
      [page, 'One'],
      [second, 'Two'],
    ] as const) {
      await typeCalculation(tab, name);
      await tab.getByRole('button', { name: 'Save Calculation' }).click();
      await tab.getByText('Written down. It is sent as soon as there is a connection.').waitFor();
    }
    await page
      .getByRole('button', { name: /^Taken: BPC-157/ })
      .first()
      .click();
    await second.getByRole('heading', { name: '3 entries wait' }).waitFor();
    // Meanwhile the dose is taken on another device: this one is told, and its owner decides.
    const [dose] = (await api<{ doses: { id: string }[] }>(context, '/api/schedules/doses?overdue=true'))
      .doses;
    const elsewhere = await context.request.patch(`/api/schedules/doses/${dose?.id}/taken`, {
      headers: { origin: server.url },
      data: { takenAt: new Date(Date.now() - HOUR / 2).toISOString() },
    });
    expect(elsewhere.status()).toBe(200);
    await context.setOffline(false);
    await page.getByText('This dose is logged as taken already.').waitFor();
    await expect.poll(() => entriesLeft(page)).toBe(1);
    await page.getByRole('button', { name: 'Drop', exact: true }).click();
    await expect.poll(() => entriesLeft(second)).toBe(0);
    const { total } = await api<{ total: number }>(context, '/api/calculations');
    expect(total).toBe(2);

    await page.reload();
    await page.getByText('Saved calculations').waitFor();
    await context.setOffline(true);
    await page.getByText('A dose without a schedule', { exact: true }).click();
    await page.getByLabel('Compound').first().fill('BPC-157');
    await page.getByLabel('Dose taken').first().fill('250');
    await page.getByRole('button', { name: 'Log dose' }).click();
    await page.getByRole('heading', { name: '1 entry waits' }).waitFor();
    await context.setOffline(false);
    await page.getByText('Less than half of the usual time').waitFor();
    expect(await entriesLeft(page)).toBe(1);
    await page.getByRole('button', { name: 'Log it anyway' }).click();
    await expect.poll(() => entriesLeft(page)).toBe(0);
    const taken = await api<{ doses: unknown[] }>(context, '/api/schedules/doses?status=taken');
    expect(taken.doses).toHaveLength(2);
  });
});

describe('a browser that keeps nothing, or no more', () => {
  it('says so where something was to be kept, loses nothing that was typed, and goes on', async () => {
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
    await page.getByText('This device could not keep the calculation').waitFor();
    expect(await page.getByLabel('Peptide name').inputValue()).toBe('No room');
    const taken = page.getByRole('button', { name: /^Taken: BPC-157/ }).first();
    await taken.click();
    await page.getByRole('alert').filter({ hasText: 'could not' }).waitFor();
    await expect.poll(() => taken.isEnabled()).toBe(true);
    expect(await entriesLeft(page)).toBe(0);
  });

  it('refuses storage altogether: pages, calculator and sign-out work, and the offline page says why', async () => {
    await start();
    const context = await (await connectBrowser()).newContext({ baseURL: server.url, viewport: PHONE });
    contexts.push(context);
    people += 1;
    await register(context, `offline-${people}@example.org`);
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
    await page.getByRole('heading', { name: 'This browser keeps nothing for this site' }).waitFor();
    await page.goto('/dashboard/calculator');
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.waitForURL(/\/login/);
    // Remix's own script for the scroll position asks for storage in any case; nothing comes of that.
    expect(failures.filter((message) => !message.startsWith('Access is denied'))).toEqual([]);
  });
});

describe('signing out', () => {
  it('asks about what was not sent, leaves nothing on the device, and ends the session when it can', async () => {
    const { context, page, email } = await someone();
    await context.setOffline(true);
    await page.goto('/offline');
    await page.getByText('5 mg of 5 mg left').waitFor();
    await typeCalculation(page, 'Never sent');
    await page.getByRole('button', { name: 'Save Calculation' }).click();
    await page.getByRole('heading', { name: '1 entry waits' }).waitFor();
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByText('1 entry has not been sent.').waitFor();
    await page.getByRole('button', { name: 'Sign out and delete it' }).click();
    await page.getByText('You are signed out, and nothing of your account is left').waitFor();
    expect(await stored(page)).toMatchObject({ owner: [], items: [], waiting: [] });
    expect(await page.content()).not.toContain(email);

    await context.setOffline(false);
    await page.waitForURL(/\/login/);
    await page.goto('/dashboard/vials');
    await page.waitForURL(/\/login/);
    expect((await stored(page))['flags'] ?? []).toEqual([]);
  });

  it('with a connection wipes the store, and the next person finds nothing', async () => {
    const { context, page } = await someone();
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.waitForURL(/\/login/);
    await expect.poll(async () => (await stored(page))['owner'] ?? []).toEqual([]);
    expect((await stored(page))['items'] ?? []).toEqual([]);
    people += 1;
    await register(context, `offline-${people}@example.org`);
    await page.goto('/dashboard/calculator');
    await kept(page);
    await context.setOffline(true);
    await page.goto('/offline');
    await page.getByText('There are no vials.').waitFor();
    expect(await page.content()).not.toContain('BPC-157 250 mcg');
  });

  it('was forgotten: who signs in next finds nothing of it, even if the connection goes with that', async () => {
    const { context, page } = await someone();
    people += 1;
    const next = `offline-${people}@example.org`;
    await register(await (await connectBrowser()).newContext({ baseURL: server.url }), next);
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
