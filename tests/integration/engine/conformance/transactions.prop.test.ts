import fc from 'fast-check';
import type { ClientSession, Collection } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { verifyStore } from '#models/engine/index.ts';
import { useEngine } from '#tests/support/engine.ts';
import { ModelCollection, select } from './model.ts';
import { operations, runOnModel, runOnServer, type Operation, type Stored } from './operations.ts';

const engine = useEngine();
const numRuns = Number(process.env['CONFORMANCE_RUNS'] ?? 100);
let runs = 0;

const plain = (answer: unknown): unknown => JSON.parse(JSON.stringify(answer));
const isAllowedInside = ({ kind }: Operation) => kind !== 'index' && kind !== 'dropIndexes';

function copyOf(model: ModelCollection): ModelCollection {
  const copy = new ModelCollection();
  copy.docs = structuredClone(model.docs);
  return copy;
}

/** What stands before the transaction; false when an index forbade a part of it. */
async function prepare(
  items: Collection<Stored>,
  model: ModelCollection,
  steps: Operation[],
): Promise<boolean> {
  for (const step of steps) {
    const before = structuredClone(model.docs);
    runOnModel(model, step);
    const answer = await runOnServer(items, step);
    if (answer === 'parallel') return false;
    if (answer === 'refused') model.docs = before;
  }
  return true;
}

/** Runs the steps inside the transaction; false when one of them failed and with it the transaction. */
async function runInside(
  items: Collection<Stored>,
  draft: ModelCollection,
  steps: Operation[],
  session: ClientSession,
): Promise<boolean> {
  for (const step of steps) {
    const clashes = step.kind === 'insert' && copyOf(draft).insert(step.docs) < step.docs.length;
    const expected = runOnModel(draft, step);
    const answer = await runOnServer(items, step, session);
    if (answer === 'parallel') return false;
    if (answer === 'refused') {
      expect({ step, refused: clashes || expected === 'refused' }).toEqual({ step, refused: true });
      return false;
    }
    expect({ step, answer: plain(answer) }).toEqual({ step, answer: plain(expected) });
  }
  return true;
}

const contents = (items: Collection<Stored>) => items.find().sort({ _id: 1 }).toArray();

describe('any transaction', () => {
  it(
    'sees its own writes, is seen by nobody, and happens whole or not at all',
    { timeout: 60_000 + numRuns * 200 },
    async () => {
      const run = async (before: Operation[], inside: Operation[], commits: boolean) => {
        runs += 1;
        const items = engine.client.db('conformance').collection<Stored>(`inside${runs}`);
        const model = new ModelCollection();
        if (!(await prepare(items, model, before))) return;
        const draft = copyOf(model);
        const session = engine.client.startSession();
        session.startTransaction();
        const isWhole = await runInside(items, draft, inside.filter(isAllowedInside), session);
        expect(plain(await contents(items))).toEqual(plain(select(model.docs, { filter: {} })));
        if (isWhole && commits) await session.commitTransaction();
        else await session.abortTransaction();
        await session.endSession();
        const kept = isWhole && commits ? draft : model;
        expect(plain(await contents(items))).toEqual(plain(select(kept.docs, { filter: {} })));
      };
      await fc.assert(fc.asyncProperty(operations, operations, fc.boolean(), run), { numRuns });
      expect(await verifyStore({ dir: engine.dir })).toMatchObject({ ok: true, problems: [] });
    },
  );

  it('keeps a sum that moves between documents, however many move it at once', async () => {
    const accounts = engine.client.db('conformance').collection<{ _id: number; amount: number }>('accounts');
    await accounts.insertMany(Array.from({ length: 5 }, (_, _id) => ({ _id, amount: 100 })));
    const move = async (from: number, to: number, amount: number) =>
      engine.client.withSession((session) =>
        session.withTransaction(async () => {
          const source = await accounts.findOne({ _id: from }, { session });
          if ((source?.amount ?? 0) < amount) return;
          await accounts.updateOne({ _id: from }, { $inc: { amount: -amount } }, { session });
          await accounts.updateOne({ _id: to }, { $inc: { amount } }, { session });
        }),
      );
    const moves = Array.from({ length: 40 }, (_, n) => move(n % 5, (n * 3 + 1) % 5, 10 + ((n * 7) % 50)));
    const watch = (async () => {
      for (let n = 0; n < 20; n += 1) {
        const [sum] = await accounts
          .aggregate([{ $group: { _id: null, sum: { $sum: '$amount' }, least: { $min: '$amount' } } }])
          .toArray();
        expect(sum).toMatchObject({ sum: 500 });
        expect((sum as { least: number }).least).toBeGreaterThanOrEqual(0);
      }
    })();
    await Promise.all([...moves, watch]);
    const all = await accounts.find().toArray();
    expect(all.reduce((sum, { amount }) => sum + amount, 0)).toBe(500);
  });
});
