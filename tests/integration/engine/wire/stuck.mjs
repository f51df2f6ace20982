// Ends the engine's thread from outside in the midst of writes, until it cannot end: node stuck.mjs BUNDLE_URL DIR
import { Buffer } from 'node:buffer';
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { setImmediate } from 'node:timers';
import { MongoClient } from 'mongodb';

const [, , url, dir] = process.argv;
const { startEngine } = await import(url);
let thread;
process.on('worker', (worker) => (thread = worker));
const engine = await startEngine({
  dir,
  stuckAfterMs: 5000,
  log: ({ message }) => process.stdout.write(`${message}\n`),
});
const client = await new MongoClient(engine.uri, { heartbeatFrequencyMS: 500 }).connect();
const items = client.db('app').collection('many');
const documents = Array.from({ length: 50_000 }, (_, n) => ({ n, text: `text ${n}` }));

/** Who holds LMDB's lock for writing. Never closed: that would take LMDB's own locks away. */
const lock = fs.openSync(path.join(dir, 'lock.mdb'), 'r');
const WRITER_AT = 64;
const writer = Buffer.alloc(4);
const isWriting = () => fs.readSync(lock, writer, 0, 4, WRITER_AT) === 4 && writer.readUInt32LE() !== 0;

for (;;) {
  let isOver = false;
  items
    .insertMany(documents)
    .catch(() => undefined)
    .finally(() => (isOver = true));
  while (!isOver && !isWriting()) await new Promise(setImmediate);
  await thread.terminate();
}
