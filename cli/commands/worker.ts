import { parseSettings } from '#app/domain/settings/settings.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { superviseWorker } from '#app/server/worker-supervisor.server.ts';
import { jobsOf, WORKER } from '#app/server/worker.server.ts';
import { action, type Session, withCommonOptions } from '../command.ts';
import { withContext } from '../context.ts';
import { type Io, write } from '../io.ts';
import { EXIT, writeJson } from '../output.ts';

/** Resolves when the process is asked to end. */
function untilStopped(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve(signal));
  });
}

async function run(io: Io, { json }: { json?: boolean }): Promise<number> {
  const stopped = untilStopped();
  const work = async (ctx: Ctx) => {
    // Nothing else keeps this process alive: a waiting worker does not.
    const alive = setInterval(() => undefined, 60_000);
    const worker = superviseWorker({ ...ctx, ...WORKER, timeZone: 'UTC' }, jobsOf(parseSettings(io.env)));
    ctx.server.start('worker');
    if (json) await writeJson(io, { working: true, pid: process.pid });
    else await write(io.stderr, 'Working. Stop with Ctrl+C; what runs then is finished.\n');
    await stopped;
    await worker.stop();
    await ctx.server.stop();
    clearInterval(alive);
    return EXIT.done;
  };
  return withContext(io, work, { waits: true });
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
      'Do the background jobs (reminders, missed doses, clearing away) until stopped. The web server does them, too; any number of workers may run beside it.',
    );
  command.addHelpText('after', HELP);
  withCommonOptions(command).action(
    action(session, (options: { json?: boolean }) => run(session.io, options)),
  );
}
