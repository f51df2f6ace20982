// Restores a backup of many documents, and measures time and memory.
// node bench/engine/stress/restore.mjs [documents]    1,000,000 by default
import { createReadStream, createWriteStream, rmSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ObjectId } from 'bson';
import { bundleStorage } from '../../../tests/support/rounds/bundle.mjs';
import { makeDocument } from '../measure.mjs';
import { temporary, verdict } from './processes.mjs';

const COUNT = Number(process.argv[2] ?? 1_000_000);
const NS = 'vialbook.doses';
const { openStore } = await import(await bundleStorage('stress-restore'));
const root = temporary('restore');
const archive = path.join(root, 'archive');
const seconds = (since) => `${((performance.now() - since) / 1000).toFixed(1)} s`;

const source = await openStore({ dir: path.join(root, 'source') });
await source.write((txn) => txn.createIndexes(NS, [{ key: { userId: 1, createdAt: -1 } }]));
for (let at = 0; at < COUNT; at += 1000)
  await source.write((txn) => {
    for (let n = at; n < Math.min(COUNT, at + 1000); n += 1)
      txn.insert(NS, makeDocument(new ObjectId(), n, 100));
  });
const began = performance.now();
await pipeline(Readable.from(source.backup()), createWriteStream(archive));
await source.close();
console.log(`backup of ${COUNT} documents: ${seconds(began)}`);

const target = await openStore({ dir: path.join(root, 'target') });
const restoring = performance.now();
let most = 0;
const timer = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 100);
const summary = await target.restore(() => createReadStream(archive));
clearInterval(timer);
console.log(`restore: ${seconds(restoring)}, at most ${Math.round(most / 1e6)} MB of memory`);
const { problems, documents } = await target.verify();
await target.close();
rmSync(root, { recursive: true, force: true });
verdict('documents missing after the restore', COUNT - documents + (COUNT - summary.documents));
verdict('problems found by the check', problems.length);
