import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';
import { ensureChromium, ensureShell } from '../../scripts/chromium.mjs';
import { startServer } from './server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    serverUrl: string;
    serverDataDir: string;
    browserEndpoint: string;
    /** The path of a complete Chromium, including push; the shared one may lack it. */
    wholeChromium: string;
  }
}

/** One built server with its own data directory and one Chromium, shared by all specs. */
export default async function setup(project: TestProject) {
  const wholeChromium = await ensureChromium();
  const server = await startServer({ env: { RATE_LIMIT_FACTOR: '100' } });
  const browser = await chromium.launchServer({
    executablePath: await ensureShell(),
    headless: true,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
  project.provide('serverUrl', server.url);
  project.provide('serverDataDir', server.dataDir);
  project.provide('browserEndpoint', browser.wsEndpoint());
  project.provide('wholeChromium', wholeChromium);
  return async () => {
    await browser.close();
    await server.stop();
  };
}
