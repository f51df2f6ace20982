import { DAY_MS, HOUR_MS, MINUTE_MS } from '#app/domain/time/calendar.ts';
import { authorise } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { repos } from './repositories.server.ts';

export const COMPACT_JOB = 'compact-database';
/** How long a silent worker keeps others from compacting. */
const LEASE_MS = HOUR_MS;
/** Longer than the two minutes for which the database keeps the results of writes, for clients that retry them. */
const SETTLED_MS = 5 * MINUTE_MS;
/** A file that is more than half free is compacted even without a deletion, if at least this much is free. */
const LOOSE_BYTES = 64 * 1024 * 1024;

/**
 * Compacts the embedded database, at most once a day, when an account has been deleted since the last time or most of the
 * file is free. Until then, the free parts of the file still contain deleted data. A job of the worker.
 * @returns whether it was compacted
 * @throws AppError FORBIDDEN; Error when it failed, for example on a full disk; the next attempt follows in an hour
 */
export async function compactWhenDue(ctx: Ctx): Promise<boolean> {
  authorise(ctx.actor, 'system.compact');
  const { dataFile, jobRuns, processSignals } = repos(ctx);
  const began = ctx.now();
  const later = (ms: number) => new Date(began.getTime() + ms);
  const size = await dataFile.size();
  if (size === null) return false;
  const signal = await processSignals.find(COMPACT_JOB);
  const isAsked = signal !== null && signal.askedAt <= later(-SETTLED_MS);
  const isLoose = size.freeBytes > LOOSE_BYTES && size.freeBytes > size.fileBytes / 2;
  if (!isAsked && !isLoose) return false;
  if (!(await jobRuns.takeTurn(COMPACT_JOB, began, later(LEASE_MS)))) return false;
  const report = await dataFile.compact();
  await jobRuns.keepTurn(COMPACT_JOB, later(DAY_MS));
  if (signal !== null && isAsked) await processSignals.fulfil(COMPACT_JOB, signal.count);
  ctx.log.info({ before: report?.before.fileBytes, after: report?.after.fileBytes }, 'database compacted');
  return true;
}
