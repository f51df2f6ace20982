// Loaded into the server by `--import`: at SIGUSR2 it collects garbage and writes the bytes that are still in use. What a
// finalizer watches, as every request's signal, is freed only by the collection after the finalizer has run, for which the
// event loop has to turn: collections in one turn left 15 MB of answered requests.
import { setTimeout as wait } from 'node:timers/promises';

const ROUNDS = 4;

process.on('SIGUSR2', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    globalThis.gc();
    await wait(100);
  }
  globalThis.gc();
  process.stderr.write(`heap ${process.memoryUsage().heapUsed}\n`);
});
