// Loaded by `--import` into every thread of a process: shifts its clock by the milliseconds in the file CLOCK_FILE,
// which may change at any time. Timers are unaffected, as when a machine's clock is set.
import { readFileSync } from 'node:fs';

const RealDate = Date;
const realNow = Date.now;
const file = process.env.CLOCK_FILE;
const READ_EVERY_MS = 20;
let [shift, readAt] = [0, -Infinity];

function now() {
  const real = realNow();
  if (file && Math.abs(real - readAt) >= READ_EVERY_MS) {
    readAt = real;
    try {
      shift = Number(readFileSync(file, 'utf8')) || 0;
    } catch {
      shift = 0;
    }
  }
  return real + shift;
}

RealDate.now = now;
globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
  apply: (target) => new target(now()).toString(),
});
RealDate.prototype.constructor = globalThis.Date;
