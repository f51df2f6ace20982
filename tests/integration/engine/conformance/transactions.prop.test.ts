import fc from 'fast-check';
import type { ClientSession, Collection } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { failureOf, useEngine } from '#tests/support/engine.ts';
import { sized } from '#tests/support/size.ts';

const engine = useEngine();

type Key = 'a' | 'b' | 'c' | 'd';

interface Cell {
  _id: Key | 'order';
  n: number;
}

type Step =
  | { do: 'read' | 'remove' | 'sum' | 'list'; key: Key }
  | { do: 'add' | 'put' | 'insert' | 'take'; key: Key; n: number };

interface Act {
  steps: Step[];
  /** How it ends; a second commit must change nothing. */
  end: 'commit' | 'commit twice' | 'abort';
}

/** What a client does: transactions, and writes and reads of their own. */
type Deed = Act | 'write' | 'read';

type State = Map<string, number>;

/** What one deed has seen. `order` counts the deeds that were stored, so it names the state that it must have seen. */
interface Seen {
  order: number;
  isStored: boolean;
  steps: Step[];
  answers: unknown[];
}

const key = fc.constantFrom<Key>('a', 'b', 'c', 'd');
const n = fc.integer({ min: -9, max: 9 });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constantFrom('read' as const, 'remove' as const, 'sum' as const, 'list' as const),
    key,
  }),
  fc.record({
    do: fc.constantFrom('add' as const, 'put' as const, 'insert' as const, 'take' as const),
    key,
    n,
  }),
);
const deed: fc.Arbitrary<Deed> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      steps: fc.array(step, { maxLength: 6 }),
      end: fc.constantFrom('commit' as const, 'commit twice' as const, 'abort' as const),
    }),
  },
  { weight: 1, arbitrary: fc.constantFrom('write' as const, 'read' as const) },
);

const DUPLICATE = 'duplicate';

/** What a step answers and changes, one after the other. */
function onModel(state: State, { do: what, key: id, ...rest }: Step): unknown {
  const value = 'n' in rest ? rest.n : 0;
  const before = state.get(id);
  switch (what) {
    case 'read':
      return before ?? null;
    case 'sum':
      return [...state].reduce((sum, [name, each]) => (name === 'order' ? sum : sum + each), 0);
    case 'list':
      return [...state].filter(([name]) => name !== 'order').sort();
    case 'remove':
      return Number(state.delete(id));
    case 'add':
      state.set(id, (before ?? 0) + value);
      return before === undefined ? 0 : 1;
    case 'put':
      if (before !== undefined) state.set(id, value);
      return Number(before !== undefined);
    case 'take':
      if (before !== undefined) state.set(id, before - value);
      return before ?? null;
    case 'insert':
      if (before !== undefined) return DUPLICATE;
      state.set(id, value);
      return 1;
  }
}

async function onEngine(cells: Collection<Cell>, step: Step, session: ClientSession): Promise<unknown> {
  const _id = step.key;
  const value = 'n' in step ? step.n : 0;
  const others = { _id: { $ne: 'order' as const } };
  switch (step.do) {
    case 'read':
      return (await cells.findOne({ _id }, { session }))?.n ?? null;
    case 'sum': {
      const stages = [{ $match: others }, { $group: { _id: null, sum: { $sum: '$n' } } }];
      const [total] = await cells.aggregate<{ sum: number }>(stages, { session }).toArray();
      return total?.sum ?? 0;
    }
    case 'list': {
      const all = await cells.find(others, { session, batchSize: 2, sort: { _id: 1 } }).toArray();
      return all.map((cell) => [cell._id, cell.n]);
    }
    case 'remove':
      return (await cells.deleteOne({ _id }, { session })).deletedCount;
    case 'add':
      return (await cells.updateOne({ _id }, { $inc: { n: value } }, { session, upsert: true })).matchedCount;
    case 'put':
      return (await cells.updateMany({ _id }, { $set: { n: value } }, { session })).matchedCount;
    case 'take':
      return (await cells.findOneAndUpdate({ _id }, { $inc: { n: -value } }, { session }))?.n ?? null;
    case 'insert': {
      const inserting = cells.insertOne({ _id, n: value }, { session });
      return inserting.then(
        () => 1,
        (error: { code?: number }) => (error.code === 11000 ? DUPLICATE : Promise.reject(error)),
      );
    }
  }
}

/** The next place in the order of stored deeds. */
async function nextPlace(cells: Collection<Cell>, session?: ClientSession): Promise<number> {
  const options = { returnDocument: 'after', ...(session ? { session } : {}) } as const;
  return (await cells.findOneAndUpdate({ _id: 'order' }, { $inc: { n: 1 } }, options))?.n as number;
}

async function run(cells: Collection<Cell>, deed: Deed, session: ClientSession): Promise<Seen> {
  if (deed === 'write') return { order: await nextPlace(cells), isStored: true, steps: [], answers: [] };
  if (deed === 'read') {
    const all = await cells.find({}, { sort: { _id: 1 } }).toArray();
    const order = all.find(({ _id }) => _id === 'order')?.n as number;
    const answers = [all.filter(({ _id }) => _id !== 'order').map((cell) => [cell._id, cell.n])];
    return { order: order + 1, isStored: false, steps: [{ do: 'list', key: 'a' }], answers };
  }
  session.startTransaction();
  const order = await nextPlace(cells, session);
  const seen: Seen = { order, isStored: deed.end !== 'abort', steps: [], answers: [] };
  for (const each of deed.steps) {
    seen.steps.push(each);
    seen.answers.push(await onEngine(cells, each, session));
    if (seen.answers.at(-1) !== DUPLICATE) continue;
    expect(await failureOf(session.commitTransaction())).toMatchObject({ code: 251 });
    return { ...seen, isStored: false };
  }
  if (deed.end === 'abort') await session.abortTransaction();
  else await session.commitTransaction();
  if (deed.end === 'commit twice') await session.commitTransaction();
  return seen;
}

/** Runs everything that was seen one after the other, in the order in which it was stored. */
function replay(all: Seen[]): State {
  let state: State = new Map([['order', 0]]);
  const stored = all.filter(({ isStored }) => isStored).sort((a, b) => a.order - b.order);
  const others = all.filter(({ isStored }) => !isStored);
  const answers = (seen: Seen, from: State) => seen.steps.map((each) => onModel(from, each));
  stored.push({ order: stored.length + 1, isStored: false, steps: [], answers: [] });
  for (const [place, seen] of stored.entries()) {
    expect(seen.order).toBe(place + 1);
    for (const other of others.filter(({ order }) => order === seen.order))
      expect(other.answers).toEqual(answers(other, new Map(state)));
    if (!seen.isStored) break;
    const after = new Map(state);
    expect(seen.answers).toEqual(answers(seen, after));
    state = after.set('order', seen.order);
  }
  return state;
}

describe('transactions of several clients', () => {
  it('have one order that explains all that they and others have seen', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(deed, { minLength: 1, maxLength: 5 }), { minLength: 2, maxLength: 4 }),
        async (clients) => {
          const cells = engine.db().collection<Cell>('cells');
          await cells.insertOne({ _id: 'order', n: 0 });
          const seen = await Promise.all(
            clients.map((deeds) =>
              engine.client.withSession(async (session) => {
                const all: Seen[] = [];
                for (const each of deeds) all.push(await run(cells, each, session));
                return all;
              }),
            ),
          );
          const state = replay(seen.flat());
          const all = await cells.find().toArray();
          expect(new Map(all.map(({ _id, n }) => [_id, n]))).toEqual(state);
          expect(await cells.estimatedDocumentCount()).toBe(state.size);
        },
      ),
      { numRuns: sized(25, 1000) },
    );
  });
});
