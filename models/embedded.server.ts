import { chmodSync, mkdirSync } from 'node:fs';
import { AppError } from '#app/domain/errors.ts';
import type { Log } from '#app/domain/log.ts';
import type { Settings } from '#app/domain/settings/settings.ts';
import { EngineStartError, startEngine, type EngineHandle } from './engine/index.ts';

/** The engine of this process, running. */
export interface EmbeddedEngine extends EngineHandle {
  /** Sets who is told when the engine, having died, answers again. */
  whenStartedAgain(tell: () => void): void;
}

/** Creates the data directory if it is missing; only its owner may read it. */
function prepareDirectory(directory: string): void {
  try {
    const made = mkdirSync(directory, { recursive: true, mode: 0o700 });
    if (made !== undefined) chmodSync(directory, 0o700);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new AppError(
      'DATABASE_UNAVAILABLE',
      `The data directory "${directory}" cannot be made: ${reason}`,
      {
        cause: error,
      },
    );
  }
}

/**
 * Starts the embedded engine, which no model and no driver is needed for: a server does it before it loads them, so that
 * the engine's thread works meanwhile.
 * @throws AppError DATABASE_UNAVAILABLE with what to do
 */
export async function startEmbedded(directory: string, log: Log): Promise<EmbeddedEngine> {
  // At once, and not when this thread has time again: it is about to load the program.
  prepareDirectory(directory);
  let told: (() => void) | null = null;
  try {
    const engine = await startEngine({
      dir: directory,
      log: (entry) => log[entry.level](entry.fields ?? {}, entry.message),
      onLost: (error) => log.error({ err: error }, 'the database engine ended'),
      onStartedAgain: () => told?.(),
    });
    return { ...engine, whenStartedAgain: (tell) => (told = tell) };
  } catch (error) {
    if (!(error instanceof EngineStartError)) throw error;
    throw new AppError('DATABASE_UNAVAILABLE', error.message, { cause: error });
  }
}

/** Starts the engine where the settings name no deployment; undefined where they do. See `startEmbedded`. */
export function startEmbeddedEarly(
  settings: Pick<Settings, 'MONGODB_URI' | 'DATA_DIR'>,
  log: Log,
): Promise<EmbeddedEngine> | undefined {
  return settings.MONGODB_URI === undefined ? startEmbedded(settings.DATA_DIR, log) : undefined;
}
