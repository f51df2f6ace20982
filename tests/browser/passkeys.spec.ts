import { mkdirSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { oneTimeCode } from '#app/integrations/one-time-codes.server.ts';
import { DESKTOP, expectSoundPage, openPage, PHONE } from '#tests/support/browser.ts';
import { PASSWORD } from '#tests/support/people.ts';
import { hydrated, signUp } from './journey.ts';

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const reads = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor();

async function open(page: Page, at: string): Promise<void> {
  await page.goto(at);
  await hydrated(page);
}

/** Sound for everybody at both widths, and kept as pictures when `SHOTS` names a folder. */
async function look(page: Page, name: string): Promise<void> {
  const folder = process.env['SHOTS'];
  if (folder) {
    mkdirSync(folder, { recursive: true });
    for (const [width, size] of [
      ['desktop', DESKTOP],
      ['phone', PHONE],
    ] as const) {
      await page.setViewportSize(size);
      await page.screenshot({ path: `${folder}/${name}-${width}.png`, fullPage: true });
    }
    await page.setViewportSize(DESKTOP);
  }
  await expectSoundPage(page, name, true);
}

async function signOut(page: Page): Promise<void> {
  await press(page, 'Sign out');
  await page.waitForURL(/\/login$/);
  await hydrated(page);
}

async function turnOnTwoSteps(page: Page): Promise<void> {
  await open(page, '/dashboard/profile/second-factor');
  await press(page, 'Set up two-step sign-in');
  await reads(page, /^Scan this/);
  const secret = (await page.locator('main code').first().innerText()).replace(/\s/g, '');
  await page.locator('[name=code]').fill(oneTimeCode(secret, new Date()));
  await press(page, 'Turn on');
  await reads(page, 'Save these recovery codes now');
}

it('a passkey is created, signs in, serves as the second step, confirms, turns off two-step sign-in, and is removed', async () => {
  const { context, page, problems } = await openPage({ scripts: true, ...DESKTOP });
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const devices = await context.newCDPSession(page);
  await devices.send('WebAuthn.enable');
  await devices.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  const email = await signUp(context);

  await open(page, '/dashboard/profile/security');
  await page.getByRole('link', { name: 'Add a passkey' }).click();
  await page.waitForURL(/\/passkeys\/new$/);
  await page.getByLabel('Name').fill('Work laptop');
  await look(page, 'passkey-new');
  await press(page, 'Create a passkey');
  await reads(page, 'Passkey added');
  await reads(page, 'Work laptop');
  await look(page, 'passkey-listed');

  await signOut(page);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor();
  await look(page, 'passkey-login');
  await press(page, 'Sign in with a passkey');
  await page.waitForURL(/\/dashboard/);

  await turnOnTwoSteps(page);
  await signOut(page);
  await page.fill('[name=email]', email);
  await page.fill('[name=password]', PASSWORD);
  await page.locator('form:has([name=password]) button[type=submit]').click();
  await page.waitForURL(/\/login\/code/);
  await look(page, 'passkey-second-step');
  await press(page, 'Use a passkey instead');
  await page.waitForURL(/\/dashboard/);

  await open(page, '/dashboard/profile/confirm?redirectTo=%2Fdashboard%2Fvials');
  await look(page, 'passkey-confirm');
  await press(page, 'Use a passkey instead');
  await page.waitForURL(/\/dashboard\/vials/);

  await open(page, '/dashboard/profile/second-factor/off');
  await press(page, 'Use a passkey instead');
  await reads(page, 'Two-step sign-in is off');

  await open(page, '/dashboard/profile/security');
  await page.getByRole('link', { name: 'Remove the passkey Work laptop' }).click();
  await press(page, 'Remove passkey');
  await reads(page, 'Passkey removed');
  await signOut(page);
  await press(page, 'Sign in with a passkey');
  await reads(page, 'This passkey was not accepted. Try again, or use your password.');
  expect(problems.filter((problem) => !/400/.test(String(problem)))).toEqual([]);
  await context.close();
});

it('without scripts the profile says what a passkey needs, and sign-in is unchanged', async () => {
  const { context, page } = await openPage({ scripts: false, ...PHONE });
  await page.goto('/login');
  await expect.poll(() => page.getByRole('button', { name: /passkey/ }).count()).toBe(0);
  await signUp(context);
  await page.goto('/dashboard/profile/passkeys/new');
  await reads(page, /To create a passkey you need JavaScript/);
  await expect.poll(() => page.getByRole('button', { name: /passkey/ }).count()).toBe(0);
  await expectSoundPage(page, 'a new passkey without scripts', false);
  await context.close();
});
