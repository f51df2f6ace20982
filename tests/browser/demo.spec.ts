import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { brokenWords, DESKTOP, expectSoundPage, openPage, overflow, PHONE } from '#tests/support/browser.ts';
import { hydrated } from './journey.ts';

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

/** The printed export with all types of records. */
const EVERYTHING =
  '/dashboard/export/print?types=calculations&types=compounds&types=schedules&types=nutrition&types=sideEffects&types=injectionSites';

/** The pattern of an address: pages that differ only in what they show are looked at once. */
const patternOf = (href: string): string =>
  new URL(href, 'http://demo.test').pathname.replace(/\/[a-z]+_?[\da-f]{12,}(?=\/|$)/g, '/:id');

/** Files, pages for developers, and pages outside the demo. */
const IS_OTHER = /\/(?:file|data)$|\.csv$|^\/(?:api|terms|privacy|sources)\b/;

const WIDTHS = [320, 360];

/** Making the data takes seconds: the pressed button says so, or without scripts the page does. */
async function expectToTakeAWhile(page: Page, scripts: boolean): Promise<void> {
  const words = page.locator('noscript p').filter({ hasText: 'takes a few seconds' });
  if (!scripts) return expect.poll(() => words.count()).toBeGreaterThan(0);
  await hydrated(page);
  // Not sent, because a page that is being left cannot be looked at.
  await page.evaluate(() => document.addEventListener('submit', (event) => event.preventDefault()));
  await page.getByRole('button', { name: 'Try the demo' }).click();
  await page.getByRole('button', { name: 'Making your sample data…', disabled: true }).waitFor();
  await page.reload();
}

/** Follows every link of the demo once. @returns what is wrong with the pages on a narrow phone, and their patterns */
async function walkOnPhone(page: Page): Promise<{ found: string[]; seen: Set<string> }> {
  const found: string[] = [];
  const seen = new Set<string>();
  const queue = [...PAGES, '/dashboard/analytics/report'];
  for (let at = queue.shift(); at !== undefined; at = queue.shift()) {
    if (seen.has(patternOf(at)) || IS_OTHER.test(patternOf(at))) continue;
    seen.add(patternOf(at));
    expect((await page.goto(at))?.status(), at).toBeLessThan(500);
    for (const width of WIDTHS) {
      await page.setViewportSize({ ...PHONE, width });
      const problems = [...(await overflow(page)), ...(await brokenWords(page))];
      found.push(...problems.map((problem) => `${at} at ${width} px: ${problem}`));
    }
    const links = await page
      .locator('a[href^="/dashboard"]')
      .evaluateAll((all) => all.map((link) => link.getAttribute('href')?.split('#')[0] ?? ''));
    queue.push(...links);
  }
  await page.setViewportSize(PHONE);
  return { found, seen };
}

describe.each([
  { scripts: false, size: PHONE },
  { scripts: true, size: DESKTOP },
])('the demo, scripts $scripts', ({ scripts, size }) => {
  it('starts with one press, is announced on each page, works, and leads to registration', async () => {
    const { context, page, problems } = await openPage({ scripts, ...size });
    await page.goto('/');
    await expectToTakeAWhile(page, scripts);
    await page.getByRole('button', { name: 'Try the demo' }).click();
    await page.waitForURL('**/dashboard');
    for (const at of PAGES) {
      const response = await page.goto(at);
      expect(response?.status(), at).toBe(200);
      await page.getByText(/^Demo until /).waitFor();
      await expectSoundPage(page, at, scripts);
    }
    if (!scripts) {
      const { found, seen } = await walkOnPhone(page);
      expect(found).toEqual([]);
      for (const reached of [
        '/dashboard/schedule/:id/swap',
        '/dashboard/vials/:id',
        '/dashboard/tracking/health',
      ])
        expect([...seen]).toContain(reached);
      // Every column of its tables has to fit side by side on a tablet and on a desk.
      for (const width of [768, DESKTOP.width])
        for (const at of ['/dashboard/analytics/report', EVERYTHING]) {
          await page.setViewportSize({ ...DESKTOP, width });
          await page.goto(at);
          expect([...(await overflow(page)), ...(await brokenWords(page))], `${at} at ${width} px`).toEqual(
            [],
          );
        }
      await page.setViewportSize(size);
    }
    await page.goto('/dashboard/schedule');
    await page.getByText('Semaglutide').filter({ visible: true }).first().waitFor();
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
    await page.getByText('The demo sends nothing to anyone').waitFor();
    await page.goto('/dashboard');
    await page.getByRole('link', { name: 'Create account' }).click();
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
