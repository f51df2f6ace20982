import { expect, inject } from 'vitest';
import type { BrowserContext, Page } from 'playwright-core';
import { PASSWORD } from '#tests/support/people.ts';
import { spawnCli } from '#tests/support/cli.ts';

let people = 0;

/** Registers an account and signs this browser profile in, without walking through the pages. */
export async function signUp(context: BrowserContext, options: { trial?: boolean } = {}): Promise<string> {
  people += 1;
  const email = `browser-${process.pid}-${people}@example.org`;
  const response = await context.request.post('/register', {
    headers: { origin: inject('serverUrl') },
    form: {
      email,
      password: PASSWORD,
      confirmPassword: PASSWORD,
      agreeToTerms: 'on',
      ageVerification: 'on',
      ...(options.trial ? { plan: 'trial' } : {}),
    },
    maxRedirects: 0,
  });
  expect(response.status()).toBe(302);
  return email;
}

/** Saves a calculation for whoever this profile belongs to. */
export async function saveCalculation(
  context: BrowserContext,
  peptideName: string,
  notes = '',
): Promise<void> {
  const response = await context.request.post('/dashboard/calculator', {
    headers: { origin: inject('serverUrl') },
    form: { peptideAmount: '5', waterVolume: '2', desiredDose: '0.25', mode: 'save', peptideName, notes },
    maxRedirects: 0,
  });
  expect(response.status()).toBe(302);
}

/** Adds a vial of 5 mg for whoever this profile belongs to. */
export async function addVial(context: BrowserContext, name: string): Promise<void> {
  const response = await context.request.post('/dashboard/vials/new', {
    headers: { origin: inject('serverUrl') },
    form: { name, totalAmount: '5', idempotencyKey: '' },
    maxRedirects: 0,
  });
  expect(response.status()).toBe(302);
}

/** Runs an admin command at the terminal, on the server's data. */
export async function admin(...args: string[]): Promise<void> {
  const env = { DATA_DIR: inject('serverDataDir'), NODE_ENV: 'production' };
  const { code, stderr } = await spawnCli(['admin', ...args, '--yes'], { env });
  expect(code, stderr).toBe(0);
}

/** Types the example of 5 mg, 2 ml, 250 mcg. */
export async function typeExample(page: Page): Promise<void> {
  await page.getByLabel('Peptide amount').fill('5');
  await page.getByLabel('Water volume').fill('2');
  await page.getByLabel('Desired dose').fill('250');
  await page.getByLabel('Dose unit').selectOption('mcg');
}

/** Opens the account's menu; on a wide page what it holds is in the bar. */
export async function openAccountMenu(page: Page): Promise<void> {
  const button = page.getByRole('button', { name: 'Account', exact: true });
  if (await button.isVisible()) await button.click();
}

/** What stands in the result panel, in one line. */
export async function resultText(page: Page): Promise<string> {
  return (await page.locator('#result').innerText()).replace(/\s+/g, ' ');
}

/** Waits until scripts run: what needs them is there. */
export async function hydrated(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    Object.keys(document.querySelector('main') ?? {}).some((key) => key.startsWith('__react')),
  );
}
