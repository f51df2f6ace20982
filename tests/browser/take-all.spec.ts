import { afterAll, describe, expect, inject, it } from 'vitest';
import type { BrowserContext } from 'playwright-core';
import { setCeiling } from '#app/features/amounts/index.server.ts';
import { expectSoundPage, openPage } from '#tests/support/browser.ts';
import { planDoses } from '#tests/support/due-doses.ts';
import { asSomeone } from '#tests/support/someone.ts';
import { hydrated, signUp } from './journey.ts';

const TODAY = '/dashboard/schedule';
const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

const closing: BrowserContext[] = [];
afterAll(() => Promise.all(closing.map((context) => context.close())));

const NAMES = ['BPC-157', 'Ipamorelin', 'TB-500'];

/** Three plans with one dose each, due today at the same time, from a vial of 5 mg in 2 ml each. */
async function plan(email: string): Promise<void> {
  await asSomeone(inject('serverDataDir'), email, async (ctx) => {
    await planDoses(ctx, NAMES);
    await setCeiling(ctx, { name: 'TB-500', unit: 'mcg', perDose: '200' });
  });
}

describe.each([{ scripts: true }, { scripts: false }])(
  'doses of one time, scripts $scripts',
  ({ scripts }) => {
    it('are taken with one press, unusual ones after their answer, and undone with one', async () => {
      const { context, page, problems } = await openPage({ scripts, width: 360, height: 740 });
      closing.push(context);
      await plan(await signUp(context, { trial: true }));
      const go = async () => {
        await page.goto(TODAY);
        if (scripts) await hydrated(page);
      };
      const toast = (text: string) => page.getByRole('status').filter({ hasText: text });
      const together = () => page.getByRole('form', { name: /^3 doses, / });
      const ticked = () => page.getByRole('checkbox', { name: /10 units/, checked: true });
      await go();
      await expect.poll(() => ticked().count()).toBe(3);
      expect(await together().count()).toBe(1);
      await expectSoundPage(page, 'Today with a time slot', scripts);

      // One press: two are as usual, and one is asked about before anything is saved.
      await page.getByRole('button', { name: 'Take all 3' }).click();
      const question = page.getByRole('alert').filter({ hasText: '250 mcg is more than your' });
      await question.waitFor();
      expect(await page.getByRole('alert').filter({ hasText: 'more than your limit' }).count()).toBe(1);
      await expectSoundPage(page, 'the question about one of them', scripts);
      expect(await ticked().count()).toBe(3);
      await page.getByRole('checkbox', { name: /^Ipamorelin/ }).uncheck();
      await page.getByText('Taken earlier?').click();
      await page.getByLabel('Taken at').fill(`${day(0)}T00:01`);
      await page.getByRole('button', { name: /^Take/ }).click();
      await question.waitFor();
      expect([await ticked().count(), await page.getByLabel('Taken at').inputValue()]).toEqual([
        2,
        `${day(0)}T00:01`,
      ]);
      await page.getByRole('checkbox', { name: 'Yes, log TB-500 anyway' }).check();
      await page.getByRole('button', { name: /^Take/ }).click();
      await toast('2 doses marked as taken').waitFor();
      await page.getByText('Taken together:').waitFor();
      expect(await page.getByText(/taken at 00:01/i).count()).toBe(2);

      await page.getByRole('button', { name: 'Undo all 2' }).click();
      await toast('Undone. The doses are back to how they were.').waitFor();
      await together().waitFor();
      expect(await page.getByText('Taken together:').count()).toBe(0);
      expect(problems).toEqual([]);
    });
  },
);
