import type { BrowserContext, Page } from 'playwright-core';
import { describe, expect, inject, it } from 'vitest';
import { expectSoundPage, openPage, PHONE } from '#tests/support/browser.ts';
import { laterToday } from '#tests/support/schedules.ts';
import { hydrated, signUp } from './journey.ts';

const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
const textOf = async (page: Page) => (await page.locator('main').innerText()).replace(/\s+/g, ' ');

/** Orders one vial of 15 mg, which is on its way. @returns the id of the order */
async function orderBlend(context: BrowserContext): Promise<string> {
  const send = async (method: string, path: string, data: object) => {
    const headers = { origin: inject('serverUrl') };
    const answer = await context.request.fetch(path, { method, headers, data });
    expect(answer.ok(), await answer.text()).toBe(true);
    return (await answer.json()) as { data: Record<string, { id: string }> };
  };
  const { data: made } = await send('POST', '/api/suppliers', { name: 'Acme' });
  const line = { name: 'BPC-157 + TB-500', mgPerVial: 15, price: 60, currency: 'USD', quantity: 1 };
  const { data } = await send('POST', '/api/orders', { supplierId: made['supplier']?.id, lines: [line] });
  const id = data['order']?.id ?? '';
  await send('PATCH', `/api/orders/${id}/state`, { state: 'sent' });
  return id;
}

describe.each([true, false])('a blend on a phone, scripts %s', (scripts) => {
  const sound = (page: Page, where: string) => expectSoundPage(page, where, scripts);
  const open = async (page: Page, path: string) => {
    await page.goto(path);
    if (scripts) await hydrated(page);
  };

  it('can be followed from the order through vial, schedule and dose to the report', async () => {
    const { context, page, problems } = await openPage({ scripts, ...PHONE });
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await signUp(context, { trial: true });

    await open(page, `/dashboard/vendors/orders/${await orderBlend(context)}/receive`);
    await page.getByLabel('Lot', { exact: true }).fill('L-77');
    await page.getByLabel('Components of a blend, in mg').fill('BPC-157:5; TB-500:9');
    await page.getByText('Certificate of this lot').click();
    await page.getByLabel('Purity').fill('99.1');
    await page.getByRole('button', { name: 'Receive the order' }).click();
    await page.getByText('Components must add up to 15 mg per vial').first().waitFor();
    await sound(page, 'a blend that does not add up');
    await page.getByLabel('Components of a blend, in mg').fill('BPC-157:5; TB-500:10');
    await page.getByRole('button', { name: 'Receive the order' }).click();
    await page.getByText('Order received, 1 vial added').waitFor();

    await open(page, '/dashboard/vials');
    await page.locator('main a[href^="/dashboard/vials/vial_"]').first().click();
    await page.waitForURL(/vial_[^/]+$/);
    await page.getByRole('link', { name: 'Reconstitute' }).click();
    await page.getByLabel('Water added').fill('2');
    await page.getByLabel('Reconstituted on', { exact: true }).fill(day(-1));
    await page.getByRole('button', { name: 'Reconstitute' }).click();
    await page.waitForURL(/vial_[^/]+$/);
    const vial = new URL(page.url()).pathname;
    await expect.poll(async () => textOf(page)).toContain('TB-500 10 mg of 10 mg, 5 mg/ml');

    await open(page, `/dashboard/schedule/new?vial=${vial.split('/').at(-1)}`);
    const doseOf = page.getByLabel('Dose of', { exact: true });
    // With scripts only what the chosen vial holds can be chosen.
    const offered = ['BPC-157', 'TB-500'];
    await expect
      .poll(async () => (await doseOf.locator('option').allInnerTexts()).filter((text) => text !== ''))
      .toEqual(scripts ? offered : ['The first component', ...offered]);
    if (scripts) {
      await page.getByLabel('Vial', { exact: true }).selectOption('');
      await page.getByLabel('Name', { exact: true }).fill('Semaglutide');
      await expect.poll(() => doseOf.count()).toBe(0);
      await page.getByLabel('Name', { exact: true }).fill('bpc-157 + TB-500');
    }
    await doseOf.selectOption('TB-500');
    await page.getByLabel('Dose', { exact: true }).fill('500');
    await page.getByLabel('Unit of the dose').selectOption('mcg');
    await page.getByText('First day, last day, time zone').click();
    await page.getByLabel('First day', { exact: true }).fill(day(-1));
    // Yesterday's dose is not missed yet, whenever this runs.
    await page.getByLabel('Time 1', { exact: true }).fill(laterToday());
    await sound(page, 'a plan of a blend');
    await page.getByRole('button', { name: 'Preview doses' }).click();
    await page.locator('#preview').waitFor();
    await expect.poll(async () => textOf(page)).toContain('BPC-157 250 mcg + TB-500 500 mcg');
    await page.getByRole('button', { name: 'Create schedule' }).click();
    await page.getByText('Schedule created successfully').waitFor();
    await expect.poll(async () => textOf(page)).toContain('BPC-157 250 mcg + TB-500 500 mcg');
    await sound(page, 'a schedule of a blend');

    await open(page, '/dashboard/schedule');
    expect(await textOf(page)).toContain('BPC-157 250 mcg + TB-500 500 mcg');
    expect(await textOf(page)).toContain('10 units BPC-157 250 mcg + TB-500 500 mcg · 0.1 ml');
    await sound(page, 'today with a blend');
    await page
      .getByRole('button', { name: /^Taken: .*BPC-157 250 mcg \+ TB-500 500 mcg/ })
      .first()
      .click();
    await expect.poll(async () => textOf(page)).toMatch(/Taken (?:at|on)/);
    await open(page, vial);
    expect(await textOf(page)).toContain('TB-500 9.5 mg of 10 mg');

    await open(page, `${vial}/remaining`);
    await page.getByLabel('Remaining amount of BPC-157').fill('0.5');
    await page.getByRole('button', { name: 'Correct the amount' }).click();
    await page.waitForURL(/vial_[^/]+$/);
    await open(page, '/dashboard/vials');
    await expect.poll(async () => textOf(page)).toMatch(/TB-500 1 (mg )?of 10 mg/);
    expect(await textOf(page)).toContain('Low');
    await sound(page, 'a blend that is low');

    await open(page, `/dashboard/analytics/report/print?start=${day(-9)}&end=${day(0)}`);
    const report = (await page.locator('body').innerText()).replace(/\s+/g, ' ');
    for (const text of ['BPC-157 250 mcg + TB-500 500 mcg', 'L-77']) expect(report).toContain(text);
    expect(problems).toEqual([]);
    await context.close();
  });
});
