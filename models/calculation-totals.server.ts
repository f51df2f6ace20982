import type { CalculationCounters, CounterState } from './calculation-counter.repository.server.ts';
import type { InstantRange } from '#app/domain/time/days.ts';
import { dayPieces } from './day-pieces.server.ts';
import { needsRecount, recount } from './calculation-recount.server.ts';
import type { Shelf, ShelfTotals } from './calculation-scope.server.ts';
import type { CalculationTallies } from './calculation-tally.repository.server.ts';
import type { CalculationReader, CalculationScope } from './calculation-reader.server.ts';

/** Totals over everything that a scope shows. */
export interface CalculationTotals extends ShelfTotals {
  /** Made in the seven times 24 hours before now. */
  lastWeek: number;
}

/** A shelf with its counter. */
interface Counted {
  shelf: Shelf;
  state: CounterState;
}

const DAY_MS = 86_400_000;

/** Reads totals, and counts anew where a write was cut off. */
export function createTotalsReader(
  reader: CalculationReader,
  books: { counters: CalculationCounters; tallies: CalculationTallies },
) {
  const { counters, tallies } = books;

  async function counted(shelf: Shelf, now: Date): Promise<Counted> {
    const state = await counters.read(shelf);
    if (!needsRecount(state, now)) return { shelf, state };
    await recount(books, shelf, state, reader.streamShelf(shelf));
    return { shelf, state: await counters.read(shelf) };
  }

  function shelvesOf({ userId, signInId }: CalculationScope, now: Date): Promise<Counted[]> {
    const signIns = signInId === null ? [null] : [null, signInId];
    return Promise.all(signIns.map((id) => counted({ userId, signInId: id }, now)));
  }

  /** Names that stand on both shelves. */
  async function sharedNames([kept, session]: Counted[]): Promise<number> {
    if (kept === undefined || session === undefined || session.state.names === 0) return 0;
    const keys = await tallies.nameKeys({ shelf: session.shelf, generation: session.state.generation });
    return tallies.countNames({ shelf: kept.shelf, generation: kept.state.generation }, keys);
  }

  /** Whole days of UTC from the tallies, the rest of the first and last day from the rows. */
  async function countIn(scope: CalculationScope, shelves: Counted[], range: InstantRange): Promise<number> {
    const { days, rests } = dayPieces(range);
    const sets = shelves.map(({ shelf, state }) => ({ shelf, generation: state.generation }));
    const parts = await Promise.all([
      ...rests.map((rest) => reader.countDuring(scope, rest)),
      ...(days === null ? [] : sets.map((set) => tallies.sumDays(set, days.from, days.before))),
    ]);
    return parts.reduce((sum, part) => sum + part, 0);
  }

  return {
    /** How many calculations a scope shows. */
    async countAll(scope: CalculationScope, now: Date): Promise<number> {
      return (await shelvesOf(scope, now)).reduce((sum, { state }) => sum + state.total, 0);
    },

    /** How many calculations were made during a range; a long history costs no more than its days. */
    async countRange(scope: CalculationScope, range: InstantRange, now: Date): Promise<number> {
      return countIn(scope, await shelvesOf(scope, now), range);
    },

    /** All totals of a scope. */
    async totals(scope: CalculationScope, now: Date): Promise<CalculationTotals> {
      const shelves = await shelvesOf(scope, now);
      const lastWeek = { from: new Date(now.getTime() - 7 * DAY_MS), before: null };
      const [shared, week] = await Promise.all([sharedNames(shelves), countIn(scope, shelves, lastWeek)]);
      const sum = (field: keyof ShelfTotals) => shelves.reduce((total, { state }) => total + state[field], 0);
      return {
        total: sum('total'),
        names: sum('names') - shared,
        concentrationWhole: sum('concentrationWhole'),
        concentrationNano: sum('concentrationNano'),
        lastWeek: week,
      };
    },
  };
}
