// Opens a data directory, and with it migrates one of the earlier versions: node migrating.mjs BUNDLE_URL DIR [CALLS].
// With CALLS, the process kills itself before that call of a function that changes files. Prints a line when it begins, and
// one with how many there were and the report of a verification.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import process from 'node:process';

const [, , url, dir, dieAt] = process.argv;
const { verifyStore } = await import(url);

let calls = 0;
/** What a migration may change files with, besides SQLite. */
const CHANGING = [
  'renameSync',
  'rmSync',
  'unlinkSync',
  'linkSync',
  'copyFileSync',
  'writeFileSync',
  'openSync',
  'fsyncSync',
  'truncateSync',
];
for (const name of CHANGING) {
  const original = fs[name];
  fs[name] = (...args) => {
    // Reading is no change.
    if (name !== 'openSync' || (args[1] !== undefined && args[1] !== 'r')) calls += 1;
    if (calls === Number(dieAt)) process.kill(process.pid, 'SIGKILL');
    return original(...args);
  };
}
syncBuiltinESMExports();

process.stdout.write('"begins"\n');
const outcome = await verifyStore({ dir }).catch(({ code, message }) => ({ code, message }));
process.stdout.write(`${JSON.stringify({ calls, ...outcome })}\n`);
