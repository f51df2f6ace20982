import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectSoundPage, openPage, PHONE } from '#tests/support/browser.ts';
import { PASSWORD } from '#tests/support/people.ts';
import { startServer, type RunningServer } from '#tests/support/server.ts';

let server: RunningServer;
beforeAll(async () => {
  server = await startServer({ env: { BILLING: 'off', RATE_LIMIT_FACTOR: '1000' } });
});
afterAll(() => server.stop());

const FOR_SALE = /\b(premium|pro|trial|upgrade|pricing|referrals?|subscription|billing|free plan)\b/i;

const PAGES = [
  '/dashboard',
  '/dashboard/schedule',
  '/dashboard/analytics',
  '/dashboard/profile',
  '/dashboard/vials',
];

it.each([true, false])(
  'on a server that sells nothing, somebody signs up and finds everything open (scripts: %s)',
  async (scripts) => {
    const { context, page, problems } = await openPage({ scripts, ...PHONE });
    const shown = () => page.locator('body').innerText();
    await page.goto(`${server.url}/`);
    expect(await shown()).not.toMatch(FOR_SALE);
    await page.getByRole('link', { name: 'Create an account' }).first().click();
    await page.waitForURL('**/register');
    await expectSoundPage(page, '/register', scripts);
    await page.fill('[name=email]', `home-${scripts}@example.org`);
    await page.fill('[name=password]', PASSWORD);
    await page.fill('[name=confirmPassword]', PASSWORD);
    await page.check('[name=ageVerification]');
    await page.check('[name=agreeToTerms]');
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.waitForURL('**/dashboard**');
    for (const at of PAGES) {
      const answer = await page.goto(`${server.url}${at}`);
      expect(answer?.status(), at).toBe(200);
      expect(await shown(), at).not.toMatch(FOR_SALE);
      await expectSoundPage(page, at, scripts);
    }
    expect(problems).toEqual([]);
    await context.close();
  },
);
