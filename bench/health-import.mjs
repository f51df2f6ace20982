// Peak memory of `vialbook import` with a small and a large Apple Health export.
//   npm run build && npm run bench -- health-import [megabytes]      2,000 MB
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { writeAppleExport } from '../tests/support/apple-export.mjs';
import { report } from './calculation-data.mjs';

const MEGABYTES = Number(process.argv[2] ?? 2000);
const MOST_MB = 256;
const DAYS = 3650;

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const cli = path.join(root, 'build/cli/main.js');
const peak = path.join(root, 'bench/calc-peak-memory.mjs');
const folder = mkdtempSync(path.join(tmpdir(), 'vialbook-bench-'));
const env = { ...process.env, DATA_DIR: path.join(folder, 'data'), VIALBOOK_PASSWORD: 'blue-kettle-47' };

/** The command's JSON output, and its peak memory in MB. */
function vialbook(...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', peak, cli, ...args], {
    env,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`vialbook ${args.join(' ')} ended with ${status}: ${stderr}`);
  return { said: stdout, megabytes: Math.max(...stderr.match(/\d{4,}/g).map(Number)) / 1024 };
}

try {
  const file = path.join(folder, 'export.xml');
  const expected = await writeAppleExport(file, { megabytes: MEGABYTES, days: DAYS });
  vialbook('admin', 'create', 'bench@example.org', '--yes');
  vialbook('admin', 'upgrade', 'bench@example.org', '--reason', 'bench', '--yes');
  const begin = performance.now();
  const first = vialbook('import', '--user', 'bench@example.org', file, '--json');
  const seconds = (performance.now() - begin) / 1000;
  const { added, id } = JSON.parse(first.said);
  if (added.measurements !== expected) throw new Error(`${added.measurements} instead of ${expected}`);
  const again = vialbook('import', '--user', 'bench@example.org', file, '--json');
  if (JSON.parse(again.said).added.measurements !== 0) throw new Error('The same file added something twice');
  const undone = vialbook('import', '--user', 'bench@example.org', '--undo', id, '--json');
  if (JSON.parse(undone.said).state !== 'undone') throw new Error('The import was not undone');
  console.log(
    `${(statSync(file).size / 1e6).toFixed(0)} MB: ${seconds.toFixed(1)} s, ${expected} measurements`,
  );
  const most = Math.max(first.megabytes, again.megabytes);
  report('import of an export of Apple Health, peak memory, MB', most, `<= ${MOST_MB}`, most <= MOST_MB);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
