import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { DESKTOP, expectSoundPage, openPage, PHONE } from '#tests/support/browser.ts';

/** Pages of a demo that show its year. */
const PAGES = [
  '/dashboard',
  '/dashboard/schedule',
  '/dashboard/vials',
  '/dashboard/tracking/side-effects',
  '/dashboard/tracking/health',
  '/dashboard/analytics',
  '/dashboard/vendors/orders',
];

describe.each([
  { scripts: false, size: PHONE },
  { scripts: true, size: DESKTOP },
])('the demo, scripts $scripts', ({ scripts, size }) => {
  it('starts with one press, is announced on each page, works, and leads to registration', async () => {
    const { context, page, problems } = await openPage({ scripts, ...size });
    await page.goto('/');
    await page.getByRole('button', { name: 'Try the demo' }).click();
    await page.waitForURL('**/dashboard');
    for (const at of PAGES) {
      const response = await page.goto(at);
      expect(response?.status(), at).toBe(200);
      await page.getByText(/^This is a demo\. It ends on /).waitFor();
      await expectSoundPage(page, at, scripts);
    }
    await page.goto('/dashboard/schedule');
    await page.getByText('Semaglutide').first().waitFor();
    await page.goto('/dashboard/vials');
    await page.getByText('BPC-157').first().waitFor();
    if (scripts)
      for (const at of [
        '/dashboard/schedule',
        '/dashboard/vials',
        '/dashboard/calculator',
        '/dashboard/analytics',
      ]) {
        await page.goto(at, { waitUntil: 'networkidle' });
        const asked = new Set(await askedAfterLoad(page));
        // The reminders that this page shows, and the copy that this device keeps for when it is offline.
        for (const own of ['/dashboard/reminders/check', '/offline/snapshot', '/offline/secret'])
          asked.delete(own);
        expect([...asked], at).toEqual([]);
      }
    // What would leave this server says why it does not.
    await page.goto('/dashboard/profile/tokens/new');
    await page.getByText('nothing in it leaves this server').waitFor();
    await page.goto('/dashboard');
    await page.getByRole('link', { name: 'Create your own account' }).click();
    await page.getByRole('heading', { level: 1, name: 'Create an account' }).waitFor();
    expect(problems).toEqual([]);
    await context.close();
  });
});

/** What the open page asked for once it was loaded, other than its scripts and the browser's own picture of the site. */
async function askedAfterLoad(page: Page): Promise<string[]> {
  const loaded = await page.evaluate(() => {
    const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
    const end = navigation?.loadEventEnd ?? 0;
    return performance
      .getEntriesByType('resource')
      .filter(({ startTime }) => startTime > end)
      .map(({ name }) => new URL(name).pathname);
  });
  // The page's own scripts that it can do without at first come last.
  return loaded.filter((path) => !path.startsWith('/assets/') && path !== '/favicon.svg');
}

describe('an untouched page', () => {
  it.each(['/', '/calculator'])('%s makes no requests after it was loaded', async (at) => {
    const { context, page } = await openPage({ scripts: true, ...PHONE });
    await page.goto(at, { waitUntil: 'networkidle' });
    expect(await askedAfterLoad(page)).toEqual([]);
    await context.close();
  });
});
