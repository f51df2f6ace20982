import type { Connection } from 'mongoose';
import type { HistoryEntry } from '#app/domain/calculator/history-schema.ts';
import { createCalculationCounters } from './calculation-counter.repository.server.ts';
import { createCalculationReader, type CalculationScope } from './calculation-reader.server.ts';
import { shareOf } from './calculation-recount.server.ts';
import type { NewCalculation } from './calculation-row.server.ts';
import type { Share } from './calculation-scope.server.ts';
import { createCalculationTallies } from './calculation-tally.repository.server.ts';
import { createTotalsReader } from './calculation-totals.server.ts';
import { createCalculationWriter } from './calculation-writer.server.ts';
import type { OpenWrite } from './calculation-counter.repository.server.ts';

/**
 * A user's calculations together with their totals: every write goes through here, so that none forgets to count.
 * A write notes its beginning in the totals' document and its end in the same document; one that was cut off between
 * the two is found by the next reader, who counts the rows anew.
 */
export function createCalculationBook(connection: Connection) {
  const reader = createCalculationReader(connection);
  const writer = createCalculationWriter(connection);
  const counters = createCalculationCounters(connection);
  const tallies = createCalculationTallies(connection);

  async function finish(write: OpenWrite, share: Share | null, by: 1 | -1): Promise<void> {
    if (share === null) return counters.finish(write, {});
    const names = await tallies.count(write, share, by);
    return counters.finish(write, {
      total: by,
      names,
      concentrationWhole: by * share.concentrationWhole,
      concentrationNano: by * share.concentrationNano,
    });
  }

  async function clearSignIn(userId: string, signInId: string): Promise<void> {
    await writer.removeSignIn(userId, signInId);
    await counters.clear({ userId, signInId });
    await tallies.clear({ userId, signInId });
  }

  return {
    ...reader,
    ...createTotalsReader(reader, { counters, tallies }),

    /** Writes a calculation, once for each save key of the owner. */
    async add(calculation: NewCalculation, now: Date): Promise<{ entry: HistoryEntry; isNew: boolean }> {
      const { userId, signInId } = calculation;
      const write = await counters.begin({ userId, signInId }, calculation.id, now);
      const result = await writer.insert(calculation);
      await finish(write, result.isNew ? shareOf(result.entry) : null, 1);
      return result;
    },

    /** Removes a calculation. @returns what was removed, null when there was nothing */
    async remove(scope: CalculationScope, id: string, now: Date): Promise<HistoryEntry | null> {
      const found = await reader.find(scope, id);
      if (found === null) return null;
      const shelf = { userId: scope.userId, signInId: found.isSessionOnly ? scope.signInId : null };
      const write = await counters.begin(shelf, id, now);
      const removed = await writer.remove(shelf, id);
      await finish(write, removed === null ? null : shareOf(removed), -1);
      return removed;
    },

    /** Removes all that belongs to a sign-in. */
    clearSignIn,

    /** Keeps for good what belongs to one of the owner's sign-ins, or to any of them. */
    async keep(userId: string, signInId?: string): Promise<void> {
      const moved = await writer.keep(userId, signInId);
      if (moved > 0) await counters.markStale({ userId, signInId: null });
      const signIns = signInId === undefined ? await counters.listSignIns(userId) : [signInId];
      for (const id of signIns) {
        await counters.clear({ userId, signInId: id });
        await tallies.clear({ userId, signInId: id });
      }
    },
  };
}

export type CalculationBook = ReturnType<typeof createCalculationBook>;
