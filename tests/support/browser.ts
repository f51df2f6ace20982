import { AxeBuilder } from '@axe-core/playwright';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { afterAll, expect, inject } from 'vitest';

let shared: Promise<Browser> | undefined;

/** The suite's one Chromium, connected once a test file. */
export function connectBrowser(): Promise<Browser> {
  shared ??= chromium.connect(inject('browserEndpoint'));
  return shared;
}

afterAll(async () => {
  await (await shared)?.close();
  shared = undefined;
});

export interface View {
  scripts: boolean;
  width: number;
  height: number;
  dark?: boolean;
}

export const PHONE = { width: 360, height: 640 };
export const DESKTOP = { width: 1280, height: 800 };

/**
 * A fresh browser profile on the shared server. Errors of the page's own scripts and policy violations are collected
 * and asserted by {@link expectQuiet}.
 */
export async function openPage(
  view: View,
): Promise<{ context: BrowserContext; page: Page; problems: string[] }> {
  const browser = await connectBrowser();
  const context = await browser.newContext({
    baseURL: inject('serverUrl'),
    javaScriptEnabled: view.scripts,
    viewport: { width: view.width, height: view.height },
    colorScheme: view.dark ? 'dark' : 'light',
    acceptDownloads: true,
  });
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    // A page that answers 400 or 404 is announced by the browser itself; that is the answer under test.
    const announced = /Failed to load resource: the server responded with a status of 4\d\d/.test(
      message.text(),
    );
    if (message.type() === 'error' && !announced) problems.push(message.text());
  });
  return { context, page, problems };
}

/** Nothing scrolls sideways and axe finds nothing. */
export async function expectSoundPage(page: Page, where: string, scripts: boolean): Promise<void> {
  if (!scripts) return;
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(overflow, `${where}: sideways scrolling`).toBeLessThanOrEqual(0);
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(
    violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`),
    `${where}: axe`,
  ).toEqual([]);
}
