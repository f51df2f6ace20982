// The services' tests on a cluster of two shards: a router over two real servers sends each command where mongos would, and counts.
//   npm run build && npm run bench -- shards [--only tests/integration/features/import,…] [--out table.md]
// Fails if a command of the program asks all shards without being on the list, or would be refused, and if a test fails.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { startReplicaSet } from '../scripts/mongodb.mjs';
import { packageProgram } from '../scripts/package-program.mjs';
import { filesOf } from '../scripts/parity-files.mjs';
import { readShardKeys } from '../scripts/sharding.mjs';
import { startRouter } from './shards/router.mjs';

const option = (name, otherwise) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? otherwise : process.argv[at + 1];
};
const PLACES = option('only', 'tests/integration/features,tests/integration/platform').split(',');
const OUT = option('out');

/** The reads that may ask all shards, with their reasons. */
async function readList(folder) {
  const outfile = path.join(folder, 'list.mjs');
  const entryPoints = ['tests/integration/models/query-exceptions.ts'];
  await build({ entryPoints, outfile, bundle: true, platform: 'node', format: 'esm', logLevel: 'error' });
  const { BROADCASTS } = await import(pathToFileURL(outfile).href);
  return new Map(
    BROADCASTS.map(({ collection, fields, reason }) => [
      `${collection}: ${fields.toSorted().join(', ')}`,
      reason,
    ]),
  );
}

/** What the tests write themselves, to set the stage. */
const OF_TESTS = new Set([
  ...['account_standings', 'deliveries', 'doses', 'stock_checks', 'subscription_events', 'users'].map(
    (name) => `delete ${name}: `,
  ),
  ...['compounds', 'doses', 'orders', 'row_counts', 'second_factors'].map((name) => `update ${name}: _id`),
  'delete compounds: _id',
]);

/** Counts of statements by collection, and those that asked all shards by their fields. */
function counter() {
  const byCollection = new Map();
  const onAll = new Map();
  const refused = new Map();
  const add = (map, name) => map.set(name, (map.get(name) ?? 0) + 1);
  return {
    byCollection,
    onAll,
    refused,
    note({ collection, name, filter, how, isWrite, isOurs, refusal }) {
      // What tests read themselves has no time limit.
      if (!isOurs) return;
      const text = `${collection}: ${Object.keys(filter).toSorted().join(', ')}`;
      if (how === 'all' && isWrite && OF_TESTS.has(`${name} ${text}`)) return;
      const line = byCollection.get(collection) ?? { all: 0, one: 0, some: 0, broadcast: 0 };
      byCollection.set(collection, line);
      line.all += 1;
      line[how === 'all' ? 'broadcast' : how] += 1;
      if (refusal !== null) add(refused, `${name} ${text} (${refusal})`);
      else if (how === 'all') add(onAll, isWrite ? `${name} ${text}` : text);
    },
  };
}

async function runTests(uri, folder) {
  const output = path.join(folder, 'tests.json');
  const args = ['run', '--project', 'integration', '--reporter=json', `--outputFile=${output}`];
  const child = spawn(process.execPath, [packageProgram('vitest'), ...args, ...PLACES.flatMap(filesOf)], {
    env: { ...process.env, NODE_ENV: 'test', PARITY_URI: uri, PARITY_PREFIX: 'shards' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await once(child, 'exit');
  const { numPassedTests, numFailedTests, testResults } = JSON.parse(readFileSync(output, 'utf8'));
  const failures = testResults.flatMap(({ name, message, assertionResults }) => {
    const failed = assertionResults.filter(({ status }) => status === 'failed');
    const file = path.relative('.', name);
    if (failed.length === 0 && message) return [`${file}: ${message.split('\n')[0]}`];
    return failed.map(
      ({ fullName, failureMessages: [first = ''] }) => `${file}: ${fullName}: ${first.slice(0, 300)}`,
    );
  });
  return { passed: numPassedTests, failed: numFailedTests, failures };
}

function table({ byCollection, onAll }, list) {
  const lines = [
    '| collection | statements | one shard | some shards by name | all shards |',
    '|---|---|---|---|---|',
  ];
  const sums = { all: 0, one: 0, some: 0, broadcast: 0 };
  for (const [name, line] of [...byCollection].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    lines.push(`| \`${name}\` | ${line.all} | ${line.one} | ${line.some} | ${line.broadcast} |`);
    for (const field of Object.keys(sums)) sums[field] += line[field];
  }
  lines.push(`| all | ${sums.all} | ${sums.one} | ${sums.some} | ${sums.broadcast} |`);
  lines.push('', '| asks all shards | times | why |', '|---|---|---|');
  for (const [text, times] of [...onAll].toSorted(([, a], [, b]) => b - a))
    lines.push(`| ${text} | ${times} | ${list.get(text) ?? 'NOT LISTED'} |`);
  return lines.join('\n');
}

const folder = mkdtempSync(path.join(tmpdir(), 'vialbook-shards-'));
const sets = [];
let router;
try {
  sets.push(await startReplicaSet(), await startReplicaSet());
  const list = await readList(folder);
  const counts = counter();
  const ports = sets.map(({ members }) => members[0].port);
  router = await startRouter({ ports, keys: readShardKeys(), note: counts.note });
  const result = await runTests(`mongodb://127.0.0.1:${router.port}/`, folder);
  const text = table(counts, list);
  console.log(text);
  if (OUT !== undefined) writeFileSync(OUT, `${text}\n`);
  const unlisted = [...counts.onAll.keys()].filter((name) => !list.has(name));
  for (const name of unlisted) console.log(`asks all shards, not listed: ${name}`);
  for (const [name, times] of counts.refused) console.log(`refused: ${name} (${times} times)`);
  for (const failure of result.failures) console.log(`failed: ${failure}`);
  const { transactions, onTwoShards } = router.counts;
  console.log(`tests: ${result.passed} passed, ${result.failed} failed`);
  console.log(`transactions: ${transactions}, of which on two shards ${onTwoShards}`);
  const isGood = unlisted.length + counts.refused.size + result.failures.length === 0 && result.passed > 0;
  console.log(`shards: ${isGood ? 'passed' : 'FAILED'}`);
  process.exitCode = isGood ? 0 : 1;
} finally {
  router?.close();
  await Promise.all(sets.map((set) => set.stop()));
  rmSync(folder, { recursive: true, force: true });
}
