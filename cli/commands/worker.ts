import type { Logger } from 'pino';
import { isAppError } from '#app/domain/errors.ts';
import { parseSettings } from '#app/domain/settings/settings.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { createLog, logProcessOutput } from '#app/platform/log/log.server.ts';
import { warnAboutRoot } from '#app/platform/process-control.server.ts';
import { processMetrics } from '#app/platform/metrics/process-metrics.server.ts';
import { onStopSignal } from '#app/platform/stop-signal.server.ts';
import { withSpans } from '#app/platform/telemetry/spans.server.ts';
import { startTelemetry } from '#app/platform/telemetry/telemetry.server.ts';
import { superviseWorker, jobsOf, WORKER } from '#app/server/worker.server.ts';
import { action, type Session, withCommonOptions } from '../command.ts';
import { withContext } from '../context.ts';
import type { Io } from '../io.ts';
import { EXIT, exitCodeOf, writeJson } from '../output.ts';

/** Resolves when the process is told to stop; rejects with an uncaught error. */
function untilStopped(): Promise<string> {
  return new Promise((resolve, reject) => {
    onStopSignal(resolve);
    for (const event of ['uncaughtException', 'unhandledRejection'] as const) process.on(event, reject);
  });
}

async function work(io: Io, log: Logger, json: boolean): Promise<void> {
  const stopped = untilStopped();
  // Nothing awaits this until the worker has started.
  stopped.catch(() => undefined);
  const settings = parseSettings(io.env);
  log.level = settings.LOG_LEVEL;
  warnAboutRoot(log);
  const telemetry = await startTelemetry('worker', io.env, { log, process: processMetrics() });
  const perform = async (ctx: Ctx) => {
    // Keeps the process alive; a waiting worker does not.
    const alive = setInterval(() => undefined, 60_000);
    const worker = superviseWorker({ ...ctx, ...WORKER, timeZone: 'UTC' }, jobsOf(settings));
    ctx.server.start('worker');
    if (json) await writeJson(io, { working: true, pid: process.pid });
    log.info(
      { pid: process.pid },
      'Working. Ctrl+C or SIGTERM stops the worker once running jobs are finished.',
    );
    try {
      log.info({ reason: await stopped }, 'stopping');
    } finally {
      await worker.stop();
      await ctx.server.stop();
      clearInterval(alive);
    }
  };
  const wraps = telemetry.hasTraces ? { wraps: withSpans } : {};
  try {
    await withContext(io, perform, { waits: true, log, opensSecrets: true, ...wraps });
  } finally {
    await telemetry.stop();
  }
}

/** As a long-running process, it writes all its output as JSON lines to stdout. */
async function run(io: Io, { json = false }: { json?: boolean }): Promise<number> {
  const log = createLog('info');
  logProcessOutput(log);
  try {
    await work(io, log, json);
    return EXIT.done;
  } catch (error) {
    log.fatal(
      isAppError(error) ? {} : { err: error },
      error instanceof Error ? error.message : String(error),
    );
    return exitCodeOf(error);
  }
}

const HELP = `
Examples:
  vialbook worker
  DATA_DIR=/srv/vialbook vialbook worker --json`;

/** Adds `vialbook worker`. */
export function register(session: Session): void {
  const command = session.program
    .command('worker')
    .description(
      'Run the background jobs (reminders, missed doses, cleanup) until stopped. The web server runs them, too; any number of workers may run alongside it.',
    );
  command.addHelpText('after', HELP);
  withCommonOptions(command, { quiet: false }).action(
    action(session, (options: { json?: boolean }) => run(session.io, options)),
  );
}
