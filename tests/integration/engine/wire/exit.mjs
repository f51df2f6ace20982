// Calls `process.exit(7)` while the engine writes, and with `stuck` when its thread can no longer end:
// node exit.mjs BUNDLE_URL DIR [stuck]
import process from 'node:process';
import { setImmediate } from 'node:timers';
import { MongoClient } from 'mongodb';
import { watchWriter } from './writing.mjs';

const [, , url, dir, moment] = process.argv;
const { startEngine } = await import(url);
let thread;
process.on('worker', (worker) => (thread = worker));
const { uri } = await startEngine({ dir, log: ({ message }) => process.stdout.write(`${message}\n`) });
const client = await new MongoClient(uri).connect();
const documents = Array.from({ length: 50_000 }, (_, n) => ({ n, text: `text ${n}` }));
const isWriting = watchWriter(dir);
void client.db('app').collection('many').insertMany(documents);
while (!isWriting()) await new Promise(setImmediate);
if (moment === 'stuck') void thread.terminate();
process.exit(7);
