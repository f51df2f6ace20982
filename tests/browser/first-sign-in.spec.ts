import { expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { DESKTOP, openPage } from '#tests/support/browser.ts';

const STARTING =
  'Server is starting up. Please wait a moment and try again. This only happens on the first login of the day.';

async function trySignIn(page: Page): Promise<void> {
  await page.fill('[name=email]', 'nobody@example.org');
  await page.fill('[name=password]', 'wrong-password');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

const alert = (page: Page) => page.getByRole('alert').innerText();

it('says that the server is starting only on the first try of a session, and keeps what was typed', async () => {
  const { context, page } = await openPage({ scripts: true, ...DESKTOP });
  await page.goto('/login');
  const connecting = page.getByText('Connecting to server... This may take up to 60 seconds on first load.');
  await page.route('**/login.data*', async (route) => {
    await connecting.waitFor({ state: 'attached' });
    await route.abort();
  });
  await trySignIn(page);
  await expect.poll(() => alert(page)).toBe(STARTING);
  await page.unroute('**/login.data*');
  await page.route('**/login.data*', async (route) => {
    await page.getByRole('button', { name: 'Signing in...' }).waitFor();
    expect(await connecting.count()).toBe(0);
    await route.abort();
  });
  await expect.poll(() => page.inputValue('[name=email]')).toBe('nobody@example.org');
  await trySignIn(page);
  await expect.poll(() => alert(page)).toBe('Failed to connect to server');
  await page.unroute('**/login.data*');
  await page.route('**/login.data*', (route) => route.fulfill({ status: 502, body: '<h1>A proxy</h1>' }));
  await trySignIn(page);
  await expect.poll(() => alert(page)).toBe('HTTP 502: Bad Gateway');
  await expect.poll(() => page.inputValue('[name=email]')).toBe('nobody@example.org');
  await page.unroute('**/login.data*');
  await trySignIn(page);
  await expect.poll(() => alert(page)).toBe('Invalid email or password');
  await context.close();
});

it('says that the password is wrong, even on the first try', async () => {
  const { context, page, problems } = await openPage({ scripts: true, ...DESKTOP });
  await page.goto('/login');
  await trySignIn(page);
  await expect.poll(() => alert(page)).toBe('Invalid email or password');
  expect(problems).toEqual([]);
  await context.close();
});
