import { DAY_MS, HOUR_MS, MINUTE_MS } from '#app/domain/time/calendar.ts';
import { authorise } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';

export const COMPACT_JOB = 'compact-database';
/** How long a worker that has gone silent keeps others from compacting. */
const LEASE_MS = HOUR_MS;
/** The database remembers for two minutes what a write has answered, for a client that tries it again. */
const SETTLED_MS = 5 * MINUTE_MS;
/** A file that is more than half free is compacted without a deletion, if that is worth the effort. */
const LOOSE_BYTES = 64 * 1024 * 1024;

/**
 * Compacts the embedded database when an account has been deleted since the last time, or when most of the file is free;
 * once a day at most. The free parts of the file hold what was deleted until then. A job of the worker.
 * @returns whether it was compacted
 * @throws AppError FORBIDDEN; Error when it failed, for instance on a full disk: the next attempt follows in an hour
 */
export async function compactWhenDue(ctx: Ctx): Promise<boolean> {
  authorise(ctx.actor, 'system.compact');
  const { dataFile, jobRuns, processSignals } = ctx.repos;
  const began = ctx.now();
  const later = (ms: number) => new Date(began.getTime() + ms);
  const size = await dataFile.size();
  if (size === null) return false;
  const asked = await processSignals.find(COMPACT_JOB);
  const isAsked = asked !== null && asked.askedAt <= later(-SETTLED_MS);
  const isLoose = size.freeBytes > LOOSE_BYTES && size.freeBytes > size.fileBytes / 2;
  if (!isAsked && !isLoose) return false;
  if (!(await jobRuns.takeTurn(COMPACT_JOB, began, later(LEASE_MS)))) return false;
  const report = await dataFile.compact();
  await jobRuns.keepTurn(COMPACT_JOB, later(DAY_MS));
  if (asked !== null && isAsked) await processSignals.fulfil(COMPACT_JOB, asked.count);
  ctx.log.info({ before: report?.before.fileBytes, after: report?.after.fileBytes }, 'database compacted');
  return true;
}
