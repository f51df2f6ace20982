import type { BrowserContext, Page } from 'playwright-core';
import { describe, expect, inject, it } from 'vitest';
import { oneTimeCode } from '#app/integrations/one-time-codes.server.ts';
import { DESKTOP, expectSoundPage, openPage, PHONE } from '#tests/support/browser.ts';
import { PASSWORD } from '#tests/support/people.ts';
import { confirmAddress } from '#tests/support/someone.ts';
import { hydrated, openAccountMenu, signUp } from './journey.ts';

/** The same walk with scripts on a phone in the dark, and without them on a desk. */
const VIEWS = [
  { scripts: true, ...PHONE, dark: true },
  { scripts: false, ...DESKTOP },
];

const PROFILE = '/dashboard/profile';

async function open(page: Page, at: string, scripts: boolean): Promise<void> {
  await page.goto(at);
  if (scripts) await hydrated(page);
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const follow = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).click();
const reads = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor();

/** Opens a page of the profile by the links that lead to it. */
async function fromProfile(page: Page, scripts: boolean, ...links: string[]): Promise<void> {
  await open(page, PROFILE, scripts);
  for (const link of links) {
    await follow(page, link);
    await page.getByRole('heading', { name: link, level: 1 }).waitFor();
  }
}

async function makeAndRevokeToken(page: Page, scripts: boolean): Promise<void> {
  await fromProfile(page, scripts, 'Developer', 'API tokens');
  await reads(page, 'No tokens yet');
  await follow(page, 'New token');
  await page.waitForURL(/tokens\/new/);
  await page.getByLabel('Name').fill('Home server');
  await page.getByLabel('Expiration').selectOption('30');
  await press(page, 'Create token');
  await reads(page, 'Save this token now');
  await expectSoundPage(page, 'a token that was made', scripts);
  const secret = (await page.locator('main code').first().innerText()).trim();
  const bearer = { authorization: `Bearer ${secret}` };
  const called = () => fetch(`${inject('serverUrl')}/api/auth/me`, { headers: bearer });
  expect((await called()).status).toBe(200);
  await expect.poll(() => page.getByRole('button', { name: 'Copy token' }).count()).toBe(scripts ? 1 : 0);
  await follow(page, 'I have saved it');
  await reads(page, 'Last used');
  await expect.poll(() => page.content()).not.toContain(secret);
  await follow(page, 'Revoke the token Home server');
  await reads(page, 'Revoke this token?');
  await press(page, 'Revoke token');
  await reads(page, 'No tokens yet');
  expect((await called()).status).toBe(401);
}

async function chooseNotifications(page: Page, scripts: boolean): Promise<void> {
  await fromProfile(page, scripts, 'Notifications');
  await page.getByLabel('Mark as missed after (hours)').fill('0');
  await page.getByLabel('Email', { exact: true }).check();
  await press(page, 'Save choices');
  await reads(page, 'Enter whole hours from 1 to 168');
  await expect.poll(() => page.getByLabel('Email', { exact: true }).isChecked()).toBe(true);
  await page.getByLabel('Mark as missed after (hours)').fill('36');
  await page.getByLabel('Stock is running low').uncheck();
  await press(page, 'Save choices');
  await reads(page, 'Notification settings saved');
  await open(page, `${PROFILE}/notifications`, scripts);
  await expect.poll(() => page.getByLabel('Mark as missed after (hours)').inputValue()).toBe('36');
  await expect.poll(() => page.getByLabel('Stock is running low').isChecked()).toBe(false);
  await expect.poll(() => page.getByLabel('Email', { exact: true }).isChecked()).toBe(true);
}

async function referSomebody(page: Page, email: string, scripts: boolean): Promise<void> {
  await open(page, '/dashboard/referrals', scripts);
  await reads(page, 'Confirm your email address first');
  await follow(page, 'Resend link');
  await reads(page, `We mailed a link to ${email}.`);
  await expectSoundPage(page, 'an address to confirm', scripts);
  await press(page, 'Send the link again');
  await reads(page, 'We have sent the link again');
  await confirmAddress(inject('serverDataDir'), email);
  await open(page, '/dashboard/referrals', scripts);
  await reads(page, 'No referrals yet');
  const link = (
    await page
      .getByText(/\/register\?ref=[0-9A-Z]{8}$/)
      .first()
      .innerText()
  ).trim();
  await expect.poll(() => page.getByRole('button', { name: 'Copy link' }).count()).toBe(scripts ? 1 : 0);
  const friend = await openPage({ scripts, ...PHONE });
  await friend.page.goto(link.replace(/^https?:\/\/[^/]+/, ''));
  await friend.page.fill('[name=email]', `friend-${Date.now()}-${scripts}@example.org`);
  await friend.page.fill('[name=password]', PASSWORD);
  await friend.page.fill('[name=confirmPassword]', PASSWORD);
  await friend.page.check('[name=agreeToTerms]');
  await friend.page.check('[name=ageVerification]');
  await friend.page.locator('form:has([name=confirmPassword]) button[type=submit]').click();
  await friend.page.waitForURL(/\/dashboard/);
  await friend.context.close();
  await open(page, '/dashboard/referrals', scripts);
  await reads(page, '1 pending, 0 credited, 0 reversed.');
  await expect.poll(() => page.locator('main').innerText()).not.toContain('friend-');
  await expectSoundPage(page, 'referrals with one', scripts);
}

/** @returns a recovery code */
async function setUpSecondFactor(page: Page, scripts: boolean): Promise<string> {
  await fromProfile(page, scripts, 'Security', 'Two-step sign-in');
  await press(page, 'Set up two-step sign-in');
  await page.locator('[name=code]').fill('000000');
  await expectSoundPage(page, 'setup of two-step sign-in', scripts);
  await press(page, 'Turn on');
  await reads(page, /This code is wrong/);
  const secret = (await page.locator('main code').first().innerText()).replace(/\s/g, '');
  await page.locator('[name=code]').fill(oneTimeCode(secret, new Date()));
  await press(page, 'Turn on');
  await reads(page, 'Save these recovery codes now');
  await expectSoundPage(page, 'recovery codes', scripts);
  return (await page.locator('main li code').first().innerText()).trim();
}

async function signInWithCode(page: Page, email: string, code: string): Promise<void> {
  await openAccountMenu(page);
  await press(page, 'Sign out');
  await page.waitForURL(/\/login$/);
  await page.fill('[name=email]', email);
  await page.fill('[name=password]', PASSWORD);
  await page.locator('form:has([name=password]) button[type=submit]').click();
  await page.waitForURL(/\/login\/code/);
  await page.locator('[name=code]').fill(code);
  await page.locator('form:has([name=code]) button[type=submit]').click();
  await page.waitForURL(/\/dashboard/);
}

async function endOtherSession(page: Page, other: BrowserContext, scripts: boolean): Promise<void> {
  await fromProfile(page, scripts, 'Security');
  await page
    .getByRole('link', { name: /^End the session/ })
    .first()
    .click();
  await reads(page, 'End this session?');
  await press(page, 'End session');
  await reads(page, 'Session ended');
  const answer = await other.request.get('/dashboard', { maxRedirects: 0 });
  expect([answer.status(), answer.headers()['location']]).toEqual([302, '/login?redirectTo=%2Fdashboard']);
}

async function deleteAndKeep(page: Page, email: string, scripts: boolean): Promise<void> {
  await fromProfile(page, scripts, 'Your data', 'Delete account');
  await page.getByLabel('Email of this account').fill('somebody-else@example.org');
  await press(page, 'Delete this account');
  await page.locator('[aria-invalid=true]').waitFor();
  await page.getByLabel('Email of this account').fill(email);
  await press(page, 'Delete this account');
  await reads(page, /This account will be deleted on/);
  await expectSoundPage(page, 'a deletion under way', scripts);
  await press(page, 'Keep the account');
  await reads(page, 'Your account will not be deleted');
  await expect.poll(() => page.getByText(/This account will be deleted on/).count()).toBe(0);
}

describe.each(VIEWS)('the profile at $width px, scripts $scripts', (view) => {
  const { scripts } = view;

  it('creates and revokes a token, keeps settings, and shows a referral', async () => {
    const { context, page, problems } = await openPage(view);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    const email = await signUp(context);
    await makeAndRevokeToken(page, scripts);
    await chooseNotifications(page, scripts);
    await referSomebody(page, email, scripts);
    expect(problems).toEqual([]);
    await context.close();
  });

  it('asks for a second step, ends another session, and schedules and cancels account deletion', async () => {
    const { context, page, problems } = await openPage(view);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    const email = await signUp(context);
    const other = await openPage({ scripts: false, ...PHONE });
    const login = { headers: { origin: inject('serverUrl') }, form: { email, password: PASSWORD } };
    await other.context.request.post('/login', { ...login, maxRedirects: 0 });
    await endOtherSession(page, other.context, scripts);
    await other.context.close();
    const recovery = await setUpSecondFactor(page, scripts);
    await signInWithCode(page, email, recovery);
    await deleteAndKeep(page, email, scripts);
    expect(problems).toEqual([]);
    await context.close();
  });
});
