// Runs the stress tests of the embedded engine, all or some by name; each prints how much it did and what failed.
// npm run bench -- stress                      all, at full size: more than an hour
// npm run bench -- stress openers full-disk    some
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const TESTS = {
  openers: 'openers.mjs',
  flush: 'flush.mjs',
  'full-disk': 'full-disk.mjs',
  ends: 'ends.mjs',
  restore: 'restore.mjs',
  kill: '../kill.mjs',
  migrate: '../migrate-kill.mjs',
};
const named = process.argv.slice(2);
const unknown = named.filter((name) => !(name in TESTS));
if (unknown.length > 0) {
  console.error(`There is no ${unknown.join(', ')}; there are ${Object.keys(TESTS).join(', ')}.`);
  process.exit(2);
}
for (const name of named.length > 0 ? named : Object.keys(TESTS)) {
  console.log(`${name}:`);
  const file = fileURLToPath(new URL(TESTS[name], import.meta.url));
  const { status } = spawnSync(process.execPath, [file], { stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}
