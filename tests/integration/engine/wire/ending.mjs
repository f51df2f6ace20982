// Ends the engine's thread during writes: node ending.mjs BUNDLE_URL DIR exit | terminate
// `exit` calls `process.exit(7)`; `terminate` terminates the thread, five times, after which the engine must answer again.
import { once } from 'node:events';
import { performance } from 'node:perf_hooks';
import process from 'node:process';
import { setImmediate } from 'node:timers';
import { MongoClient } from 'mongodb';
import { watchWriter } from './writing.mjs';

const [, , url, dir, how] = process.argv;
const { startEngine } = await import(url);
let thread;
process.on('worker', (worker) => (thread = worker));
const documents = Array.from({ length: 50_000 }, (_, n) => ({ n, text: `text ${n}` }));
const engine = await startEngine({ dir, log: ({ message }) => process.stdout.write(`${message}\n`) });
const isWriting = watchWriter(dir);

const PATIENCE_MS = 20_000;

/**
 * A client of its own for each attempt, because the driver sometimes stops looking for an engine that was gone, or waits for ever
 * for an answer from it.
 */
const newClient = () => new MongoClient(engine.uri, { serverSelectionTimeoutMS: PATIENCE_MS });

/** Waits until a write is under way. */
async function write() {
  const client = newClient();
  let isOver = false;
  void client
    .db('app')
    .collection('many')
    .insertMany(documents)
    .catch(() => undefined)
    .finally(() => (isOver = true));
  const until = performance.now() + PATIENCE_MS;
  while (!isOver && !isWriting() && performance.now() < until) await new Promise(setImmediate);
  return client;
}

for (let attempt = 0; attempt < (how === 'exit' ? 1 : 5); attempt += 1) {
  const client = await write();
  if (how === 'exit') process.exit(7);
  await thread.terminate();
  void client.close(true);
}
for (;;) {
  const client = newClient();
  const answering = client
    .db('app')
    .collection('after')
    .insertOne({ how })
    .catch(() => null);
  const answer = await Promise.race([
    answering,
    once(AbortSignal.timeout(PATIENCE_MS), 'abort').then(() => null),
  ]);
  await client.close(true);
  if (answer) break;
}
await engine.close();
