// Watches the system calls of a process that writes: no write may be acknowledged before the log is flushed (needs strace).
// node bench/engine/stress/flush.mjs
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleStorage } from '../../../tests/support/rounds/bundle.mjs';
import { temporary, verdict } from './processes.mjs';

const CHILD = fileURLToPath(new URL('./child.mjs', import.meta.url));
const url = await bundleStorage('stress-flush');
const dir = temporary('flush');
const trace = path.join(dir, 'trace');
const { status, stderr } = spawnSync(
  'strace',
  ['-f', '-y', '-s', '40', '-e', 'trace=pwrite64,fdatasync,fsync,write', '-o', trace].concat([
    process.execPath,
    CHILD,
    url,
    path.join(dir, 'data'),
    'count',
  ]),
  { encoding: 'utf8' },
);
if (status !== 0) throw new Error(`the traced process ended with ${status}: ${stderr}`);

let isDirty = false;
/** Threads whose flush has begun. */
const flushing = new Set();
let [flushes, acknowledged, early] = [0, 0, 0];
for (const line of readFileSync(trace, 'utf8').split('\n')) {
  const thread = line.split(' ', 1)[0];
  const isLog = line.includes('data.db-wal>');
  if (/ pwrite64\(/.test(line) && isLog) isDirty = true;
  else if (/ f(data)?sync\(/.test(line) && isLog) {
    if (line.includes('unfinished')) flushing.add(thread);
    else if (line.endsWith('= 0')) [isDirty, flushes] = [false, flushes + 1];
  } else if (/ f(data)?sync resumed>/.test(line) && flushing.delete(thread)) {
    if (line.endsWith('= 0')) [isDirty, flushes] = [false, flushes + 1];
  } else if (/ write\(1.*acknowledged/.test(line)) {
    acknowledged += 1;
    if (isDirty) early += 1;
  }
}
rmSync(dir, { recursive: true, force: true });
console.log(`${acknowledged} acknowledgements, ${flushes} flushes of the log`);
verdict('acknowledgements that were not seen', 2000 - acknowledged);
verdict('acknowledgements before their flush', early);
