import { describe, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { openPage, PHONE, problemsInEveryView } from '#tests/support/browser.ts';
import { saveCalculation, signUp } from './journey.ts';

/** Pages of visitors, in all the states that look different. */
const OUTSIDE = [
  '/',
  '/?demo=1',
  '/calculator',
  '/calculator?peptideAmount=100&waterVolume=0.5&desiredDose=2.5',
  '/calculator?peptideAmount=x&waterVolume=11&desiredDose=-1',
  '/calculator?dialog=research-dosages',
  '/calculator?peptideAmount=5&waterVolume=2&desiredDose=0.25&recommendations=1&reference=Tirzepatide',
  '/login',
  '/login?notice=suspended',
  '/register?plan=trial',
  '/forgot-password',
  '/sources',
  '/terms',
  '/privacy',
  '/nowhere',
];

/** Pages of signed-in users. */
const INSIDE = [
  '/dashboard',
  '/dashboard/calculator?peptideAmount=0.1&waterVolume=10&desiredDose=0.05&history=1',
  '/dashboard/calculator?peptideAmount=5&waterVolume=2&desiredDose=0.25&mode=save',
  '/dashboard/calculator?history=1&search=no%20such%20name',
  '/dashboard/export',
  '/dashboard/export/print?types=calculations&includeMetadata=1',
  '/dashboard/tracking',
  '/dashboard/profile',
  '/dashboard/profile/access-log',
  '/dashboard/profile/delete',
  '/dashboard/profile/email',
  '/dashboard/profile/notifications',
  '/dashboard/profile/second-factor',
  '/dashboard/profile/tokens',
  '/dashboard/profile/tokens/new',
  '/dashboard/referrals',
  '/dashboard/nowhere',
  '/upgrade',
];

/** A name as long as one may be, without a place to break. */
const LONG_NAME = 'N'.repeat(100);

async function problemsOf(page: Page, at: string): Promise<string[]> {
  const response = await page.goto(at);
  expect(response?.status(), at).toBeLessThan(500);
  return (await problemsInEveryView(page)).map((problem) => `${at}: ${problem}`);
}

describe('every page, at both widths, by day and by night', () => {
  it('of visitors fits its window and has nothing that axe objects to', async () => {
    const { context, page, problems } = await openPage({ scripts: true, ...PHONE });
    const found: string[] = [];
    for (const at of OUTSIDE) found.push(...(await problemsOf(page, at)));
    expect(found).toEqual([]);
    expect(problems).toEqual([]);
    await context.close();
  });

  it('of users fits its window and has nothing that axe objects to', async () => {
    const { context, page, problems } = await openPage({ scripts: true, ...PHONE });
    await signUp(context);
    await saveCalculation(context, LONG_NAME, `${LONG_NAME}\n${'Notes of several words. '.repeat(8)}`);
    await saveCalculation(context, 'BPC-157');
    const found: string[] = [];
    for (const at of INSIDE) found.push(...(await problemsOf(page, at)));
    await page.goto('/dashboard/calculator?history=1');
    const deletion = await page
      .getByRole('link', { name: new RegExp(`^Delete ${LONG_NAME}`) })
      .getAttribute('href');
    found.push(...(await problemsOf(page, deletion ?? '')));
    expect(found).toEqual([]);
    expect(problems).toEqual([]);
    await context.close();
  });
});

describe.each([true, false])('on a phone, scripts %s', (scripts) => {
  it('the first input is on the first screen', async () => {
    const { context, page } = await openPage({ scripts, ...PHONE });
    const bottomOfFirstInput = async (at: string) => {
      await page.goto(at);
      const box = await page.locator('[name=peptideAmount]').boundingBox();
      return (box?.y ?? Infinity) + (box?.height ?? 0);
    };
    for (const at of ['/', '/calculator'])
      expect(await bottomOfFirstInput(at), at).toBeLessThan(PHONE.height);
    await signUp(context);
    // The bar at the bottom covers its part of the screen.
    const bar = 72;
    for (const at of ['/dashboard', '/dashboard/calculator'])
      expect(await bottomOfFirstInput(at), at).toBeLessThan(PHONE.height - bar);
    await context.close();
  });

  it('the three fields and Calculate are above the fold', async () => {
    const { context, page } = await openPage({ scripts, ...PHONE });
    await page.goto('/calculator');
    const box = await page.getByRole('button', { name: 'Calculate', exact: true }).boundingBox();
    expect((box?.y ?? Infinity) + (box?.height ?? 0)).toBeLessThan(PHONE.height);
    await context.close();
  });
});
