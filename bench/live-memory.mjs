// Loaded before a program, with --expose-gc: tells on stderr, when it ends, how many kB its main thread ever held that
// were still in use. Garbage does not count, so a machine that is slow to collect it changes nothing.
import { setInterval } from 'node:timers';

let most = 0;
setInterval(() => {
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  most = Math.max(most, heapUsed + external);
}, 100).unref();
process.on('exit', () => process.stderr.write(String(Math.round(most / 1024))));
