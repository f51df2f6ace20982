import type { TestProject } from 'vitest/node';
import { ensureChromium, ensureShell } from '../../scripts/chromium.mjs';
import { startServer } from './server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    serverUrl: string;
    serverDataDir: string;
    /** The path of a Chromium for pages, which may lack push. */
    shellChromium: string;
    /** The path of a complete Chromium, including push. */
    wholeChromium: string;
  }
}

/** One built server with its own data directory, shared by all specs, and the Chromiums that they start. */
export default async function setup(project: TestProject) {
  const server = await startServer({ env: { RATE_LIMIT_FACTOR: '100' } });
  project.provide('serverUrl', server.url);
  project.provide('serverDataDir', server.dataDir);
  project.provide('shellChromium', await ensureShell());
  project.provide('wholeChromium', await ensureChromium());
  return async () => {
    await server.stop();
  };
}
