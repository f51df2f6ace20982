import { afterAll, describe, expect, inject, it } from 'vitest';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { laterToday } from '#tests/support/schedules.ts';
import { createSchedule } from '#app/features/schedules/schedules.server.ts';
import { dayLabel } from '#app/domain/time/calendar.ts';
import { addVial } from '#app/features/vials/vials.server.ts';
import { DESKTOP, expectSoundPage, openPage, PHONE, problemsInEveryView } from '#tests/support/browser.ts';
import { asSomeone } from '#tests/support/someone.ts';
import { hydrated, signUp } from './journey.ts';

const TODAY = '/dashboard/schedule';
const HOUR = 3_600_000;

const closing: BrowserContext[] = [];
afterAll(() => Promise.all(closing.map((context) => context.close())));

const day = (days: number) => new Date(Date.now() + days * 24 * HOUR).toISOString().slice(0, 10);

/** Doses every other day from tomorrow on, and one plan taken as needed with four hours in between. */
async function planToMove(email: string): Promise<void> {
  await asSomeone(inject('serverDataDir'), email, async (ctx) => {
    const vial = { name: 'PT-141', amountMg: '10', waterMl: '2', reconstitutionDate: day(-2) };
    await addVial(ctx, vial as never);
    const dose = { timeZone: 'UTC', doseAmount: '250', doseUnit: 'mcg' } as const;
    await createSchedule(ctx, {
      ...dose,
      name: 'TB-500',
      frequency: { kind: 'interval', every: 2 },
      startDate: day(1),
      times: [laterToday()],
    });
    await createSchedule(ctx, {
      ...dose,
      name: 'PT-141',
      frequency: { kind: 'as-needed', minGapHours: 4 },
      startDate: day(0),
      times: [],
    });
  });
}

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
    await expect.poll(() => page.getByText('250 mcg · 0.1 ml').count()).toBeGreaterThan(0);
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
    const logged = page.getByRole('region', { name: 'Logged today' });
    await logged.getByRole('link', { name: 'BPC-157' }).click();
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

  it('a second one too soon must be confirmed', async () => {
    const { page, problems, go } = await open(view);
    await go(`${TODAY}/log`);
    await page.getByLabel('Compound').fill('BPC-157');
    await page.getByLabel('Dose taken').fill('250 mg');
    await page.getByRole('button', { name: 'Log dose' }).click();
    await page.getByText('Did you mean 250 mcg?').waitFor();
    await page.getByRole('button', { name: 'Use mcg' }).click();
    await page.getByText('Did you mean 250 mcg?').waitFor({ state: 'hidden' });
    expect(await page.getByLabel('Dose taken').inputValue()).toBe('250');
    expect(await page.getByLabel('Dose unit').inputValue()).toBe('mcg');
    if (view.scripts)
      expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('actualDose');
    await page.getByRole('button', { name: 'Log dose' }).click();
    await toast(page, 'Dose marked as taken').waitFor();
    await takenButtons(page).first().click();
    const question = page.getByRole('alert').filter({ hasText: 'Your last dose was' });
    await question.waitFor();
    await page.getByRole('button', { name: 'Log it anyway' }).click();
    await toast(page, 'Dose marked as taken').waitFor();
    await expect.poll(() => page.getByRole('button', { name: /^Undo BPC-157/ }).count()).toBe(2);
    expect(problems).toEqual([]);
  });

  it('of past days are ticked and logged together, and appear in calendar and adherence', async () => {
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
    await page.getByText(`${count} ÷ (${count} + 0) = 100%`).waitFor();
    expect(problems).toEqual([]);
  });
});

describe.each([{ scripts: true }, { scripts: false }])('on a phone, scripts $scripts', ({ scripts }) => {
  it('a dose is moved, and the move undone', async () => {
    const { page, problems, email, go } = await open({ scripts, ...PHONE });
    await planToMove(email);
    const sound = (where: string) => expectSoundPage(page, where, scripts);
    const week = `${TODAY}/calendar?view=week&on=${day(1)}`;
    const shown = page.locator('main');
    const dayCell = (at: string) => page.locator('td').filter({ has: page.getByText(dayLabel(at)) });
    const tomorrows = () => dayCell(day(1)).getByRole('listitem').filter({ hasText: 'TB-500' });

    await go(week);
    await tomorrows().getByRole('link', { name: /^Move/ }).click();
    await page.getByRole('heading', { name: 'Move', level: 1 }).waitFor();
    const move = page.url();
    await page.getByLabel('New date and time').fill(`${day(-1)}T08:00`);
    await page.getByRole('button', { name: 'Show what moves' }).click();
    await page.getByText('Choose a time in the future').first().waitFor();
    await sound('a time that has passed');
    await page.getByLabel('New date and time').fill(`${day(2)}T08:07`);
    await page.getByLabel('This dose and all after it').check();
    await page.getByRole('button', { name: 'Show what moves' }).click();
    await page.getByText('The first doses that move').waitFor();
    await expect.poll(() => page.locator('#move-preview ~ * tbody tr').count()).toBeGreaterThan(1);
    await sound('what moves');
    // Nothing has moved yet.
    await go(week);
    await expect.poll(() => tomorrows().count()).toBe(1);

    await go(`${move}?dueDate=${day(2)}T08:07&scope=this`);
    await page.getByRole('button', { name: 'Move this dose' }).click();
    await toast(page, 'Dose moved').waitFor();
    await page.getByRole('heading', { name: 'History' }).waitFor();
    await expect.poll(() => shown.innerText()).toContain('08:07');
    await sound('a moved dose');
    await page.getByRole('button', { name: 'Undo' }).click();
    await toast(page, 'Undone. The dose is back at its earlier time.').waitFor();
    await go(week);
    await expect.poll(() => tomorrows().count()).toBe(1);

    if (scripts) {
      // On a Sunday the week has no day after it: then to the day before.
      const target = new Date(`${day(1)}T00:00Z`).getUTCDay() === 0 ? day(0) : day(2);
      const place = dayCell(target).locator('.day-name');
      const middle = (locator: Locator) =>
        locator.evaluate((element) => {
          const { left, top, width, height } = element.getBoundingClientRect();
          return [left + width / 2, top + height / 2] as const;
        });
      // Moved by hand: what waits for an element may scroll to it, and a scroll while the button is down ends the drag.
      // Both days go around the middle of the screen: the bar at the bottom would lie over one that is lower.
      const from = tomorrows().locator('time');
      const between = ((await middle(from))[1] + (await middle(place))[1]) / 2;
      await page.evaluate((y) => scrollBy({ top: y - innerHeight / 2, behavior: 'instant' }), between);
      await page.mouse.move(...(await middle(from)));
      await page.mouse.down();
      const [x, y] = await middle(place);
      let step = 1;
      // The first move only begins the drag; a later one tells the day that something hangs over it, which it shows.
      await expect
        .poll(async () => {
          step = -step;
          await page.mouse.move(x + step, y);
          return dayCell(target).getAttribute('data-drop');
        })
        .toBe('here');
      await page.mouse.up();
      await page.waitForURL(/move\?dueDate=/);
      await page.getByRole('button', { name: 'Move this dose' }).click();
      await toast(page, 'Dose moved').waitFor();
      await go(week);
      await dayCell(target).getByRole('listitem').filter({ hasText: 'TB-500' }).waitFor();
      await expect.poll(() => tomorrows().count()).toBe(0);
    }
    expect(problems).toEqual([]);
  });

  it('one is taken as needed, from Today and from its page, and asked about when it is too soon', async () => {
    const { page, problems, email, go } = await open({ scripts, ...PHONE });
    await planToMove(email);
    const sound = (where: string) => expectSoundPage(page, where, scripts);
    const line = page.locator('.as-needed');

    await go(TODAY);
    await expect.poll(() => line.innerText()).toContain('Not taken yet');
    await sound('today with a plan as needed');
    await page.getByRole('link', { name: /^Different amount or time: PT-141/ }).click();
    await page.getByLabel('Dose taken').fill('200');
    await sound('the page of a plan as needed');
    await page.getByRole('button', { name: 'Taken', exact: true }).click();
    await toast(page, 'Dose marked as taken').waitFor();
    await expect
      .poll(() => line.innerText())
      .toMatch(/Last taken just now, next from (?:\d+ [A-Z][a-z]+, )?\d\d:\d\d/);

    await line.getByRole('button', { name: /^Taken: PT-141/ }).click();
    const question = page.getByRole('alert').filter({ hasText: 'Your schedule leaves at least 4 h' });
    await question.waitFor();
    await sound('asked about the gap');
    await page.getByRole('button', { name: 'Log it anyway' }).click();
    await toast(page, 'Dose marked as taken').waitFor();
    const undo = page.getByRole('button', { name: /^Undo PT-141/ });
    await expect.poll(() => undo.count()).toBe(2);
    await undo.first().click();
    await expect.poll(() => undo.count()).toBe(1);
    expect(problems).toEqual([]);
  });
});

it('two tabs log one dose once, and the second tab says so', async () => {
  const { context, page, email, go } = await open({ scripts: true, ...DESKTOP });
  await go(TODAY);
  const second = await context.newPage();
  await second.goto(TODAY);
  await hydrated(second);
  const left = async () =>
    asSomeone(inject('serverDataDir'), email, async (ctx, { repos }) => {
      const [vial] = await repos.vials.listActive(ctx.actor.kind === 'user' ? ctx.actor.id : '');
      return vial?.remaining;
    });
  await takenButtons(page).last().click();
  await toast(page, 'Dose marked as taken').waitFor();
  await takenButtons(second).last().click();
  await second.getByRole('alert').filter({ hasText: 'already logged as taken' }).waitFor();
  await expect.poll(() => left()).toBe('4.75');
});

it('every page is accessible at both widths, in light and dark, with and without doses', async () => {
  const filled = await open({ scripts: true, ...PHONE }, ['BPC-157', 'N'.repeat(100)]);
  await filled.go(TODAY);
  const href = await filled.page.locator('.dose-facts a').first().getAttribute('href');
  for (const at of ['', '/log', '/backfill', '/calendar', '/calendar?view=week', '/adherence']) {
    await filled.go(`${TODAY}${at}`);
    expect(await problemsInEveryView(filled.page), `${TODAY}${at}`).toEqual([]);
  }
  for (const at of [href ?? '', '/dashboard/schedule/new', '/dashboard/vials', '/dashboard/analytics']) {
    await filled.go(at);
    expect(await problemsInEveryView(filled.page), at).toEqual([]);
  }
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
