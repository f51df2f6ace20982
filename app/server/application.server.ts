import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RequestListener } from 'node:http';
import type { Logger } from 'pino';
import type { ServerBuild } from '@remix-run/node';
import type { AnsweredRequest } from '#app/platform/metrics/process-metrics.server.ts';
import type { EmbeddedEngine } from '#models/index.server.ts';
import { type Settings, parseSettings } from '#app/domain/settings/settings.ts';
import { createLog, logProcessOutput } from '#app/platform/log/log.server.ts';
import { startEmbeddedEarly } from '#models/embedded.server.ts';
import { createApp } from './app.server.ts';
import { refuse } from './request-guard.server.ts';

/** The application's start and end, which `entry.server.tsx` exports for the server entry. */
interface Lifecycle {
  /**
   * Opens the database and prepares the application. Rejects with a message that says what to do.
   * @param engine the embedded engine, if already started
   */
  boot(settings: Settings, log: Logger, engine?: Promise<EmbeddedEngine>): Promise<void>;
  /** Called for each response, for the metrics. */
  answered(request: AnsweredRequest): void;
  /** Finishes running work and closes the database. */
  shutdown(): Promise<void>;
}

/** The program's folder, which contains `build`. */
const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

/** The address for a load balancer's liveness check. */
const LIVENESS = '/healthz';

const STARTING = {
  status: 503,
  code: 'DATABASE_UNAVAILABLE',
  message: 'Vialbook is starting. Please try again in a moment.',
  // Browsers retry automatically.
  headers: { 'Retry-After': '1', Refresh: '2' },
};

/** The whole application, independent of the server that accepts the connections. */
interface Application {
  settings: Settings;
  log: Logger;
  /** Works from the beginning: 503 until startup has ended, except for static files and the liveness check. */
  handler: RequestListener;
  /** Loads the pages and opens the database, waiting for an unavailable one. Rejects if the application cannot run. */
  start(): Promise<void>;
  /** Finishes running work and closes the database. Called once, after the last request has ended. */
  stop(): Promise<void>;
}

/**
 * Reads the settings and creates the application.
 * @param load gives the Remix build, whose import takes most of a start
 * @throws AppError INVALID_INPUT for a wrong setting
 */
export function createApplication(load: () => ServerBuild): Application {
  const settings = parseSettings(process.env);
  const log = createLog(settings.LOG_LEVEL);
  logProcessOutput(log);
  let lifecycle: Lifecycle | null = null;
  const app = createApp({
    settings,
    log,
    clientDirectory: path.join(ROOT, 'build/client'),
    answered: (request) => lifecycle?.answered(request),
    starting(request, response) {
      if (request.path === LIVENESS)
        response.type('text/plain').set('Cache-Control', 'no-store').send('ok\n');
      else refuse(request, response, STARTING);
    },
  });
  return {
    settings,
    log,
    handler: app.handler,
    async start() {
      // The engine's thread opens the data while this one loads the pages.
      const engine = startEmbeddedEarly(settings, log);
      const build = load();
      const loaded = build.entry.module as unknown as Lifecycle;
      await loaded.boot(settings, log, engine);
      lifecycle = loaded;
      app.serve(build);
      // At any log level, because people and scripts that start the server wait for this line.
      createLog('info').info(
        { url: settings.APP_URL },
        `Vialbook is running at ${settings.APP_URL} (demo at ${new URL('/demo', settings.APP_URL).href}, Ctrl+C stops it)`,
      );
    },
    // Before startup has ended there is nothing to finish; the engine closes itself when the process exits.
    stop: async () => lifecycle?.shutdown(),
  };
}

/** Logs why the start failed, as a line like any other. */
export function tellFailedStart(error: unknown): void {
  createLog('info').fatal(error instanceof Error ? error.message : String(error));
}
