import { MongoClient } from 'mongodb';
import type { Page } from 'playwright-core';
import { expect, inject, it } from 'vitest';
import { startEngine } from '#models/engine/index.ts';
import { DESKTOP, expectSoundPage, openPage, PHONE, type View } from '#tests/support/browser.ts';
import { PASSWORD } from '#tests/support/people.ts';

const DAY = 86_400_000;

/** Lets days pass for one account: its stored times move back, the server's clock stays as it is. */
async function letDaysPass(email: string, days: number, fields: readonly string[]): Promise<void> {
  const engine = await startEngine({ dir: inject('serverDataDir'), log: () => {} });
  const client = new MongoClient(engine.uri);
  try {
    const users = client.db().collection('users');
    const row = await users.findOne({ email });
    const moved = fields.map((field) => [field, new Date((row?.[field] as Date).getTime() - days * DAY)]);
    await users.updateOne({ email }, { $set: Object.fromEntries(moved) as object });
  } finally {
    await client.close();
    await engine.close();
  }
}

async function register(page: Page, email: string): Promise<void> {
  await page.goto('/register');
  await page.fill('[name=email]', email);
  await page.fill('[name=password]', PASSWORD);
  await page.fill('[name=confirmPassword]', PASSWORD);
  await page.check('[name=agreeToTerms]');
  await page.check('[name=ageVerification]');
  await page.locator('form:has([name=confirmPassword]) button[type=submit]').click();
  await page.waitForURL(/\/dashboard/);
}

async function saveOne(page: Page, name: string): Promise<void> {
  await page.goto('/dashboard/calculator?peptideAmount=5&waterVolume=2&desiredDose=0.25&mode=save');
  await page.fill('[name=peptideName]', name);
  await page.getByRole('button', { name: 'Save Calculation', exact: true }).click();
  await page.waitForURL(/history=1/);
}

const pressButton = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const textOf = async (page: Page) => (await page.locator('main').innerText()).replace(/\s+/g, ' ');
/** With what is in the account's menu on a phone. */
const headerOf = async (page: Page) =>
  ((await page.locator('header').first().textContent()) ?? '').replace(/\s+/g, ' ');

/** Opens the plans page and reads it. */
async function plans(page: Page, view: View): Promise<string> {
  await page.goto('/upgrade');
  await expectSoundPage(page, 'plans', view.scripts);
  return textOf(page);
}

/** One step at the payment provider's own page. */
async function atThePortal(page: Page, view: View, ...steps: string[]): Promise<void> {
  await page.goto('/upgrade');
  await page.getByRole('button', { name: /^(Card, bills and cancellation|Check your card)$/ }).click();
  await page.waitForURL(/test-portal/);
  for (const step of steps) {
    await pressButton(page, step);
    await page.getByText(`Done: ${step}`).waitFor();
    await expectSoundPage(page, `portal after: ${step}`, view.scripts);
  }
}

async function tryAndReturn(page: Page, view: View, email: string): Promise<void> {
  await expect.poll(() => plans(page, view)).toContain('You are on the free plan');
  await pressButton(page, 'Start free trial');
  await page.waitForURL(/\/dashboard/);
  await expect.poll(() => headerOf(page)).toContain('Trial: 14 days left');
  await saveOne(page, 'Kept for good');
  await expect
    .poll(() => plans(page, view))
    .toMatch(/Your free trial runs for 14 more days, until .* The first charge is on/);
  await letDaysPass(email, 15, ['trialStartedAt', 'trialEndsAt']);
  await expect.poll(() => plans(page, view)).toMatch(/Your free trial ended on .* Nothing was deleted/);
  await page.goto('/dashboard/schedule');
  await expect.poll(() => textOf(page)).toContain('Premium users only');
}

async function buy(page: Page, view: View): Promise<void> {
  await plans(page, view);
  await pressButton(page, 'Choose monthly');
  await page.waitForURL(/test-checkout/);
  await expect.poll(() => textOf(page)).toContain('Test mode');
  await expectSoundPage(page, 'checkout', view.scripts);
  await page.goto('/upgrade/return');
  await expect.poll(() => textOf(page)).toContain('Waiting for confirmation');
  await expectSoundPage(page, 'waiting', view.scripts);
  await page.goBack();
  await pressButton(page, 'Pay with a card that is declined');
  await page.getByText('The card was declined. Nothing was charged.').waitFor();
  await pressButton(page, 'Pay with a card that works');
  await page.waitForURL(/\/upgrade\/return/);
  await expect.poll(() => textOf(page)).toMatch(/Premium is on .* It renews on .* for \$5\.00/);
  await page.goto('/dashboard/calculator?history=1');
  await expect.poll(() => headerOf(page)).toContain('Pro');
  await expect.poll(() => textOf(page)).toContain('Kept for good');
}

async function failAndRecover(page: Page, view: View, email: string): Promise<void> {
  await atThePortal(page, view, 'Decline the card from now on', 'End the period now');
  await page.goto('/dashboard/calculator');
  await expect.poll(() => textOf(page)).toContain('Your last payment failed Premium stays on for 7 days');
  await expectSoundPage(page, 'past due', view.scripts);
  await expect.poll(() => plans(page, view)).toMatch(/the last payment failed\. Premium stays on until/);
  await letDaysPass(email, 8, ['pastDueSince']);
  await page.goto('/dashboard/calculator?history=1');
  await expect.poll(() => headerOf(page)).toContain('Free');
  await atThePortal(page, view, 'Use a new card', 'Pay the open bill');
  await page.goto('/dashboard/calculator?history=1');
  await expect.poll(() => headerOf(page)).toContain('Pro');
  await expect.poll(() => textOf(page)).toContain('Kept for good');
  await expect.poll(() => textOf(page)).not.toContain('Your last payment failed');
}

async function changeAndCancel(page: Page, view: View): Promise<void> {
  await plans(page, view);
  await page.getByRole('link', { name: 'Change to yearly' }).click();
  await page.waitForURL(/\/upgrade\/change/);
  await expectSoundPage(page, 'change of plan', view.scripts);
  await page.getByRole('button', { name: /^Change to yearly and pay \$25\.\d\d$/ }).click();
  await page.getByText('You have Premium, paid yearly.').waitFor();
  await atThePortal(page, view, 'Cancel at the end of the period');
  await expect
    .poll(() => plans(page, view))
    .toMatch(/It is cancelled and ends on .* Nothing more is charged/);
  await atThePortal(page, view, 'End the period now');
  await expect.poll(() => plans(page, view)).toContain('Your subscription has ended.');
  await expect.poll(() => textOf(page)).toContain('Choose Premium');
}

it.each<View>([
  { scripts: false, ...DESKTOP },
  { scripts: true, ...PHONE },
])('trial, day 15, purchase, failure, recovery, end; scripts $scripts, $width px', async (view) => {
  const { context, page, problems } = await openPage(view);
  const email = `billing-${view.scripts}-${view.width}@example.org`;
  await register(page, email);
  await tryAndReturn(page, view, email);
  await buy(page, view);
  await failAndRecover(page, view, email);
  await changeAndCancel(page, view);
  expect(problems).toEqual([]);
  await context.close();
});
