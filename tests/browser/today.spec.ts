import { afterAll, describe, expect, inject, it } from 'vitest';
import type { BrowserContext, Page } from 'playwright-core';
import { laterToday } from '#tests/support/schedules.ts';
import { createSchedule } from '#app/features/schedules/schedules.server.ts';
import { addVial } from '#app/features/vials/vials.server.ts';
import { DESKTOP, openPage, PHONE, problemsInEveryView } from '#tests/support/browser.ts';
import { asSomeone } from '#tests/support/someone.ts';
import { hydrated, signUp } from './journey.ts';

const TODAY = '/dashboard/schedule';
const HOUR = 3_600_000;

const closing: BrowserContext[] = [];
afterAll(() => Promise.all(closing.map((context) => context.close())));

const day = (days: number) => new Date(Date.now() + days * 24 * HOUR).toISOString().slice(0, 10);

/** A day's plan: a dose of yesterday that is still open, one later today, from a vial of 5 mg in 2 ml. */
async function plan(email: string, names: readonly string[] = ['BPC-157']): Promise<void> {
  await asSomeone(inject('serverDataDir'), email, async (ctx) => {
    const rule = { frequency: { kind: 'daily' }, timeZone: 'UTC', startDate: day(-1), endDate: day(3) };
    for (const name of names) {
      await addVial(ctx, { name, amountMg: '5', waterMl: '2', reconstitutionDate: day(-2) } as never);
      await createSchedule(ctx, {
        ...rule,
        name,
        doseAmount: '250',
        doseUnit: 'mcg',
        times: [laterToday()],
      });
    }
  });
}

async function open(view: Parameters<typeof openPage>[0], names?: readonly string[]) {
  const { context, page, problems } = await openPage(view);
  closing.push(context);
  const email = await signUp(context, { trial: true });
  await plan(email, names);
  const go = async (at: string) => {
    await page.goto(at);
    if (view.scripts) await hydrated(page);
  };
  return { context, page, problems, email, go };
}

const takenButtons = (page: Page) => page.getByRole('button', { name: /^Taken: / });
const toast = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text });

describe.each([
  { scripts: true, ...DESKTOP },
  { scripts: false, ...PHONE },
])('doses, scripts $scripts', (view) => {
  it('are taken with one press, undone, skipped and taken late', async () => {
    const { page, problems, go } = await open(view);
    await go(TODAY);
    await expect.poll(() => page.getByText('10 units (0.1 ml)').count()).toBeGreaterThan(0);
    const before = await takenButtons(page).count();
    await takenButtons(page).first().click();
    await toast(page, 'Dose marked as taken').waitFor();
    await expect.poll(() => takenButtons(page).count()).toBe(before - 1);
    await page.getByRole('button', { name: /^Undo BPC-157/ }).click();
    await toast(page, 'Undone. The dose is back to how it was.').waitFor();
    await expect.poll(() => takenButtons(page).count()).toBe(before);

    await page.getByText('More', { exact: true }).first().click();
    await page
      .getByRole('button', { name: /^Skip BPC-157/ })
      .first()
      .click();
    await toast(page, 'Dose marked as skipped').waitFor();
    await page.locator('#done ~ ul').getByRole('link', { name: 'BPC-157' }).click();
    await page.getByRole('heading', { name: 'BPC-157', level: 1 }).waitFor();
    await page.getByLabel('Dose taken').fill('0');
    await page.getByRole('button', { name: 'Taken', exact: true }).click();
    await page.getByText('Dose must be above 0 and at most 100 mg').waitFor();
    await page.getByLabel('Dose taken').fill('300');
    await page.getByLabel('Injection site').selectOption('deltoid-left');
    await page.getByLabel('Notes').fill('after the walk');
    await page.getByRole('button', { name: 'Taken', exact: true }).click();
    await toast(page, 'Dose marked as taken').waitFor();
    await page.getByText('planned 250 mcg').waitFor();
    expect(problems).toEqual([]);
  });

  it('a second one too soon is asked about first', async () => {
    const { page, problems, go } = await open(view);
    await go(`${TODAY}/log`);
    await page.getByLabel('Compound').fill('BPC-157');
    await page.getByLabel('Dose taken').fill('0,25');
    await page.getByRole('button', { name: 'Log dose' }).click();
    await toast(page, 'Dose marked as taken').waitFor();
    await takenButtons(page).first().click();
    const question = page.getByRole('alert').filter({ hasText: 'less than half the usual interval ago' });
    await question.waitFor();
    await page.getByRole('button', { name: 'Log it anyway' }).click();
    await toast(page, 'Dose marked as taken').waitFor();
    await expect.poll(() => page.getByRole('button', { name: /^Undo BPC-157/ }).count()).toBe(2);
    expect(problems).toEqual([]);
  });

  it('of past days are ticked and logged together, and stand in calendar and adherence', async () => {
    const { page, problems, go } = await open(view, ['BPC-157', 'TB-500']);
    await go(`${TODAY}/backfill`);
    await page.getByRole('button', { name: 'Log ticked doses as taken' }).click();
    await page.getByText('Tick at least one dose.').waitFor();
    await page.getByRole('link', { name: 'Tick all' }).click();
    await page.waitForURL(/all=1/);
    const ticked = page.getByRole('checkbox', { checked: true });
    await expect.poll(() => ticked.count()).toBeGreaterThanOrEqual(2);
    const count = await ticked.count();
    await page.getByRole('button', { name: 'Log ticked doses as taken' }).click();
    await toast(page, `${count} doses marked as taken`).waitFor();
    // The week of the doses, which on a Monday is the last one.
    await go(`${TODAY}/calendar?view=week&on=${day(-1)}`);
    await expect
      .poll(() => page.locator('.dose-state', { hasText: 'Taken' }).count())
      .toBeGreaterThanOrEqual(1);
    await page.getByRole('link', { name: 'Month' }).click();
    await page.waitForURL(/view=month/);
    await page
      .getByText(/\d+\s+taken/)
      .first()
      .waitFor();
    await go(`${TODAY}/adherence`);
    await page.getByText(`${count} ÷ (${count} + 0) = 100 %`).waitFor();
    expect(problems).toEqual([]);
  });
});

it('two tabs take one dose once; the second is told', async () => {
  const { context, page, email, go } = await open({ scripts: true, ...DESKTOP });
  await go(TODAY);
  const second = await context.newPage();
  await second.goto(TODAY);
  await hydrated(second);
  const left = async () =>
    asSomeone(inject('serverDataDir'), email, async (ctx, { repos }) => {
      const [vial] = await repos.compounds.listActive(ctx.actor.kind === 'user' ? ctx.actor.id : '');
      return vial?.remaining;
    });
  await takenButtons(page).last().click();
  await toast(page, 'Dose marked as taken').waitFor();
  await takenButtons(second).last().click();
  await second.getByRole('alert').filter({ hasText: 'already logged as taken' }).waitFor();
  await expect.poll(() => left()).toBe('4.75');
});

it('every page is sound at both widths, by day and by night, with and without doses', async () => {
  const filled = await open({ scripts: true, ...PHONE }, ['BPC-157', 'N'.repeat(100)]);
  await filled.go(TODAY);
  const href = await filled.page.locator('.dose-facts a').first().getAttribute('href');
  for (const at of ['', '/log', '/backfill', '/calendar', '/calendar?view=week', '/adherence']) {
    await filled.go(`${TODAY}${at}`);
    expect(await problemsInEveryView(filled.page), `${TODAY}${at}`).toEqual([]);
  }
  await filled.go(href ?? '');
  expect(await problemsInEveryView(filled.page), 'a dose').toEqual([]);
  const { context, page } = await openPage({ scripts: true, ...PHONE });
  closing.push(context);
  await signUp(context, { trial: true });
  await page.goto(TODAY);
  await page.getByText('No schedule yet').waitFor();
  expect(await problemsInEveryView(page), 'empty today').toEqual([]);
  for (const at of ['/backfill', '/calendar', '/adherence']) {
    await page.goto(`${TODAY}${at}`);
    expect(await problemsInEveryView(page), `empty ${at}`).toEqual([]);
  }
  await page.goto(TODAY);
  await page.getByRole('link', { name: 'Create a schedule' }).click();
  await page.waitForURL(/schedule\/new/);
});
