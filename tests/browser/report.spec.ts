import { mkdirSync } from 'node:fs';
import { describe, expect, inject, it } from 'vitest';
import type { Page } from 'playwright-core';
import { DESKTOP, expectSoundPage, openPage, PHONE } from '#tests/support/browser.ts';
import { confirmAddress } from '#tests/support/someone.ts';
import { hydrated, signUp } from './journey.ts';

/** Looks at a page: sound for everybody, and kept as a picture when `SHOTS` names a folder. */
async function look(page: Page, name: string, scripts: boolean): Promise<void> {
  const folder = process.env['SHOTS'];
  if (folder) {
    mkdirSync(folder, { recursive: true });
    const { width = 0 } = page.viewportSize() ?? {};
    await page.screenshot({
      path: `${folder}/${name}-${scripts ? 'js' : 'plain'}-${width}.png`,
      fullPage: true,
    });
  }
  await expectSoundPage(page, name, scripts);
}

const SITE = {
  site: 'deltoid-left',
  name: 'BPC-157',
  doseUnit: 'mg',
  dose: '0.25',
  pain: '1',
  notes: 'sore',
};

describe.each([
  { scripts: true, ...PHONE, dark: true },
  { scripts: false, ...DESKTOP },
])('the clinician report, scripts $scripts, $width px', (view) => {
  const { scripts } = view;

  it('is configured, shared with someone without an account, and revoked', async () => {
    const { context, page, problems } = await openPage(view);
    const email = await signUp(context, { trial: true });
    const today = new Date().toISOString().slice(0, 10);
    const logged = await context.request.post('/dashboard/tracking', {
      headers: { origin: inject('serverUrl') },
      form: { ...SITE, takenAt: `${today}T00:00` },
      maxRedirects: 0,
    });
    expect(logged.status()).toBe(302);
    await page.goto('/dashboard/analytics');
    if (scripts) await hydrated(page);
    await page.getByRole('link', { name: 'Clinician report' }).click();
    await page.getByRole('heading', { name: 'Injection sites' }).waitFor();
    await page.getByRole('rowheader', { name: today }).waitFor();
    await expect.poll(() => page.getByText('sore').count()).toBe(0);
    await look(page, 'report', scripts);

    await page.getByLabel('First day').fill('2026-02-01');
    await page.getByLabel('Last day').fill('2026-01-01');
    await page.getByRole('button', { name: 'Show report' }).click();
    await page.getByText('The end date must not be before the start date').waitFor();
    await expect.poll(() => page.getByLabel('First day').inputValue()).toBe('2026-02-01');
    await look(page, 'report-refused', scripts);
    const lastDay = page.getByLabel('Last day');
    const notes = page.getByLabel('Include my notes');
    await lastDay.fill(today);
    await notes.check();
    await lastDay.press('Enter');
    await page.getByText('sore').waitFor();
    if (scripts) {
      // Whoever goes on by keyboard still stands in the field; a step back shows what was asked there.
      expect(await lastDay.evaluate((element) => element === document.activeElement)).toBe(true);
      await page.goBack();
      await page.getByText('The end date must not be before the start date').waitFor();
      await expect.poll(() => notes.isChecked()).toBe(false);
      await expect.poll(() => lastDay.inputValue()).toBe('2026-01-01');
      await page.goForward();
      await page.getByText('sore').waitFor();
      await expect.poll(() => notes.isChecked()).toBe(true);
      await expect.poll(() => lastDay.inputValue()).toBe(today);
    }

    await page.getByRole('link', { name: 'Share by link' }).click();
    await page.getByText('No links yet').waitFor();
    await look(page, 'shares-empty', scripts);
    await confirmAddress(inject('serverDataDir'), email);
    await page.getByLabel('Recipient').fill('Dr Meyer');
    await page.getByRole('button', { name: 'Create link' }).click();
    await page.getByText('Copy this link now').waitFor();
    const address = (await page.locator('main code').innerText()).trim();
    await look(page, 'share-made', scripts);

    const guest = await openPage(view);
    const { pathname } = new URL(address);
    const answer = await guest.page.goto(pathname);
    expect(answer?.headers()).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex, nofollow',
    });
    await guest.page.getByText('Deltoid, left').waitFor();
    await expect.poll(() => guest.page.content()).not.toContain(email);
    await look(guest.page, 'shared', scripts);

    await page.getByRole('link', { name: 'Done' }).click();
    await page.getByText('Opened once').click();
    await page.getByText('this machine').waitFor();
    await look(page, 'shares', scripts);
    await page.getByRole('link', { name: 'Revoke the link Dr Meyer' }).click();
    await page.getByRole('button', { name: 'Revoke link' }).waitFor();
    await look(page, 'share-revoke', scripts);
    await page.getByRole('button', { name: 'Revoke link' }).click();
    await page.getByText('Revoked', { exact: true }).waitFor();
    expect((await guest.page.goto(pathname))?.status()).toBe(404);
    await guest.page.getByText('Report not available').waitFor();
    await look(guest.page, 'share-over', scripts);
    expect([...problems, ...guest.problems]).toEqual([]);
    await guest.context.close();
    await context.close();
  });
});
