// Ends the engine's thread from outside in the midst of writes, until it cannot end: node stuck.mjs BUNDLE_URL DIR
// Exits with 0 if it always could.
import process from 'node:process';
import { setImmediate } from 'node:timers';
import { MongoClient } from 'mongodb';
import { watchWriter } from './writing.mjs';

const [, , url, dir] = process.argv;
const { startEngine } = await import(url);
let thread;
process.on('worker', (worker) => (thread = worker));
const engine = await startEngine({
  dir,
  stuckAfterMs: 5000,
  log: ({ message }) => process.stdout.write(`${message}\n`),
});
const documents = Array.from({ length: 50_000 }, (_, n) => ({ n, text: `text ${n}` }));

const isWriting = watchWriter(dir);

for (let attempt = 0; attempt < 5; attempt += 1) {
  // Connects once the engine has opened the database: if the thread is terminated before that, LMDB's addon ends the process,
  // because it does not check whether N-API, which then refuses everything, gave it what it asked for. Each attempt has a
  // client of its own, because the driver sometimes stops looking for an engine that was gone.
  const client = await new MongoClient(engine.uri).connect();
  let isOver = false;
  client
    .db('app')
    .collection('many')
    .insertMany(documents)
    .catch(() => undefined)
    .finally(() => (isOver = true));
  while (!isOver && !isWriting()) await new Promise(setImmediate);
  await thread.terminate();
  void client.close();
}
process.exit(0);
