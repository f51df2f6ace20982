// What the benchmarks of the engine share: the documents, the loops, and LMDB alone to compare with.
import path from 'node:path';
import { open } from 'lmdb';

export const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];

/** The `n`th document of a collection shared by `users`; about the size the app's records have. */
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

/** Runs `one` in `clients` loops at once for a while; returns how often a second it was done. */
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

/** LMDB alone, with the durability the engine has: `one` resolves when its value is on disk. */
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
  return { one, close: () => db.close() };
}
