import type { BrowserContext, Page } from 'playwright-core';
import { describe, expect, inject, it } from 'vitest';
import { DESKTOP, openPage, PHONE, problemsInEveryView, type View } from '#tests/support/browser.ts';
import { photograph, SVG } from '#tests/support/pictures.ts';
import { hydrated, signUp } from './journey.ts';

const TRACKING = '/dashboard/tracking';
const main = (page: Page) => page.locator('main');

async function send(context: BrowserContext, path: string, form: Record<string, string>): Promise<string> {
  const headers = { origin: inject('serverUrl') };
  const response = await context.request.post(path, { headers, form, maxRedirects: 0 });
  expect(response.status(), await response.text()).toBe(302);
  return response.headers()['location'] ?? '';
}

async function pressButton(page: Page, name: string, leadsTo: RegExp): Promise<void> {
  await page.getByRole('button', { name, exact: true }).click();
  await page.waitForURL(leadsTo);
}

/** Logs an injection by a tap on the figure. */
async function tapAndLog(page: Page, view: View): Promise<void> {
  await page.goto(TRACKING);
  if (view.scripts) await hydrated(page);
  await expect.poll(() => main(page).innerText()).toContain('Abdomen, upper left');
  if (view.width < 640) await page.locator('.view-choice label', { hasText: 'Front' }).click();
  await page.locator('.spot.at-deltoid-left').click();
  await expect.poll(() => page.locator('#site-deltoid-left').isChecked()).toBe(true);
  await page.getByLabel('Compound').fill('BPC-157');
  await page.getByLabel('Dose', { exact: true }).fill('250');
  await page.getByLabel('Dose unit').selectOption('mcg');
  await page.getByLabel('Volume').fill('0,1');
  await page.getByRole('button', { name: 'Log injection' }).click();
  await expect.poll(() => main(page).innerText()).toContain('Injection history (1)');
  const text = await main(page).innerText();
  expect(text).toContain('Deltoid, left');
  expect(text).toContain('0.1 ml');
  expect(text).toContain('Logged with a dose');
}

/** Notes a side effect from a template, shows it a picture, and says that it is over. */
async function noteEffect(page: Page): Promise<void> {
  await page.goto(`${TRACKING}/side-effects`);
  await page.getByRole('link', { name: 'Log a side effect' }).click();
  await page.getByRole('link', { name: 'Nausea' }).click();
  await expect.poll(() => page.locator('[name=name]').inputValue()).toBe('Nausea');
  await page.getByLabel('Severity, 1 to 5').selectOption('4');
  await pressButton(page, 'Save', /side-effects\/fx_/);
  await page.setInputFiles('[name=image]', { name: 'a.jpg', mimeType: 'image/jpeg', buffer: SVG });
  await page.getByRole('button', { name: 'Add picture' }).click();
  await expect.poll(() => main(page).innerText()).toContain('Only JPEG, PNG and WebP pictures can be added');
  await page.setInputFiles('[name=image]', {
    name: 'a.jpg',
    mimeType: 'image/jpeg',
    buffer: await photograph(),
  });
  await page.getByRole('button', { name: 'Add picture' }).click();
  await page.locator('.picture-list img').waitFor();
  await page.getByRole('link', { name: 'Mark as resolved' }).click();
  await pressButton(page, 'Save', /side-effects\/fx_\w+$/);
  await expect.poll(() => main(page).innerText()).toContain('lasted');
}

/** Notes a day and a measurement, and pastes a table that has one bad line. */
async function measure(page: Page): Promise<void> {
  await page.goto(`${TRACKING}/nutrition`);
  await page.getByLabel('Calories').fill('2100');
  await page.getByRole('button', { name: 'Add this day' }).click();
  await expect.poll(() => main(page).innerText()).toContain('Days (1)');
  await page.goto(`${TRACKING}/health`);
  await page.getByLabel('Weight').fill('9999');
  await page.getByRole('button', { name: 'Save measurements' }).click();
  await expect.poll(() => main(page).innerText()).toContain('Weight must be from 1 to 700 kg');
  await expect.poll(() => page.getByLabel('Weight').inputValue()).toBe('9999');
  await page.getByLabel('Weight').fill('80.5');
  await page.getByRole('button', { name: 'Save measurements' }).click();
  await expect.poll(() => main(page).innerText()).toContain('Measurements (1)');
  await page.getByRole('link', { name: 'Paste a table' }).click();
  await page.getByLabel('Table').fill('date,weight\n2026-01-01,82\nyesterday,81\n2026-01-03,81.5');
  await page.getByRole('button', { name: 'Check table' }).click();
  await expect
    .poll(() => main(page).innerText())
    .toContain('2 values can be imported. Nothing is saved yet.');
  await pressButton(page, 'Import 2 values', /tracking\/health$/);
  await expect.poll(() => main(page).innerText()).toContain('Measurements (3)');
}

describe.each([
  { scripts: true, ...PHONE, dark: true },
  { scripts: false, ...DESKTOP },
])('tracking with %o', (view) => {
  it('is walked from the first injection to an imported table', async () => {
    const { context, page, problems } = await openPage(view);
    await signUp(context, { trial: true });
    await tapAndLog(page, view);
    await noteEffect(page);
    await measure(page);
    expect(problems).toEqual([]);
    await context.close();
  });
});

it('chooses a site with the keyboard only, and keeps what was typed when the form is refused', async () => {
  const { context, page } = await openPage({ scripts: false, ...DESKTOP });
  await signUp(context, { trial: true });
  await page.goto(TRACKING);
  await page.locator('#site-abdomen-upper-left').focus();
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => page.locator('#site-abdomen-upper-right').isChecked()).toBe(true);
  await page.getByLabel('Volume').fill('lots');
  await page.getByLabel('Notes').fill('kept');
  await page.keyboard.press('Tab');
  await page.getByRole('button', { name: 'Log injection' }).click();
  await expect.poll(() => main(page).innerText()).toContain('Enter a number, such as 2');
  await expect.poll(() => page.getByLabel('Notes').inputValue()).toBe('kept');
  await expect.poll(() => page.locator('#site-abdomen-upper-right').isChecked()).toBe(true);
  await context.close();
});

/** Sites of the map whose mark is smaller than 12 px, wider than its place, or outside of the picture; one mark is tried at a time. */
const badMarks = (mark: string) =>
  [...document.querySelectorAll<HTMLElement>('.spot-mark')].flatMap((label) => {
    const [spot, canvas] = [label.parentElement, label.closest('.body-canvas')];
    if (!spot || !canvas || !label.checkVisibility()) return [];
    label.textContent = mark;
    const [text, place, all] = [label, spot, canvas].map((element) => element.getBoundingClientRect());
    const isCut = text!.left < place!.left - 1 || text!.right > place!.right + 1;
    const isOutside = text!.left < all!.left || text!.right > all!.right;
    const isSmall = Number.parseFloat(getComputedStyle(label).fontSize) < 12;
    return isCut || isOutside || isSmall ? [`${mark} on ${spot.className}`] : [];
  });

it.each([PHONE, { width: 1024, height: 800 }, DESKTOP])(
  'gives every place on the map room for a finger, and room for its mark, at $width px',
  async (view) => {
    const { context, page } = await openPage({ scripts: true, ...view });
    await signUp(context, { trial: true });
    await page.goto(TRACKING);
    for (const side of ['Front', 'Back']) {
      const choice = page.locator('.view-choice label', { hasText: side });
      if (await choice.isVisible()) await choice.click();
      for (const spot of await page.locator('.spot:visible').all()) {
        const box = await spot.boundingBox();
        const least = view.width < 640 ? 44 : 36;
        expect(Math.min(box?.width ?? 0, box?.height ?? 0), await spot.innerText()).toBeGreaterThanOrEqual(
          least,
        );
      }
      for (const mark of ['today', '99+ d', 'next', 'off'])
        expect(await page.evaluate(badMarks, mark), side).toEqual([]);
    }
    await context.close();
  },
);

describe('the pages, at both widths, in light and dark', () => {
  it('are accessible, empty and filled', async () => {
    const { context, page } = await openPage({ scripts: true, ...PHONE });
    await signUp(context, { trial: true });
    const lists = ['', '/side-effects', '/nutrition', '/health'].map((part) => `${TRACKING}${part}`);
    for (const at of lists) {
      await page.goto(at);
      expect(await problemsInEveryView(page), `${at}, empty`).toEqual([]);
    }
    const at = '2026-01-05T08:00';
    await send(context, TRACKING, {
      site: 'deltoid-left',
      takenAt: at,
      name: 'N'.repeat(100),
      doseUnit: 'mg',
      pain: '3',
    });
    const effect = await send(context, `${TRACKING}/side-effects/new`, {
      name: 'N'.repeat(100),
      severity: '5',
      startedAt: at,
      notes: 'N'.repeat(300),
    });
    await send(context, `${TRACKING}/nutrition`, {
      date: '2026-01-05',
      calories: '2100',
      notes: 'N'.repeat(300),
    });
    await send(context, `${TRACKING}/health/import`, {
      step: 'import',
      text: 'date,weight\n2026-01-01,82\n2026-01-03,81',
    });
    const others = ['/edit', '/resolve', '/delete'].map((step) => `${effect}${step}`);
    const more = [
      '/site-choice',
      '/side-effects/new',
      '/side-effects/templates',
      '/health/import',
      '/health/measures',
    ];
    const report = `${TRACKING}/side-effects/report?start=2026-01-01&end=2026-02-01`;
    for (const path of [...lists, effect, ...others, ...more.map((part) => `${TRACKING}${part}`), report]) {
      await page.goto(path);
      expect(await problemsInEveryView(page), path).toEqual([]);
    }
    await page.goto(`${TRACKING}/health?days=all`);
    await page.locator('#trend').waitFor();
    expect(await problemsInEveryView(page), 'a trend').toEqual([]);
    await context.close();
  });
});
