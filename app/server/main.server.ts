import { createServer } from 'node:http';
import path from 'node:path';
import { existsSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Logger } from 'pino';
import type { ServerBuild } from '@remix-run/node';
import { parseSettings, type Settings } from '#app/domain/settings/settings.ts';
import { createLog, logProcessOutput } from '#app/platform/log/log.server.ts';
import { startEmbeddedEarly } from '#models/store/embedded.server.ts';
import { createApp, staticFiles } from './app.server.ts';
import {
  lifecycleOf,
  markAsOwnServer,
  pathsOf,
  sayRunning,
  tellFailedStart,
  type Lifecycle,
} from './lifecycle.server.ts';
import { CONNECTION_TIMES, listen } from './listen.server.ts';

/** The program's folder, which contains `build`. */
const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const PAGES = path.join(ROOT, 'build/server/index.js');

/** Loads the pages and opens the database, waiting for an unavailable one. */
async function load(settings: Settings, log: Logger): Promise<{ build: ServerBuild; lifecycle: Lifecycle }> {
  if (!existsSync(PAGES))
    throw new Error('There is no build yet. Run "npm run build", or start with "npm start".');
  // The engine's thread opens the data while this one loads the pages.
  const engine = startEmbeddedEarly(settings, log);
  // `boot` reports why it failed; until then nobody else would listen.
  engine?.catch(() => undefined);
  const build = (await import(pathToFileURL(PAGES).href)) as ServerBuild;
  const lifecycle = lifecycleOf(build);
  await lifecycle.boot(settings, log, engine);
  return { build, lifecycle };
}

/** Accepts connections at once, starts the application behind them, and serves it until a signal ends it. */
async function serve(): Promise<void> {
  const environment = process.env;
  environment.NODE_ENV ??= 'production';
  const settings = parseSettings(environment);
  const log = createLog(settings.LOG_LEVEL);
  logProcessOutput(log);
  markAsOwnServer();
  let lifecycle: Lifecycle | null = null;
  const app = createApp({
    settings,
    log,
    files: staticFiles(path.join(ROOT, 'build/client')),
    answered: (request) => lifecycle?.answered(request),
  });
  await listen(createServer(CONNECTION_TIMES, app.handler), settings, {
    log,
    // Before the start has ended there is nothing to finish; the engine closes itself when the process exits.
    onClose: async () => lifecycle?.shutdown(),
    exit: (code) => process.exit(code),
  });
  const loaded = await load(settings, log);
  lifecycle = loaded.lifecycle;
  app.serve({ build: loaded.build, mode: 'production' }, pathsOf(loaded.build));
  sayRunning(settings);
}

serve().catch((error: unknown) => {
  tellFailedStart(error);
  process.exit(1);
});
