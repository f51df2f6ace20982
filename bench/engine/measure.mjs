// Shared by the engine's benchmarks: documents, loops, and LMDB alone as the baseline.
import path from 'node:path';
import { open } from 'lmdb';

export const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];

/** The `n`th document of a collection shared by `users`; about the size of the app's records. */
export function makeDocument(_id, n, users) {
  return {
    _id,
    userId: `user-${n % users}`,
    peptideName: `Compound ${n % 50}`,
    peptideAmount: 5,
    waterVolume: 2.5,
    desiredDose: 250.5,
    concentration: 2.5,
    notes: 'a line of text that is about as long as people write',
    createdAt: new Date(1_700_000_000_000 + n * 1000),
  };
}

/** Runs `one` in `clients` concurrent loops for a while; returns how often per second it completed. */
export async function rate(clients, one, runMs = 700) {
  let done = 0;
  const end = Date.now() + runMs;
  const loop = async () => {
    while (Date.now() < end) {
      await one();
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: clients }, loop));
  return done / (runMs / 1000);
}

/** What the engine writes for one document with one index besides `_id`, as keys and values of the same lengths. */
function* entriesOf(n, users) {
  const record = Buffer.alloc(8);
  record.writeUInt32BE(n, 4);
  const under = (kind, ...rest) => Buffer.concat([Buffer.from([kind, 0, 0, 0, 1]), ...rest]);
  yield [under(0x64, record), Buffer.alloc(300, 7)];
  yield [under(0x69, Buffer.alloc(6, 1), record), record];
  yield [under(0x6a, Buffer.from(`user-${n % users}`.padEnd(18)), record), Buffer.alloc(0)];
  yield [under(0x6e), Buffer.alloc(24, 7)];
  yield [under(0x74, Buffer.alloc(24, 1)), Buffer.alloc(110, 7)];
}

/**
 * LMDB alone, with the engine's durability: calls resolve when the data is on disk. `one` is one key of a
 * document's size, `all` are the keys that the engine writes for it, and `looked` are the same in a transaction that checks
 * first whether they exist: it begins in one of LMDB's threads, continues in this one, and ends in LMDB's again.
 */
export function openRaw(base) {
  const db = open({
    path: path.join(base, 'raw'),
    encoding: 'binary',
    keyEncoding: 'binary',
    overlappingSync: false,
  });
  const value = Buffer.alloc(300, 7);
  let n = 0;
  const one = () => {
    const key = Buffer.alloc(13, 1);
    key.writeUInt32BE(n++, 5);
    return db.put(key, value);
  };
  const all = () => Promise.all([...entriesOf(n++, 100)].map(([key, bytes]) => db.put(key, bytes)));
  const looked = () =>
    db.transaction(async () => {
      await Promise.resolve();
      for (const [key, bytes] of entriesOf(n++, 100)) if (db.get(key) !== bytes) db.putSync(key, bytes);
    });
  return { one, all, looked, close: () => db.close() };
}
