import { chmodSync, mkdirSync } from 'node:fs';
import { AppError } from '#app/domain/errors.ts';
import type { Log } from '#app/domain/log.ts';
import type { Settings } from '#app/domain/settings/settings.ts';
import { EngineStartError, startEngine, type EngineHandle } from '../engine/index.ts';

/** The engine running in this process. */
export type EmbeddedEngine = EngineHandle;

/** Creates the data directory if it is missing; only its owner may read it. */
function prepareDirectory(directory: string): void {
  try {
    const made = mkdirSync(directory, { recursive: true, mode: 0o700 });
    if (made !== undefined) chmodSync(directory, 0o700);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new AppError(
      'DATABASE_UNAVAILABLE',
      `The data directory "${directory}" cannot be created: ${reason}`,
      {
        cause: error,
      },
    );
  }
}

/**
 * Starts the embedded engine, which needs neither models nor the driver: a server does this before loading them, so that
 * the engine's thread starts in parallel.
 * @throws AppError DATABASE_UNAVAILABLE with what to do
 */
export async function startEmbedded(directory: string, log: Log): Promise<EmbeddedEngine> {
  // Synchronously: this thread is about to be busy loading the program.
  prepareDirectory(directory);
  try {
    return await startEngine({
      dir: directory,
      log: (entry) => log[entry.level](entry.fields ?? {}, entry.message),
      onLost: (error) => log.error({ err: error }, 'the database engine stopped unexpectedly'),
    });
  } catch (error) {
    if (!(error instanceof EngineStartError)) throw error;
    throw new AppError('DATABASE_UNAVAILABLE', error.message, { cause: error });
  }
}

/** Starts the engine unless the settings name a deployment; undefined if they do. See `startEmbedded`. */
export function startEmbeddedEarly(
  settings: Pick<Settings, 'MONGODB_URI' | 'DATA_DIR'>,
  log: Log,
): Promise<EmbeddedEngine> | undefined {
  return settings.MONGODB_URI === undefined ? startEmbedded(settings.DATA_DIR, log) : undefined;
}
