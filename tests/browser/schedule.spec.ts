import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { DESKTOP, expectSoundPage, openPage, PHONE, type View } from '#tests/support/browser.ts';
import { addVial, hydrated, signUp } from './journey.ts';

const VIEWS: [string, View][] = [
  ['with scripts on a phone, dark', { scripts: true, ...PHONE, dark: true }],
  ['without scripts on a desk', { scripts: false, ...DESKTOP }],
];

const text = async (page: Page) => (await page.locator('main').innerText()).replace(/\s+/g, ' ');

/** Presses a button of the form and waits for the page it leads to. */
async function pressButton(page: Page, name: string | RegExp, url: RegExp): Promise<void> {
  await page.getByRole('button', { name }).first().click();
  await page.waitForURL(url);
}

async function fillIn(page: Page): Promise<void> {
  await page.getByLabel('Name', { exact: true }).fill('Semaglutide');
  await page.getByLabel('Dose', { exact: true }).fill('0.25');
  await page.getByLabel('Chosen weekdays').check();
  await page.getByLabel('Sunday').check();
  await page.getByLabel('Time 1', { exact: true }).fill('02:30');
  await page.getByText('First day, last day, time zone').click();
  await page.getByLabel('First day', { exact: true }).fill('2090-03-19');
  await page.getByLabel('Time zone').fill('Berlin');
  await page.getByText('Dose that changes over time').click();
  await page.getByLabel('First dose', { exact: true }).fill('0.25');
  await page.getByLabel('Last dose', { exact: true }).fill('0.5');
  await page.getByLabel('Change', { exact: true }).fill('0.25');
  await page.getByLabel('Every', { exact: true }).last().fill('4');
}

/** Plans a pause and a change of the schedule on the page, undoes both, and starts it again. */
async function changePlan(page: Page, view: View, sound: (where: string) => Promise<void>): Promise<void> {
  const path = new URL(page.url()).pathname;
  const isBack = new RegExp(`${path}$`);
  const open = async (link: string, url: RegExp) => {
    await page.getByRole('link', { name: link }).click();
    await page.waitForURL(url);
    if (view.scripts) await hydrated(page);
  };
  await page.setViewportSize(PHONE);
  await open('Plan a pause', /pauses/);
  await page.getByLabel('First day').fill('2090-04-01');
  await page.getByLabel('Last day').fill('2090-03-01');
  await page.getByRole('button', { name: 'Save pause' }).click();
  await page.locator('[aria-invalid=true]').first().waitFor();
  await sound('a pause that ends before it begins');
  await page.getByLabel('Last day').fill('2090-04-10');
  await pressButton(page, 'Save pause', isBack);
  await expect.poll(() => text(page)).toContain('1 Apr 2090 – 10 Apr 2090');
  await open('Plan a pause', /pauses/);
  await sound('planned pauses');
  await pressButton(page, 'Remove', isBack);

  await open('Change compound, vial or dose', /swap/);
  await page.getByLabel('First day').fill('2090-05-01');
  await page.getByLabel('Vial').selectOption({ index: 2 });
  await page.getByLabel('Dose').fill('0.3');
  await page.getByRole('button', { name: 'Show what changes' }).click();
  await page.getByRole('heading', { name: 'What changes' }).waitFor();
  await expect.poll(() => text(page)).toContain('TB-500, 0.3 mg');
  await sound('what a change would change');
  await pressButton(page, 'Save the change', isBack);
  await expect.poll(() => text(page)).toContain('from 1 May 2090 TB-500, 0.3 mg');
  await open('Change compound, vial or dose', /swap/);
  await pressButton(page, /^Undo/, isBack);
  await expect.poll(() => text(page)).not.toContain('TB-500');

  await page.getByRole('button', { name: 'Pause', exact: true }).click();
  await page.getByText('Schedule paused').waitFor();
  await open('Start again', /again/);
  await page.getByLabel('First day').fill('2090-06-01');
  await page.getByRole('button', { name: 'Show the doses' }).click();
  await page.getByRole('heading', { name: 'The new schedule' }).waitFor();
  await sound('a schedule that begins again');
  await pressButton(page, 'Start again', /schedule\/sched_[^/]+$/);
  await page.getByText('Schedule started again').waitFor();
  await sound('the schedule that began again');
  await open('Delete', /delete/);
  await pressButton(page, 'Delete', /schedule\/all/);
  await page.goto(path);
  await pressButton(page, 'Resume', isBack);
  await page.getByText('Schedule activated').waitFor();
  await page.setViewportSize(view);
}

describe.each(VIEWS)('a schedule, %s', (_, view) => {
  it('is previewed, saved, paused, resumed, changed and deleted', async () => {
    const { context, page, problems } = await openPage(view);
    await signUp(context, { trial: true });
    const sound = (where: string) => expectSoundPage(page, where, view.scripts);
    await addVial(context, 'TB-500');

    await page.goto('/dashboard/schedule/all');
    await expect.poll(() => text(page)).toContain('No schedules yet');
    await sound('no schedules');
    await page.getByRole('link', { name: 'New schedule' }).click();
    await page.waitForURL(/schedule\/new/);
    if (view.scripts) await hydrated(page);
    // Only what the chosen kind asks for is in sight.
    await expect.poll(() => page.getByLabel('Sunday').isVisible()).toBe(false);
    await sound('new schedule');

    await page.getByRole('button', { name: 'Create schedule' }).click();
    await page.getByText('Enter the dose as a number above zero').first().waitFor();
    await sound('errors');
    await fillIn(page);
    await page.getByLabel('Last day', { exact: true }).fill('2090-03-01');
    await page.getByRole('button', { name: 'Create schedule' }).click();
    await page.getByText('The end date must not be before the start date').waitFor();
    await expect.poll(() => page.getByLabel('Name', { exact: true }).inputValue()).toBe('Semaglutide');
    await page.getByLabel('Last day', { exact: true }).fill('');

    await page.getByRole('button', { name: 'Preview doses' }).click();
    await page.locator('#preview').waitFor();
    const rows = await page.locator('#preview table').first().locator('tbody tr').allInnerTexts();
    expect(rows).toHaveLength(14);
    expect(rows[0]).toMatch(/Sun 19 Mar 2090\s+02:30\s+0.25 mg/);
    // The clock goes forward at two on that day.
    expect(rows[1]).toMatch(/Sun 26 Mar 2090\s+03:30/);
    expect(rows[1]).toContain('the clock skips 02:30');
    expect(rows[4]).toContain('0.5 mg');
    await sound('preview');
    await page.goto('/dashboard/schedule/all');
    await expect.poll(() => text(page)).toContain('No schedules yet');

    await page.goto('/dashboard/schedule/new');
    if (view.scripts) await hydrated(page);
    await fillIn(page);
    await pressButton(page, 'Create schedule', /schedule\/sched_/);
    await page.getByText('Schedule created successfully').waitFor();
    await expect.poll(() => text(page)).toContain('Every Sunday at 02:30');
    await expect.poll(() => text(page)).toContain('0.25 mg, then 0.25 mg more every 4 weeks, up to 0.5 mg');
    await sound('detail');

    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('Schedule paused').waitFor();
    await expect.poll(() => text(page)).toContain('None while the schedule is paused');
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByText('Schedule activated').waitFor();
    await changePlan(page, view, sound);

    await page.getByRole('link', { name: 'Edit' }).click();
    await page.waitForURL(/edit/);
    if (view.scripts) await hydrated(page);
    await expect.poll(() => page.getByLabel('Sunday').isChecked()).toBe(true);
    await page.getByLabel('Time 1', { exact: true }).fill('09:00');
    await pressButton(page, 'Save changes', /schedule\/sched_[^/]+$/);
    await page.getByText('Schedule updated successfully').waitFor();
    await expect.poll(() => text(page)).toContain('Every Sunday at 09:00');

    await page.getByRole('link', { name: 'Save as template' }).click();
    await page.getByLabel('Template name').fill('Slow start');
    await pressButton(page, 'Save template', /templates/);
    await expect.poll(() => text(page)).toContain('Slow start');
    await sound('templates');
    await page.getByRole('link', { name: 'Use Slow start' }).click();
    await page.waitForURL(/template=/);
    await page.getByLabel('Name', { exact: true }).waitFor();
    await expect.poll(() => page.getByLabel('First dose', { exact: true }).inputValue()).toBe('0.25');

    await page.goto('/dashboard/schedule/travel?zone=Asia/Tokyo');
    await sound('travel');
    await page.goto('/dashboard/schedule/all');
    await sound('list');
    await page.getByRole('link', { name: 'Delete Semaglutide' }).click();
    await page.waitForURL(/delete/);
    await sound('delete');
    await pressButton(page, 'Delete', /schedule\/all/);
    await page.getByText('Schedule deleted successfully').waitFor();
    await expect.poll(() => text(page)).toContain('No schedules yet');
    expect(problems).toEqual([]);
    await context.close();
  });
});

it('offers to adjust times when this device is in another zone than the profile', async () => {
  const { context, page } = await openPage({ scripts: true, timeZone: 'Asia/Tokyo', ...PHONE });
  await signUp(context, { trial: true });
  const today = new Date().toISOString().slice(0, 10);
  await page.goto('/dashboard/schedule/new');
  await hydrated(page);
  await page.getByLabel('Name', { exact: true }).fill('BPC-157');
  await page.getByLabel('Dose', { exact: true }).fill('0.25');
  await page.getByText('First day, last day, time zone').click();
  await page.getByLabel('First day', { exact: true }).fill(today);
  await pressButton(page, 'Create schedule', /schedule\/sched_/);
  await page.goto('/dashboard/schedule');
  await page.getByRole('link', { name: 'Choose times' }).click();
  await page.waitForURL(/zone=Asia%2FTokyo/);
  // 08:00 in UTC is 17:00 in Tokyo.
  await page.getByText('17:00').first().waitFor();
  await expectSoundPage(page, 'travel', true);
  // There it is the evening before, whose day stands beside the time.
  await page.goto('/dashboard/schedule/travel?zone=Pacific/Pago_Pago');
  await page.getByText('21:00 on').first().waitFor();
  await expectSoundPage(page, 'travel to another day', true);
  await page.goBack();
  await page.getByText('17:00').first().waitFor();
  await page.getByLabel('Follow local time').check();
  await pressButton(page, 'Save choices', /schedule\/all/);
  await page.getByText('Choices saved').waitFor();
  await page.getByRole('link', { name: 'BPC-157', exact: true }).click();
  await page.waitForURL(/sched_/);
  await expect.poll(() => text(page)).toContain('Asia/Tokyo');
  await context.close();
});
