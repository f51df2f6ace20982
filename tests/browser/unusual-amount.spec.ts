import { mkdirSync } from 'node:fs';
import { afterAll, describe, expect, inject, it } from 'vitest';
import type { BrowserContext, Page } from 'playwright-core';
import { createSchedule } from '#app/features/schedules/schedules.server.ts';
import { addVial } from '#app/features/vials/vials.server.ts';
import { openPage } from '#tests/support/browser.ts';
import { laterToday } from '#tests/support/schedules.ts';
import { asSomeone } from '#tests/support/someone.ts';
import { hydrated, signUp } from './journey.ts';

const TODAY = '/dashboard/schedule';

const closing: BrowserContext[] = [];
afterAll(() => Promise.all(closing.map((context) => context.close())));

const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

/** A plan of 250 mcg from a vial of 5 mg in 2 ml, with an open dose of yesterday. @returns the schedule's id */
async function planned(email: string): Promise<string> {
  return asSomeone(inject('serverDataDir'), email, async (ctx) => {
    const vial = { name: 'BPC-157', amountMg: '5', waterMl: '2', reconstitutionDate: day(-2) };
    await addVial(ctx, vial as never);
    const { id } = await createSchedule(ctx, {
      ...{ name: 'BPC-157', frequency: { kind: 'daily' }, timeZone: 'UTC', startDate: day(-1) },
      ...{ doseAmount: '250', doseUnit: 'mcg', times: [laterToday()] },
    });
    return id;
  });
}

/** Set to a folder to look at the question. */
const PICTURES = process.env['QUESTION_PICTURES'];

async function picture(page: Page, name: string): Promise<void> {
  if (PICTURES === undefined) return;
  mkdirSync(PICTURES, { recursive: true });
  await page.screenshot({ path: `${PICTURES}/${name}.png` });
}

/** The question has the focus, and with its buttons it is on the screen without scrolling. */
async function expectAsked(
  page: Page,
  change: string,
  save: string,
  figures = '100 units, not 10',
): Promise<void> {
  const question = page.getByRole('group', { name: `10 times your planned dose: ${figures}` });
  await question.waitFor();
  await expect.poll(() => question.evaluate((box) => box === document.activeElement)).toBe(true);
  const buttons = await question.getByRole('button').allInnerTexts();
  expect(buttons.slice(0, 2)).toEqual([change, save]);
  const hidden = () =>
    question.evaluate((box) =>
      [box, ...[...box.querySelectorAll('button')].slice(0, 2)].flatMap((part) => {
        const { top, bottom, left, width } = part.getBoundingClientRect();
        const isInside = top >= 0 && bottom <= window.innerHeight;
        // What is drawn on top in the middle of the part; a bar at the bottom of the screen must not cover it.
        const shown = document.elementFromPoint(left + width / 2, (top + bottom) / 2);
        return isInside && shown !== null && part.contains(shown) ? [] : [part.textContent];
      }),
    );
  // The browser scrolls to what has the focus when it next draws the page.
  await expect.poll(hidden).toEqual([]);
}

describe.each([{ scripts: true }, { scripts: false }])(
  'an amount ten times the plan, scripts $scripts',
  ({ scripts }) => {
    it('is asked about in view, and changed to the planned one with the first button', async () => {
      const { context, page, problems } = await openPage({ scripts, width: 360, height: 740 });
      closing.push(context);
      const schedule = await planned(await signUp(context, { trial: true }));
      const go = async (at: string) => {
        await page.goto(at);
        if (scripts) await hydrated(page);
      };
      const amountIs = (label: string) => page.getByLabel(label, { exact: false }).first().inputValue();

      await go(`${TODAY}/log`);
      await page.getByLabel('Compound').fill('BPC-157');
      await page.getByLabel('Dose taken').fill('2500');
      await page.getByLabel('Dose unit').selectOption('mcg');
      await page.getByRole('button', { name: 'Log dose' }).click();
      await expectAsked(page, 'Change to 250 mcg', 'Log 2,500 mcg');
      await picture(page, `log-360-${scripts}`);
      await page.getByRole('button', { name: 'Change to 250 mcg' }).click();
      await expect.poll(() => amountIs('Dose taken')).toBe('250');
      await page.getByRole('button', { name: 'Log dose' }).waitFor();

      await go(TODAY);
      await page.getByText('More', { exact: true }).first().click();
      await page.getByRole('link', { name: 'BPC-157' }).first().click();
      await page.getByLabel('Dose taken').fill('2500');
      await page.getByRole('button', { name: 'Taken', exact: true }).click();
      await expectAsked(page, 'Change to 250 mcg', 'Log 2,500 mcg');
      await picture(page, `dose-360-${scripts}`);

      await go('/dashboard/tracking');
      await page.getByLabel('Compound').fill('BPC-157');
      await page.getByLabel('Dose', { exact: true }).fill('2500');
      await page.getByLabel('Dose unit').selectOption('mcg');
      await page.locator('[name=site]').first().check({ force: true });
      await page.getByRole('button', { name: 'Log injection' }).click();
      await expectAsked(page, 'Change to 250 mcg', 'Log 2,500 mcg');
      await picture(page, `site-360-${scripts}`);

      await go(`${TODAY}/${schedule}/edit`);
      await page.locator('[name=doseAmount]').fill('2500');
      await page.getByRole('button', { name: 'Save changes' }).click();
      // The schedule names no vial, so its strength is not known.
      await expectAsked(page, 'Change to 250 mcg', 'Save 2,500 mcg', '2,500 mcg, not 250 mcg');
      await picture(page, `schedule-360-${scripts}`);
      expect(problems).toEqual([]);
    });
  },
);
