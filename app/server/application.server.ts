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

/** What `entry.server.tsx` exports beside its handlers: the application's start and end, called by the server entry. */
interface Lifecycle {
  /**
   * Opens the database and makes the application ready. Rejects with a message that says what to do.
   * @param engine the embedded engine, where it has been started already
   */
  boot(settings: Settings, log: Logger, engine?: Promise<EmbeddedEngine>): Promise<void>;
  /** Told of each answer, for the figures. */
  answered(request: AnsweredRequest): void;
  /** Finishes what runs and closes the database. */
  shutdown(): Promise<void>;
}

/** The folder of the program, beside whose `build` everything else lies. */
const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

/** Where a load balancer asks whether the process lives. */
const LIVENESS = '/healthz';

const STARTING = {
  status: 503,
  code: 'DATABASE_UNAVAILABLE',
  message: 'Vialbook is starting. Please try again in a moment.',
  // A browser asks again by itself.
  headers: { 'Retry-After': '1', Refresh: '2' },
};

/** The whole application, whichever server takes the connections. */
interface Application {
  settings: Settings;
  log: Logger;
  /** Answers from the first moment on: 503 until the start has ended, but for static files and the question whether it lives. */
  handler: RequestListener;
  /** Loads the pages and opens the database; a database that is away is waited for. Rejects when it cannot work. */
  start(): Promise<void>;
  /** Finishes what runs and closes the database. Called once, when no request runs any more. */
  stop(): Promise<void>;
}

/**
 * Reads the settings and makes the application.
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
      // Its thread opens the data while this one loads the pages.
      const engine = startEmbeddedEarly(settings, log);
      const build = load();
      const loaded = build.entry.module as unknown as Lifecycle;
      await loaded.boot(settings, log, engine);
      lifecycle = loaded;
      app.serve(build);
      // Whatever the level: it is what a person, or a script that starts the server, waits for.
      createLog('info').info(
        { url: settings.APP_URL },
        `Vialbook is running at ${settings.APP_URL} (demo at ${new URL('/demo', settings.APP_URL).href}, Ctrl+C stops it)`,
      );
    },
    // A start that has not ended has nothing under way that is worth waiting for.
    stop: async () => lifecycle?.shutdown(),
  };
}

/** A start that cannot work says why in words, as a line of the log like any other. */
export function tellFailedStart(error: unknown): void {
  createLog('info').fatal(error instanceof Error ? error.message : String(error));
}
