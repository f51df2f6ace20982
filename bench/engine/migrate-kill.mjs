// Kills processes while they migrate a data directory of an earlier version, and checks that the next start ends the same.
// node bench/engine/migrate-kill.mjs [rounds]    50 rounds by default; ends with code 1 when anything differs
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { bundleEngine } from '../../tests/support/rounds/bundle.mjs';

const rounds = Number(process.argv[2] ?? 50);
const TESTS = fileURLToPath(new URL('../../tests/integration/engine/storage/', import.meta.url));
const NAMES = ['app', 'compacted', 'interrupted', 'swapped', 'long-keys'];
const root = mkdtempSync(path.join(tmpdir(), 'migrate-kill-'));
const dir = path.join(root, 'data');
const url = await bundleEngine('migrate-kill');
const { backupStore, verifyStore } = await import(url);

function unpack(name) {
  rmSync(dir, { recursive: true, force: true });
  mkdirSync(dir, { mode: 0o700 });
  const from = path.join(TESTS, 'earlier', name, 'dir');
  for (const file of readdirSync(from)) {
    const bytes = brotliDecompressSync(readFileSync(path.join(from, file)));
    writeFileSync(path.join(dir, file.replace(/\.br$/, '')), bytes, { mode: 0o600 });
  }
}

/** A hash of everything in an archive but its header, which has the time, and its end, which has a hash of the header. */
function hashOf(archive) {
  const bytes = gunzipSync(archive);
  const hash = createHash('sha256');
  for (let at = 0; at < bytes.length;) {
    const end = at + 5 + bytes.readUInt32BE(at + 1);
    if (!'HZ'.includes(String.fromCharCode(bytes[at]))) hash.update(bytes.subarray(at, end));
    at = end;
  }
  return hash.digest('hex');
}

async function stored() {
  const chunks = [];
  for await (const chunk of backupStore({ dir })) chunks.push(chunk);
  return hashOf(Buffer.concat(chunks));
}

/** Migrates in another process, which is killed after a while. @returns how long it took, in ms; null when it was killed */
async function migrate(killAfterMs) {
  const child = spawn(process.execPath, [path.join(TESTS, 'migrating.mjs'), url, dir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  const began = performance.now();
  const timer = setTimeout(() => child.kill('SIGKILL'), killAfterMs);
  child.stdout.resume();
  const [, signal] = await once(child, 'close');
  clearTimeout(timer);
  return signal === null ? performance.now() - began : null;
}

const took = {};
for (const name of NAMES) {
  unpack(name);
  took[name] = await migrate(600_000);
}

let killed = 0;
let wrong = 0;
for (let round = 1; round <= rounds; round++) {
  const name = NAMES[round % NAMES.length];
  unpack(name);
  if ((await migrate(Math.random() * took[name])) === null) killed += 1;
  const { ok, problems } = await verifyStore({ dir });
  const isSame =
    (await stored()) === hashOf(readFileSync(path.join(TESTS, 'earlier', name, 'archive.vialbook')));
  if (!ok || !isSame) {
    wrong += 1;
    console.error(
      `round ${round}, ${name}: ${isSame ? 'the same, but inconsistent' : 'not the same'}`,
      problems,
    );
  }
  if (round % 10 === 0) console.log(`${round} rounds, ${killed} killed before the end`);
}
const verdict = wrong === 0 ? 'ok' : 'MISSED';
console.log(`migrations that differ after ${rounds} rounds of SIGKILL   ${wrong}   to reach 0   ${verdict}`);
rmSync(root, { recursive: true, force: true });
process.exitCode = wrong === 0 ? 0 : 1;
