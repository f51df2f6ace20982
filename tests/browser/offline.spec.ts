import { describe, expect, it } from 'vitest';
import { saveSyringe } from '#app/features/accounts/index.server.ts';
import { expectSoundPage, PHONE } from '#tests/support/browser.ts';
import { asSomeone } from '#tests/support/someone.ts';
import {
  api,
  entriesLeft,
  HOUR,
  restart,
  server,
  someone,
  typeCalculation,
  useOfflineWorld,
} from './offline-world.ts';

useOfflineWorld();

describe('the offline page', () => {
  it('calculates, shows data and logs entries, which are sent once, with their times, after a restart', async () => {
    const { context, page } = await someone(PHONE);
    await context.setOffline(true);
    await page.getByRole('link', { name: 'Working offline' }).waitFor();
    await page.goto('/dashboard/schedule');
    await page.waitForURL(/\/offline\?from=/);
    await page.getByText('Draw 10 units (0.1 ml)').first().waitFor();
    await page.locator('#vials').waitFor();
    await page.getByText('5 mg of 5 mg left').waitFor();
    await page.getByText('As of').first().waitFor();
    await expectSoundPage(page, 'offline, phone', true);

    await page.getByText('Dose without a schedule', { exact: true }).click();
    const log = page.getByRole('region', { name: 'Log' });
    await log.getByLabel('Compound').first().fill('BPC-157');
    await log.getByLabel('Dose taken').first().fill('5');
    await log.getByLabel('Dose unit').first().selectOption('mg');
    await log.getByRole('button', { name: 'Log dose' }).click();
    await log.getByRole('button', { name: 'Log 5 mg' }).waitFor();
    expect(await entriesLeft(page)).toBe(0);
    await log.getByRole('button', { name: 'Change to 250 mcg' }).click();
    expect(await log.getByLabel('Dose taken').first().inputValue()).toBe('250');
    expect(await log.getByLabel('Dose unit').first().inputValue()).toBe('mcg');

    await page
      .getByRole('button', { name: /^Taken: BPC-157/ })
      .first()
      .click();
    await page.getByText('Taken, waiting to be sent').waitFor();
    const takenBefore = Date.now();
    await typeCalculation(page, 'From the train');
    await expect.poll(() => page.locator('#result').innerText()).toContain('10 units');
    await page.getByRole('button', { name: 'Save Calculation' }).click();
    await page.getByText('Saved on this device. It will be sent when you are online.').waitFor();
    await page.getByText('Side effect', { exact: true }).click();
    await page.getByRole('button', { name: 'Log side effect' }).click();
    await page.getByText('Enter a name').waitFor();
    await page.getByLabel('Name', { exact: true }).fill('Headache');
    await page.getByRole('button', { name: 'Log side effect' }).click();
    await page.getByRole('heading', { name: '3 entries waiting' }).waitFor();
    expect(await entriesLeft(page)).toBe(3);

    await restart();
    await context.setOffline(false);
    await expect.poll(() => entriesLeft(page)).toBe(0);
    const promises = page.getByText(/entr(y|ies) waiting|will be sent when/);
    await expect.poll(() => promises.count()).toBe(0);
    await page.reload();
    const { calculations } = await api<{ calculations: { peptideName: string }[] }>(
      context,
      '/api/calculations',
    );
    expect(calculations.map(({ peptideName }) => peptideName)).toEqual(['From the train']);
    const { doses } = await api<{ doses: { takenAt: string }[] }>(
      context,
      '/api/schedules/doses?status=taken',
    );
    expect(doses).toHaveLength(1);
    expect(Date.parse(doses[0]?.takenAt ?? '')).toBeLessThanOrEqual(takenBefore);
    const effects = await api<{ total: number }>(context, '/api/side-effects');
    expect(effects.total).toBe(1);
  });

  it('says “Connected” only while the server answers, whatever the browser believes', async () => {
    const { context, page } = await someone();
    const state = page.locator('header').getByRole('status');
    await page.goto('/offline');
    await expect.poll(() => state.innerText()).toBe('Connected');
    await context.route('**/healthz', (route) => route.abort());
    await page.reload();
    await expect.poll(() => state.innerText()).toBe('Working offline');
    expect(await page.evaluate(() => navigator.onLine)).toBe(true);
    await context.unroute('**/healthz');
    await expect.poll(() => state.innerText()).toBe('Connected');
  });

  it('sends the entries of two tabs once, and lets the user decide about refused ones', async () => {
    const { context, page } = await someone();
    const second = await context.newPage();
    await second.goto('/offline');
    await second.getByText('5 mg of 5 mg left').waitFor();
    await page.goto('/offline');
    await page.getByText('5 mg of 5 mg left').waitFor();
    await context.setOffline(true);
    for (const [tab, name] of [
      [page, 'One'],
      [second, 'Two'],
    ] as const) {
      await typeCalculation(tab, name);
      await tab.getByRole('button', { name: 'Save Calculation' }).click();
      await tab.getByText('Saved on this device. It will be sent when you are online.').waitFor();
    }
    await page
      .getByRole('button', { name: /^Taken: BPC-157/ })
      .first()
      .click();
    await second.getByRole('heading', { name: '3 entries waiting' }).waitFor();
    // The dose is taken on another device in the meantime, so the user has to decide here.
    const [dose] = (await api<{ doses: { id: string }[] }>(context, '/api/schedules/doses?overdue=true'))
      .doses;
    const elsewhere = await context.request.patch(`/api/schedules/doses/${dose?.id}/taken`, {
      headers: { origin: server.url },
      data: { takenAt: new Date(Date.now() - HOUR / 2).toISOString() },
    });
    expect(elsewhere.status()).toBe(200);
    await context.setOffline(false);
    await page.getByText('This dose is already logged as taken.').waitFor();
    await expect.poll(() => entriesLeft(page)).toBe(1);
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await expect.poll(() => entriesLeft(second)).toBe(0);
    const { total } = await api<{ total: number }>(context, '/api/calculations');
    expect(total).toBe(2);

    await page.reload();
    await page.getByText('Saved calculations').waitFor();
    await context.setOffline(true);
    await page.getByText('Dose without a schedule', { exact: true }).click();
    await page.getByLabel('Compound').first().fill('BPC-157');
    await page.getByLabel('Dose taken').first().fill('250');
    const unit = page.getByRole('region', { name: 'Log' }).getByLabel('Dose unit');
    await unit.selectOption('mg');
    await page.getByRole('button', { name: 'Log dose' }).click();
    await page.getByText('Dose must be above 0 and at most 100 mg').waitFor();
    await page.getByText('Did you mean 250 mcg?').waitFor();
    await expectSoundPage(page, 'a dose in the wrong unit', true);
    await page.getByRole('button', { name: 'Use mcg' }).click();
    await page.getByText('Did you mean 250 mcg?').waitFor({ state: 'hidden' });
    expect(await unit.inputValue()).toBe('mcg');
    expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('actualDose');
    expect(await entriesLeft(page)).toBe(0);
    await page.getByRole('button', { name: 'Log dose' }).click();
    await page.getByRole('heading', { name: '1 entry waiting' }).waitFor();
    await context.setOffline(false);
    await page.getByText('Your last dose was').waitFor();
    expect(await entriesLeft(page)).toBe(1);
    await page.getByRole('button', { name: 'Log it anyway' }).click();
    await expect.poll(() => entriesLeft(page)).toBe(0);
    const taken = await api<{ doses: unknown[] }>(context, '/api/schedules/doses?status=taken');
    expect(taken.doses).toHaveLength(2);
  });

  it('calculates and saves with a syringe of one’s own', async () => {
    const { context, page, email } = await someone(PHONE);
    await asSomeone(server.dataDir, email, (ctx) =>
      saveSyringe(ctx, null, { name: 'Orange cap', barrelMl: '0.7', unitsPerMl: '40', mark: '0.5' }),
    );
    await page.goto('/offline');
    await page
      .getByRole('combobox', { name: 'Syringe' })
      .getByText('Orange cap')
      .waitFor({ state: 'attached' });
    await context.setOffline(true);
    await page.goto('/offline');
    await typeCalculation(page, 'On the train');
    await page.getByRole('combobox', { name: 'Syringe' }).selectOption({ label: 'Orange cap' });
    await page.getByRole('img', { name: 'Orange cap syringe filled to 4 units' }).waitFor();
    await page.getByRole('button', { name: 'Save Calculation' }).click();
    await page.getByText('Saved on this device. It will be sent when you are online.').waitFor();
    await context.setOffline(false);
    await expect.poll(() => entriesLeft(page)).toBe(0);
    const { calculations } = await api<{ calculations: { peptideName: string; syringe: string }[] }>(
      context,
      '/api/calculations',
    );
    expect(calculations.map(({ syringe }) => syringe)).toEqual([expect.stringMatching(/^own:/)]);
  });
});
