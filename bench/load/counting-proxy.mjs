// A proxy between a server and its database that counts commands (OP_MSG of the MongoDB protocol).
import { rmSync } from 'node:fs';
import net from 'node:net';
import { deserialize } from 'bson';

const OP_MSG = 2013;
const HEAD_BYTES = 16;
/** Flags (4 bytes) and the kind of the first section (1 byte). */
const BEFORE_COMMAND = HEAD_BYTES + 5;
const READS = new Set(['find', 'getMore', 'aggregate', 'count', 'distinct']);
const WRITES = new Set(['insert', 'update', 'delete', 'findAndModify']);

/** Passes on each complete message of a stream. */
function messages(onMessage) {
  let waiting = Buffer.alloc(0);
  return (chunk) => {
    waiting = waiting.length === 0 ? chunk : Buffer.concat([waiting, chunk]);
    while (waiting.length >= HEAD_BYTES && waiting.length >= waiting.readInt32LE(0)) {
      const length = waiting.readInt32LE(0);
      onMessage(waiting.subarray(0, length));
      waiting = waiting.subarray(length);
    }
  };
}

function nameOf(message) {
  if (message.readInt32LE(12) !== OP_MSG || message[HEAD_BYTES + 4] !== 0) return null;
  const length = message.readInt32LE(BEFORE_COMMAND);
  return Object.keys(deserialize(message.subarray(BEFORE_COMMAND, BEFORE_COMMAND + length)))[0] ?? null;
}

/** @returns counts of reads and writes so far, and how to end it */
export async function startCountingProxy(from, to) {
  const counts = { reads: 0, writes: 0 };
  rmSync(from, { force: true });
  const server = net.createServer((near) => {
    const far = net.connect(to);
    near.on(
      'data',
      messages((message) => {
        const name = nameOf(message);
        if (READS.has(name)) counts.reads += 1;
        if (WRITES.has(name)) counts.writes += 1;
      }),
    );
    near.pipe(far).pipe(near);
    for (const socket of [near, far]) socket.on('error', () => (near.destroy(), far.destroy()));
  });
  await new Promise((resolve) => server.listen(from, resolve));
  return { counts, stop: () => server.close() };
}
