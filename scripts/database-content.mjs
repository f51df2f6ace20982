// What is in a database, to be compared before and after a copy or a restore.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import path from 'node:path';
import { calculateObjectSize, serialize } from 'bson';
import mongoose from 'mongoose';

const { MongoClient } = mongoose.mongo;
const CLI = path.join(import.meta.dirname, '../build/cli/main.js');

/**
 * A database's contents by collection: the number of documents, a hash of them and their indexes, and whether a server removes
 * them in time.
 */
export async function contentOf(uri) {
  const client = new MongoClient(uri);
  try {
    const names = (await client.db().listCollections().toArray()).map(({ name }) => name).toSorted();
    const content = {};
    for (const name of names) {
      const hash = createHash('sha256');
      let [count, bytes] = [0, 0];
      for await (const row of client
        .db()
        .collection(name)
        .find({}, { promoteValues: false })
        .sort({ _id: 1 })) {
        hash.update(serialize(row));
        bytes += calculateObjectSize(row);
        count += 1;
      }
      const indexes = await client.db().collection(name).indexes();
      const keys = indexes.map(({ key, unique }) => JSON.stringify([key, unique === true])).toSorted();
      // An empty collection counts as missing.
      const expires = indexes.some(({ expireAfterSeconds }) => expireAfterSeconds !== undefined);
      if (count > 0) content[name] = { count, bytes, expires, hash: hash.update(keys.join()).digest('hex') };
    }
    return content;
  } finally {
    await client.close();
  }
}

/** Serves the embedded database of a directory while `work` runs. */
export async function served(dir, work) {
  const socket = path.join(dir, 'parity.sock');
  const child = spawn(process.execPath, [CLI, 'db', 'serve', '--socket', socket], {
    env: { PATH: process.env.PATH, DATA_DIR: dir },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  try {
    return await work(`mongodb://${encodeURIComponent(socket)}/vialbook?directConnection=true`);
  } finally {
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
}
