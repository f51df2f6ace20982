import type { Logger } from 'pino';
import type { ServerBuild } from '@remix-run/node';
import type { Settings } from '#app/domain/settings/settings.ts';
import { createLog } from '#app/platform/log/log.server.ts';
import type { AnsweredRequest } from '#app/platform/metrics/process-metrics.server.ts';
import type { EmbeddedEngine } from '#models/index.server.ts';

/** The application's start and end, which `entry.server.tsx` exports for our own server. */
export interface Lifecycle {
  /**
   * Opens the database and prepares the application. Rejects with a message that says what to do.
   * @param engine the embedded engine, if already started
   */
  boot(settings: Settings, log: Logger, engine?: Promise<EmbeddedEngine>): Promise<void>;
  /** The paths of the API's calls, which are behind one route of Remix. */
  apiPaths: readonly string[];
  /** Called for each response, for the metrics. */
  answered(request: AnsweredRequest): void;
  /** Finishes running work and closes the database. Called once, after the last request has ended. */
  shutdown(): Promise<void>;
}

/** What a build's `entry.server.tsx` exports beside Remix's own handlers. */
export const lifecycleOf = (build: ServerBuild): Lifecycle => {
  const { boot, apiPaths, answered, shutdown } = build.entry.module as ServerBuild['entry']['module'] &
    Lifecycle;
  return { boot, apiPaths, answered, shutdown };
};

/** The paths of everything that a build serves. */
export const pathsOf = (build: ServerBuild): string[] => [
  ...Object.values(build.routes).flatMap((route) => route?.path ?? []),
  ...lifecycleOf(build).apiPaths,
];

// On `globalThis`, because our server and the build that it loads are separate bundles.
const holder = globalThis as typeof globalThis & { vialbookHasOwnServer?: boolean };

/** Says that this process boots the application itself, which a build does when anything else loads it. */
export function markAsOwnServer(): void {
  holder.vialbookHasOwnServer = true;
}

/** Whether this process is our own server. */
export const hasOwnServer = (): boolean => holder.vialbookHasOwnServer === true;

/** Logs that the start has ended, at any log level, because people and scripts that start a server wait for this line. */
export function sayRunning({ APP_URL }: Settings): void {
  createLog('info').info(
    { url: APP_URL },
    `Vialbook is running at ${APP_URL} (demo at ${new URL('/demo', APP_URL).href}, Ctrl+C stops it)`,
  );
}

/** Logs why the start failed, as a line like any other. */
export function tellFailedStart(error: unknown): void {
  createLog('info').fatal(error instanceof Error ? error.message : String(error));
}
