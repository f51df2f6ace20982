import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openStore, type Snapshot, type Store, type WriteView } from '#models/engine/storage/index.ts';
import type { Document } from '#models/engine/values/types.ts';
import { PlainCollection } from './plain-model.ts';

const NS = 'laws.model';

/** The store under test, what it should hold, and snapshots with what they should go on holding. */
interface World {
  dir: string;
  store: Store;
  model: PlainCollection;
  snapshots: { snapshot: Snapshot; docs: Document[] }[];
}

interface Step {
  label: string;
  run(world: World): Promise<void>;
}

const small = fc.integer({ min: 0, max: 5 });
const value = fc.oneof(small, fc.constantFrom<unknown>('a', 'b', null, { x: 1 }, { x: [1, 2] }));
const fields = fc.record({ u: small, v: value, w: fc.array(small, { maxLength: 3 }) }, { requiredKeys: [] });
const filter: fc.Arbitrary<Document> = fc.oneof(
  fc.constant({}),
  small.map((_id) => ({ _id })),
  small.map((u) => ({ u })),
  small.map((u) => ({ u: { $gte: u } })),
  value.map((v) => ({ v })),
  small.map((w) => ({ w })),
);
const key = fc.constantFrom<Document>({ u: 1 }, { v: -1 }, { v: 1, u: -1 }, { u: 1, v: 1 });

/** Does the same to store and model and expects the same outcome, an error's code included. */
async function both(world: World, act: (txn: WriteView) => void, onModel: () => void): Promise<void> {
  let expected = 0;
  try {
    onModel();
  } catch (code) {
    expected = code as number;
  }
  const actual = await world.store.write(act).then(
    () => 0,
    (error: { code?: number }) => error.code,
  );
  expect(actual).toBe(expected);
}

function replaceAll(txn: WriteView, where: Document, more: Document): void {
  for (const found of txn.find(NS, { filter: where })) txn.replace(NS, found, { ...found.doc, ...more });
}

const insert = fc.tuple(fc.integer({ min: 0, max: 30 }), fields).map(([_id, rest]): Step => ({
  label: `insert ${_id} ${JSON.stringify(rest)}`,
  run: (world) => {
    const doc = { _id, u2: 100 + _id, ...rest };
    return both(
      world,
      (txn) => txn.insert(NS, doc),
      () => world.model.insert(doc),
    );
  },
}));

const insertMany = fc.array(fields, { minLength: 2, maxLength: 6 }).map((many): Step => ({
  label: `insert ${JSON.stringify(many)}, each for itself`,
  run: (world) => {
    const docs = many.map((rest, i): Document => ({ _id: 100 + i, u2: 200 + i, ...rest }));
    return both(
      world,
      (txn) => docs.forEach((doc) => tolerate(() => txn.attempt(() => txn.insert(NS, doc)))),
      () => docs.forEach((doc) => tolerate(() => world.model.insert(doc))),
    );
  },
}));

function tolerate(act: () => void): void {
  try {
    act();
  } catch (error) {
    if (error !== 11000 && (error as { code?: number }).code !== 11000) throw error;
  }
}

const replace = fc.tuple(filter, fields).map(([where, more]): Step => ({
  label: `replace ${JSON.stringify(where)} by ${JSON.stringify(more)}`,
  run: (world) =>
    both(
      world,
      (txn) => replaceAll(txn, where, more),
      () => world.model.replaceAll(where, (doc) => ({ ...doc, ...more })),
    ),
}));

const remove = filter.map((where): Step => ({
  label: `remove ${JSON.stringify(where)}`,
  run: (world) =>
    both(
      world,
      (txn) => {
        for (const found of txn.find(NS, { filter: where })) txn.remove(NS, found);
      },
      () => world.model.removeAll(where),
    ),
}));

const failing = fc.tuple(insert, remove).map(([one, other]): Step => ({
  label: `${one.label}, ${other.label}, and then think better of it`,
  run: async (world) => {
    const attempt = world.store.write((txn) => {
      txn.insert(NS, { _id: 'doomed', u: 9, u2: 99, s: 99 });
      for (const found of txn.find(NS, {})) txn.remove(NS, found);
      txn.dropIndexes(NS, '*');
      throw new Error('undone');
    });
    await expect(attempt).rejects.toThrow('undone');
  },
}));

const createIndex = key.map((pattern): Step => ({
  label: `index ${JSON.stringify(pattern)}`,
  run: async (world) => {
    await world.store
      .write((txn) => txn.createIndexes(NS, [{ key: pattern }]))
      .catch((error: { code?: number }) => {
        // A unique index on the same key.
        expect([86, 11000]).toContain(error.code);
      });
  },
}));

const unique: fc.Arbitrary<Step> = fc.constant({
  label: 'unique',
  run: async (world) => {
    if (world.model.unique.has('unique')) return;
    await both(
      world,
      (txn) => txn.createIndexes(NS, [{ key: { u2: 1 }, name: 'unique', unique: true }]),
      () => world.model.addRule('unique', { field: 'u2' }),
    );
  },
});

const setUnique = fc.tuple(small, small, fc.constantFrom('s', 'u2')).map(([_id, n, field]): Step => ({
  label: `set ${field} of ${_id} to ${n}`,
  run: (world) =>
    both(
      world,
      (txn) => replaceAll(txn, { _id }, { [field]: n }),
      () => world.model.replaceAll({ _id }, (doc) => ({ ...doc, [field]: n })),
    ),
}));

const dropIndexes: Step = {
  label: 'drop all indexes',
  run: async (world) => {
    await world.store.write((txn) => txn.dropIndexes(NS, '*'));
    world.model.unique.clear();
  },
};

const sweep: Step = { label: 'sweep', run: async (world) => void (await world.store.sweepTtl()) };

const reopen: Step = {
  label: 'close and open',
  run: async (world) => {
    world.snapshots = [];
    await world.store.close();
    world.store = await openStore({ dir: world.dir });
  },
};

const snapshot: Step = {
  label: 'take a snapshot',
  run: async (world) => {
    world.snapshots.push({ snapshot: world.store.snapshot(), docs: [...world.model.docs] });
    await Promise.resolve();
  },
};

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: insert },
  { weight: 2, arbitrary: insertMany },
  { weight: 4, arbitrary: replace },
  { weight: 2, arbitrary: remove },
  { weight: 3, arbitrary: setUnique },
  { weight: 1, arbitrary: failing },
  { weight: 2, arbitrary: createIndex },
  { weight: 1, arbitrary: unique },
  fc.constantFrom(dropIndexes, sweep, reopen, snapshot),
);

function check(world: World): void {
  const stored = world.store.read((view) => [...view.find(NS, {})].map((found) => found.doc));
  expect(stored).toEqual(world.model.docs);
  expect(world.store.read((view) => view.count(NS, {}))).toBe(world.model.docs.length);
  for (const { snapshot: held, docs } of world.snapshots) {
    expect([...held.find(NS, {})].map((found) => found.doc)).toEqual(docs);
  }
}

describe('any series of writes', () => {
  it('leaves the same data as a plain list, with consistent indexes, in the store and in every snapshot', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
        const dir = mkdtempSync(join(tmpdir(), 'model-'));
        const world: World = {
          dir,
          store: await openStore({ dir }),
          model: new PlainCollection(),
          snapshots: [],
        };
        try {
          await world.store.write((txn) => txn.createCollection(NS));
          for (const { run } of steps) {
            await run(world);
            check(world);
          }
          expect((await world.store.verify()).problems).toEqual([]);
        } finally {
          await world.store.close();
          rmSync(dir, { recursive: true, force: true });
        }
      }),
      { numRuns: 60 },
    );
  });
});
