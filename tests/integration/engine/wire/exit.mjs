// Calls `process.exit(7)` while the engine opens its data, during a write, or when its thread cannot end any more:
// node exit.mjs BUNDLE_URL DIR opening|writing|stuck
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { setImmediate } from 'node:timers';
import { MongoClient } from 'mongodb';
import { watchWriter } from './writing.mjs';

const [, , url, dir, moment] = process.argv;
const { startEngine } = await import(url);
let thread;
process.on('worker', (worker) => (thread = worker));
const nextTurn = () => new Promise(setImmediate);
let isOpen = false;
const starting = startEngine({ dir, log: ({ message }) => process.stdout.write(`${message}\n`) }).finally(
  () => (isOpen = true),
);
if (moment === 'opening') {
  while (!fs.existsSync(path.join(dir, 'lock.mdb'))) await nextTurn();
  const isWriting = watchWriter(dir);
  while (!isOpen && !isWriting()) await nextTurn();
} else {
  const { uri } = await starting;
  const client = await new MongoClient(uri).connect();
  const documents = Array.from({ length: 50_000 }, (_, n) => ({ n, text: `text ${n}` }));
  const isWriting = watchWriter(dir);
  void client.db('app').collection('many').insertMany(documents);
  while (!isWriting()) await nextTurn();
  if (moment === 'stuck') void thread.terminate();
}
process.exit(7);
