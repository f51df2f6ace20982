// How long the terminal takes to import doses, compared with plain inserts of as many documents with the same indexes.
//   npm run build && npm run bench -- import [doses]
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import mongoose from 'mongoose';
import { report } from './calculation-data.mjs';

const DOSES = Number(process.argv[2] ?? 20_000);
const ROWS_AT_ONCE = 500;
/** Besides inserting, an import reads, validates, checks twice for existing rows, and stores each piece until it is written. */
const LIMIT = 4;
const HOUR = 3_600_000;
const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const folder = mkdtempSync(path.join(tmpdir(), 'vialbook-bench-'));
const env = { ...process.env, DATA_DIR: path.join(folder, 'data'), VIALBOOK_PASSWORD: 'blue-kettle-47' };
const cli = path.join(root, 'build/cli/main.js');

function vialbook(...args) {
  const { status, stderr } = spawnSync(process.execPath, [cli, ...args], { env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`vialbook ${args.join(' ')} ended with ${status}: ${stderr}`);
}

function table() {
  const first = Date.UTC(2006, 0, 1);
  const rows = Array.from(
    { length: DOSES },
    (_, index) => `${new Date(first + index * 8 * HOUR).toISOString()},BPC-157,250,mcg`,
  );
  return `takenAt,name,amount,unit\n${rows.join('\n')}\n`;
}

/** Seconds that the driver takes to insert the imported rows into a similar collection. */
async function bareSeconds() {
  const socket = path.join(folder, 'db.sock');
  const server = spawn(process.execPath, [cli, 'db', 'serve', '--socket', socket], { env });
  await once(server.stdout, 'data');
  const uri = `mongodb://${encodeURIComponent(socket)}/vialbook?directConnection=true`;
  const client = await new mongoose.mongo.MongoClient(uri).connect();
  try {
    const doses = client.db().collection('doses');
    const rows = await doses.find().toArray();
    if (rows.length !== DOSES) throw new Error(`${rows.length} of ${DOSES} doses were imported`);
    const bare = client.db().collection('bare_doses');
    const indexes = (await doses.listIndexes().toArray()).filter(({ name }) => name !== '_id_');
    await bare.createIndexes(indexes.map(({ key, name }) => ({ key, name })));
    const begin = performance.now();
    for (let at = 0; at < rows.length; at += ROWS_AT_ONCE)
      await bare.insertMany(rows.slice(at, at + ROWS_AT_ONCE), { ordered: false });
    return (performance.now() - begin) / 1000;
  } finally {
    await client.close();
    server.kill('SIGTERM');
    await once(server, 'exit');
  }
}

try {
  const file = path.join(folder, 'doses.csv');
  writeFileSync(file, table());
  vialbook('admin', 'create', 'bench@example.org', '--yes');
  vialbook('admin', 'upgrade', 'bench@example.org', '--reason', 'bench', '--yes');
  const begin = performance.now();
  vialbook('import', '--user', 'bench@example.org', file, '--yes');
  const seconds = (performance.now() - begin) / 1000;
  const bare = await bareSeconds();
  console.log(
    `${DOSES} doses: ${seconds.toFixed(1)} s, ${Math.round(DOSES / seconds)} a second; inserted alone ${bare.toFixed(1)} s`,
  );
  report(
    'import of doses ÷ plain inserts with the same indexes',
    seconds / bare,
    `<= ${LIMIT}`,
    seconds / bare <= LIMIT,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
