// Loaded into the server by `--import`: on SIGUSR2 it collects garbage and prints the bytes still in use. Objects watched by
// a finalizer, such as every request's signal, are only freed by the collection after the finalizer has run, which needs a turn
// of the event loop: collections within one turn left 15 MB of finished requests.
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
