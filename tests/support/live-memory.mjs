// Loaded before a program, with --expose-gc: prints the main thread's peak live memory in kB to stderr when it ends.
// Garbage does not count, so the result does not depend on how quickly it is collected.
import { setInterval } from 'node:timers';

let most = 0;
setInterval(() => {
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  most = Math.max(most, heapUsed + external);
}, 100).unref();
process.on('exit', () => process.stderr.write(String(Math.round(most / 1024))));
