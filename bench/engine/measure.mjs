// Shared by the engine's benchmarks: documents, loops, and SQLite alone as the baseline.
import { closeSync, fdatasync, openSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import Database from 'better-sqlite3';

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
 * SQLite alone, with the engine's durability: calls resolve when the data is on disk, and those that wait share a
 * transaction and a flush. `one` is one key of a document's size, `all` are the keys that the engine writes for it.
 */
export function openRaw(base) {
  const file = path.join(base, 'raw.db');
  const db = new Database(file);
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = NORMAL');
  db.exec('CREATE TABLE entries(key BLOB PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID');
  const [begin, commit, put] = ['BEGIN', 'COMMIT', 'REPLACE INTO entries VALUES (?, ?)'].map((sql) =>
    db.prepare(sql),
  );
  const log = openSync(`${file}-wal`, 'r+');
  const flush = promisify(fdatasync);
  let waiting = [];
  let working = null;
  async function work() {
    await Promise.resolve();
    while (waiting.length > 0) {
      const group = waiting;
      waiting = [];
      begin.run();
      for (const { entries } of group) for (const [key, value] of entries) put.run(key, value);
      commit.run();
      await flush(log);
      for (const { resolve } of group) resolve();
    }
    working = null;
  }
  const write = (entries) =>
    new Promise((resolve) => {
      waiting.push({ entries, resolve });
      working ??= work();
    });
  const value = Buffer.alloc(300, 7);
  let n = 0;
  const one = () => {
    const key = Buffer.alloc(13, 1);
    key.writeUInt32BE(n++, 5);
    return write([[key, value]]);
  };
  const all = () => write([...entriesOf(n++, 100)]);
  const close = () => {
    closeSync(log);
    db.close();
  };
  return { one, all, close };
}
