import fc from 'fast-check';
import { MongoClient, type Collection } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyStore } from '#models/engine/index.ts';
import { useEngine } from '#tests/support/engine.ts';
import { ModelCollection, select, type Doc } from './model.ts';
import { operations, runOnModel, runOnServer, type Operation, type Stored } from './operations.ts';

const engine = useEngine();
const realUri = process.env['TEST_MONGODB_URI'];
/** More for a long search: CONFORMANCE_RUNS=5000. */
const numRuns = Number(process.env['CONFORMANCE_RUNS'] ?? 150);
let real: MongoClient | null = null;
let runs = 0;

beforeAll(async () => {
  if (realUri) real = await new MongoClient(realUri).connect();
});

afterAll(() => real?.close());

/** Without the difference between 0 and -0, which int32 does not have and JavaScript's numbers do. */
const plain = (answer: unknown): unknown => JSON.parse(JSON.stringify(answer));

/** Whether a step sorts by a field in which a document has an array, which the model does not and the embedded engine refuses. */
const sortsArrays = (step: Operation, docs: readonly Doc[]): boolean =>
  'sort' in step && Object.keys(step.sort ?? {}).some((name) => docs.some((doc) => Array.isArray(doc[name])));

/**
 * Holds every answer against the model's, and what is stored in the end.
 * @param isWhole a refused update changes nothing; MongoDB leaves the documents changed that came before the refusal
 */
async function holdAgainstModel(
  items: Collection<Stored>,
  steps: Operation[],
  isWhole: boolean,
): Promise<void> {
  const model = new ModelCollection();
  for (const step of steps) {
    if (!isWhole && sortsArrays(step, model.docs)) return;
    const before = structuredClone(model.docs);
    const expected = runOnModel(model, step);
    const answer = await runOnServer(items, step);
    if (answer === 'array') {
      // The index refused a document: what was written before it is not the model's business.
      return;
    }
    if (answer === 'refused') model.docs = isWhole ? before : ((await items.find().toArray()) as Doc[]);
    expect({ step, answer: plain(answer) }).toEqual({ step, answer: plain(expected) });
  }
  expect(plain(await items.find().sort({ _id: 1 }).toArray())).toEqual(
    plain(select(model.docs, { filter: {} })),
  );
}

async function collection(client: MongoClient): Promise<Collection<Stored>> {
  runs += 1;
  const items = client.db('conformance').collection<Stored>(`items${runs}`);
  await items.drop();
  return items;
}

/** Runs that once got a wrong answer: two conditions on one path, of which an index can answer only the first. */
const UNANSWERED: Doc[] = [{ $size: 0 }, { $exists: false }, { $not: { $eq: 1 } }];
const found = UNANSWERED.map((unanswered): [Operation[]] => [
  [
    { kind: 'insert', docs: [{ _id: 1 }] },
    { kind: 'count', filter: { $and: [{ _id: { $gte: 0, $lt: null } }, { _id: unanswered }] } },
    { kind: 'count', filter: { $and: [{ _id: 1 }, { _id: unanswered }] } },
    { kind: 'count', filter: { $and: [{ _id: unanswered }, { _id: { $gte: 0 } }] } },
  ],
]);

describe('any sequence of operations', () => {
  const timeout = 600_000 + numRuns * 200;

  it('returns the same answers as a naive model, with and without indexes', { timeout }, async () => {
    const run = async (steps: Operation[]) => holdAgainstModel(await collection(engine.client), steps, true);
    await fc.assert(fc.asyncProperty(operations, run), { numRuns, examples: found });
    expect(await verifyStore({ dir: engine.dir })).toMatchObject({ ok: true, problems: [] });
  });

  it.skipIf(!realUri)(
    'is answered by a MongoDB server as by the model, so the model is right',
    { timeout },
    async () => {
      const run = async (steps: Operation[]) =>
        holdAgainstModel(await collection(real as MongoClient), steps, false);
      await fc.assert(fc.asyncProperty(operations, run), { numRuns });
      await real?.db('conformance').dropDatabase();
    },
  );
});
