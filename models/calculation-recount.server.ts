import type { HistoryEntry } from '#app/domain/calculator/history-schema.ts';
import type { CalculationCounters, CounterState } from './calculation-counter.repository.server.ts';
import { nameKeyOf, UNNAMED } from './calculation-row.server.ts';
import type { Share, Shelf, ShelfTotals } from './calculation-scope.server.ts';
import type { CalculationTallies, TallySet } from './calculation-tally.repository.server.ts';

const NANO = 1_000_000_000;

/** What a calculation adds to the totals; the same numbers are taken off when it is removed. */
export function shareOf(entry: Pick<HistoryEntry, 'peptideName' | 'createdAt' | 'concentration'>): Share {
  const whole = Math.floor(entry.concentration);
  return {
    nameKey: nameKeyOf(entry.peptideName),
    day: entry.createdAt.toISOString().slice(0, 10),
    concentrationWhole: whole,
    concentrationNano: Math.round((entry.concentration - whole) * NANO),
  };
}

/** A write that began before this age and has not ended was cut off. */
const CUT_OFF_MS = 60_000;

/** Whether the totals may be wrong because a write was cut off between its steps. */
export function needsRecount(state: CounterState, now: Date): boolean {
  return state.pending.some((write) => now.getTime() - write.at.getTime() > CUT_OFF_MS);
}

const BATCH = 1000;

/** Writes the names' tallies in pieces. The names come in order, so only the last piece is held. */
function nameWriter(tallies: CalculationTallies, set: TallySet) {
  let piece: [string, number][] = [];
  let names = 0;
  const flush = async () => {
    await tallies.write(set, 'name', piece);
    piece = [];
  };
  return {
    async add(nameKey: string): Promise<void> {
      const last = piece.at(-1);
      if (last?.[0] === nameKey) {
        last[1] += 1;
        return;
      }
      names += 1;
      if (piece.length >= BATCH) await flush();
      piece.push([nameKey, 1]);
    },
    async end(): Promise<number> {
      await flush();
      return names;
    },
  };
}

/** Tallies all rows into a new set. */
async function countRows(
  tallies: CalculationTallies,
  set: TallySet,
  batches: AsyncIterable<HistoryEntry[]>,
): Promise<ShelfTotals> {
  const totals: ShelfTotals = { total: 0, names: 0, concentrationWhole: 0, concentrationNano: 0 };
  const days = new Map<string, number>();
  const names = nameWriter(tallies, set);
  for await (const batch of batches) {
    for (const row of batch) {
      const share = shareOf(row);
      totals.total += 1;
      totals.concentrationWhole += share.concentrationWhole;
      totals.concentrationNano += share.concentrationNano;
      days.set(share.day, (days.get(share.day) ?? 0) + 1);
      if (share.nameKey !== UNNAMED) await names.add(share.nameKey);
    }
  }
  totals.names = await names.end();
  await tallies.write(set, 'day', [...days]);
  return totals;
}

/**
 * Counts a shelf anew from its rows. The new tallies stand beside the old ones until the totals are switched in one
 * update, which fails when a write came between; the next reader then tries again.
 * @param batches the shelf's rows in order of their names
 * @returns whether the totals were replaced
 */
export async function recount(
  { counters, tallies }: { counters: CalculationCounters; tallies: CalculationTallies },
  shelf: Shelf,
  state: CounterState,
  batches: AsyncIterable<HistoryEntry[]>,
): Promise<boolean> {
  // Random, so that two recounts at once do not write into each other's set.
  const generation = Math.floor(Math.random() * Number.MAX_SAFE_INTEGER);
  const totals = await countRows(tallies, { shelf, generation }, batches);
  const replaced = await counters.replace(shelf, state, generation, totals);
  await tallies.drop({ shelf, generation: replaced ? state.generation : generation });
  return replaced;
}
