import { isAppError } from '#app/domain/errors.ts';
import { purgeDueAccounts } from './account-purge.server.ts';
import type { Ctx } from './context.server.ts';
import { clearOverSessions } from './session-ending.server.ts';

const EVERY_MS = 10 * 60_000;

/**
 * Clears away what is over, at once and then every ten minutes, for as long as the process runs. Any number of
 * processes may do so at the same time.
 * @returns a function that ends it
 */
export function startHousekeeping(ctx: Ctx, everyMs = EVERY_MS): () => void {
  const run = () => {
    for (const step of [clearOverSessions, purgeDueAccounts]) {
      step(ctx).catch((error: unknown) => {
        // Without a database there is nothing to clear; the next round tries again.
        if (!isAppError(error)) ctx.log.error({ err: error, step: step.name }, 'housekeeping failed');
      });
    }
  };
  run();
  const timer = setInterval(run, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}
