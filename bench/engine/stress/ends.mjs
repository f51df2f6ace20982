// Ends threads during writes, by termination and by process.exit: the process ends with its code, and nobody is blocked.
// node bench/engine/stress/ends.mjs [rounds]    60 by default
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildNode } from '../../../scripts/build-node.mjs';
import { bundleEngine, bundleStorage } from '../../../tests/support/rounds/bundle.mjs';
import { temporary, verdict } from './processes.mjs';

const ROUNDS = Number(process.argv[2] ?? 60);
const PROGRAM = fileURLToPath(new URL('../../../tests/integration/engine/wire/ending.mjs', import.meta.url));
const WAIT_MS = 300_000;

await buildNode(['engine']);
const url = await bundleEngine('stress-ends');
const { openStore } = await import(await bundleStorage('stress-ends-storage'));
const root = temporary('ends');

/** What the threads of a process are waiting for. */
function waitsOf(pid) {
  const look = (thread, what) => readFileSync(`/proc/${pid}/task/${thread}/${what}`, 'utf8').trim();
  return readdirSync(`/proc/${pid}/task`)
    .map((thread) => `${look(thread, 'comm')}: ${look(thread, 'wchan')}`)
    .join('\n');
}

async function endOf(dir, how) {
  const child = spawn(process.execPath, [PROGRAM, url, dir, how], { stdio: ['ignore', 'ignore', 'inherit'] });
  const timer = setTimeout(() => {
    console.error(`${how}: process ${child.pid} hangs\n${waitsOf(child.pid)}`);
    child.kill('SIGKILL');
  }, WAIT_MS);
  const end = await new Promise((resolve) => child.once('close', (code, signal) => resolve(signal ?? code)));
  clearTimeout(timer);
  return end;
}

let [wrong, problems] = [0, 0];
for (let round = 0; round < ROUNDS; round += 1) {
  const dir = path.join(root, String(round));
  const [how, code] = round % 2 === 0 ? ['terminate', 0] : ['exit', 7];
  const end = await endOf(dir, how);
  if (end !== code) {
    wrong += 1;
    console.error(`${how} ended with ${end}`);
  }
  const store = await openStore({ dir });
  await store.write((txn) => txn.insert('app.others', { _id: 1 }));
  problems += (await store.verify()).problems.length;
  await store.close();
  rmSync(dir, { recursive: true, force: true });
}
rmSync(root, { recursive: true, force: true });
console.log(`${ROUNDS} processes whose engine was ended during writes`);
verdict('ends with another code, or none', wrong);
verdict('problems found by the check', problems);
