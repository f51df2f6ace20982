import { parseSettings } from '#app/domain/settings/settings.ts';
import { createLog } from '#app/platform/log/log.server.ts';
import { onStopSignal } from '#app/platform/stop-signal.server.ts';
import { boot, shutdown } from './bootstrap.server.ts';
import { tellFailedStart } from './lifecycle.server.ts';

/**
 * Starts the application when a server other than ours has loaded the build. That server listens, serves the browser's files and stops
 * accepting requests on a signal; docs/operating.md says what else it lacks.
 * @throws AppError INVALID_INPUT for a wrong setting, DATABASE_UNAVAILABLE
 */
export async function startBehindForeignServer(): Promise<void> {
  try {
    const settings = parseSettings(process.env);
    const log = createLog(settings.LOG_LEVEL);
    // For servers that would otherwise listen on every interface.
    process.env.HOST ||= settings.HOST;
    await boot(settings, log);
    onStopSignal((signal) => {
      log.info({ reason: signal }, 'stopping');
      shutdown().catch((error: unknown) => log.error({ err: error }, 'stop failed'));
    });
    log.info('Vialbook has started; its server can listen');
  } catch (error) {
    tellFailedStart(error);
    throw error;
  }
}
