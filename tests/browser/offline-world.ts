import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import type { BrowserContext, Page } from 'playwright-core';
import { laterToday } from '#tests/support/schedules.ts';
import { createSchedule } from '#app/features/schedules/schedules.server.ts';
import { addVial } from '#app/features/vials/vials.server.ts';
import { pageBrowser, DESKTOP, PATIENCE_MS } from '#tests/support/browser.ts';
import { closeHeld } from '#tests/support/held-open.ts';
import { PASSWORD } from '#tests/support/people.ts';
import { startServer, type RunningServer } from '#tests/support/server.ts';
import { asSomeone } from '#tests/support/someone.ts';

/** Users and devices for offline tests, on a separate server for each test file. */
export const HOUR = 3_600_000;
export let server: RunningServer;
let port = '';
const contexts: BrowserContext[] = [];
const env = { RATE_LIMIT_FACTOR: '100' };

/** Starts the server before the tests of the calling file, and stops it after them. */
export function useOfflineWorld(): void {
  beforeAll(async () => {
    server = await startServer({ env, dataDir: await mkdtemp(path.join(os.tmpdir(), 'vialbook-offline-')) });
    port = new URL(server.url).port;
  });
  afterEach(async () => {
    await Promise.all(contexts.splice(0).map((context) => context.close()));
  });
  afterAll(async () => {
    await closeHeld();
    await server.stop();
    await rm(server.dataDir, { recursive: true, force: true });
  });
}

export async function register(context: BrowserContext, email: string): Promise<void> {
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

/** A dose that has been due since yesterday, from a vial of 5 mg in 2 ml. */
async function plan(email: string): Promise<void> {
  const day = new Date(Date.now() - 24 * HOUR).toISOString().slice(0, 10);
  await asSomeone(server.dataDir, email, async (ctx) => {
    await addVial(ctx, { name: 'BPC-157', amountMg: '5', waterMl: '2', reconstitutionDate: day });
    await createSchedule(ctx, {
      name: 'BPC-157',
      doseAmount: '250',
      doseUnit: 'mcg',
      frequency: { kind: 'daily' },
      times: [laterToday()],
      timeZone: 'UTC',
      startDate: day,
    });
  });
}

let people = 0;

/** An unused email address. */
export function nextAddress(): string {
  people += 1;
  return `offline-${people}@example.org`;
}

/** A browser that is signed in and has loaded the account's data online. */
export async function someone(
  size = DESKTOP,
): Promise<{ context: BrowserContext; page: Page; email: string }> {
  const browser = await pageBrowser();
  const context = await browser.newContext({ baseURL: server.url, viewport: size });
  context.setDefaultTimeout(PATIENCE_MS);
  contexts.push(context);
  const email = nextAddress();
  await register(context, email);
  await plan(email);
  const page = await context.newPage();
  await page.goto('/dashboard/calculator');
  await kept(page);
  return { context, page, email };
}

/** The content of the store, by the names of its parts. */
export function stored(page: Page): Promise<Record<string, unknown[]>> {
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

/** Stops the server and starts it again, at the same address and on the same data. */
export async function restart(): Promise<void> {
  const { dataDir } = server;
  await server.stop();
  server = await startServer({ env, dataDir, port: Number(port) });
}

/** Keeps a browser profile until the test is over. */
export const closeLater = (context: BrowserContext): void => void contexts.push(context);

/** Waits until the worker controls the page and the account's data is stored. */
export async function kept(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
  await expect.poll(async () => (await stored(page))['items'] ?? []).toContain('vials');
}

export const entriesLeft = async (page: Page) => (await stored(page))['waiting']?.length ?? 0;

export async function typeCalculation(page: Page, name: string): Promise<void> {
  await page.getByLabel('Peptide amount').fill('10');
  await page.getByLabel('Water volume').fill('2');
  await page.getByLabel('Desired dose').fill('0.5');
  await page.getByLabel('Peptide name').fill(name);
}

export async function api<T>(context: BrowserContext, path: string): Promise<T> {
  const { data } = (await (await context.request.get(path)).json()) as { data: T };
  return data;
}
