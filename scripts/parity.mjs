// Runs the product against a MongoDB server instead of the embedded engine, in separate databases that it drops
// afterwards, and reports what works and what does not.
//   npm run build && node scripts/parity.mjs [--uri mongodb://…] [--only probes,copy,models] [--out table.md]
// Without an address it starts a server of its own, see mongodb.mjs.
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ConnectionString } from 'mongodb-connection-string-url';
import mongoose from 'mongoose';
import { contentOf, served } from './database-content.mjs';
import { startReplicaSet } from './mongodb.mjs';
import { packageProgram } from './package-program.mjs';
import { filesOf } from './parity-files.mjs';

const { MongoClient } = mongoose.mongo;
const CLI = path.resolve('build/cli/main.js');

const option = (name) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? undefined : process.argv[at + 1];
};
const ONLY = option('only')?.split(',');
const ownServer = option('uri') === undefined ? await startReplicaSet() : null;
const URI = ownServer?.uriOf('') ?? option('uri');

const PREFIX = `parity_${randomBytes(3).toString('hex')}`;
const isAsked = (name) => ONLY === undefined || ONLY.includes(name);

function uriOf(database) {
  const address = new ConnectionString(URI);
  address.pathname = `/${database}`;
  return address.href;
}

/** The first line of an error. */
const reasonOf = (error) =>
  String(error?.message ?? error)
    .split('\n')[0]
    .slice(0, 160);

function assert(holds, otherwise) {
  if (!holds) throw new Error(otherwise);
}

async function codeOf(promise) {
  try {
    await promise;
    return 0;
  } catch (error) {
    return error.code;
  }
}

/**
 * What the product needs from a server beyond reading and writing documents.
 * `need`: 'required' (wrong results without it), or what the product does without it.
 */
const PROBES = [
  {
    name: 'a unique index refuses a second row with code 11000',
    need: 'required',
    async run(db) {
      const rows = db.collection('unique');
      await rows.createIndex({ userId: 1, key: 1 }, { unique: true });
      await rows.insertOne({ _id: 'a', userId: 'u', key: 1 });
      const code = await codeOf(rows.insertOne({ _id: 'b', userId: 'u', key: 1 }));
      assert(code === 11000, `code ${code}`);
    },
  },
  {
    name: 'an unordered insert writes what it can and names each existing row',
    need: 'required',
    async run(db) {
      const rows = db.collection('unordered');
      await rows.insertMany([{ _id: 1 }, { _id: 3 }]);
      const failed = await rows
        .insertMany(
          [1, 2, 3, 4].map((_id) => ({ _id })),
          { ordered: false },
        )
        .then(
          () => [],
          (error) => [error.writeErrors].flat().map(({ code }) => code),
        );
      assert(failed.join() === '11000,11000', `errors ${failed.join()}`);
      assert((await rows.countDocuments({})) === 4, 'not all were written');
    },
  },
  {
    name: 'of eight clients that remove one row at once, one gets it (findAndModify)',
    need: 'required',
    async run(db) {
      const rows = db.collection('claims');
      for (let round = 0; round < 20; round += 1) {
        await rows.insertOne({ _id: round });
        const got = await Promise.all(Array.from({ length: 8 }, () => rows.findOneAndDelete({ _id: round })));
        const winners = got.filter((row) => row !== null).length;
        assert(winners === 1, `${winners} got the same row`);
      }
    },
  },
  {
    name: 'of eight clients that claim one row at once, one gets it (update with a condition)',
    need: 'required',
    async run(db) {
      const rows = db.collection('leases');
      for (let round = 0; round < 20; round += 1) {
        await rows.insertOne({ _id: round, claim: null });
        const claims = Array.from({ length: 8 }, (_, claim) =>
          rows.updateOne({ _id: round, claim: null }, { $set: { claim } }),
        );
        const winners = (await Promise.all(claims)).filter(({ modifiedCount }) => modifiedCount === 1).length;
        assert(winners === 1, `${winners} claimed the same row`);
      }
    },
  },
  {
    name: '100 increments at once add up to 100',
    need: 'required',
    async run(db) {
      const rows = db.collection('counters');
      await rows.insertOne({ _id: 'n', n: 0 });
      await Promise.all(Array.from({ length: 100 }, () => rows.updateOne({ _id: 'n' }, { $inc: { n: 1 } })));
      const { n } = await rows.findOne({ _id: 'n' });
      assert(n === 100, `they add up to ${n}`);
    },
  },
  {
    name: 'concurrent upserts of one new row create one row',
    need: 'required',
    async run(db) {
      const rows = db.collection('upserts');
      const upsert = () => rows.updateOne({ _id: 'n' }, { $inc: { n: 1 } }, { upsert: true });
      const codes = await Promise.all(Array.from({ length: 8 }, () => codeOf(upsert())));
      assert(
        codes.every((code) => code === 0 || code === 11000),
        `codes ${codes.join()}`,
      );
      assert((await rows.countDocuments({})) === 1, 'more than one row');
    },
  },
  {
    name: 'update operators: $set $unset $inc $max $push $pull $addToSet $setOnInsert',
    need: 'required',
    async run(db) {
      const rows = db.collection('updates');
      await rows.insertOne({ _id: 1, gone: 1, n: 1, list: [1], set: ['a'] });
      await rows.updateOne(
        { _id: 1 },
        { $set: { s: 1 }, $unset: { gone: 1 }, $inc: { n: 2 }, $max: { m: 5 } },
      );
      await rows.updateOne({ _id: 1 }, { $push: { list: { $each: [2, 3] } }, $addToSet: { set: 'a' } });
      await rows.updateOne({ _id: 1 }, { $pull: { list: 1 }, $setOnInsert: { never: 1 } }, { upsert: true });
      const row = await rows.findOne({ _id: 1 });
      // New fields may be in any order.
      const sorted = JSON.stringify(Object.entries(row).toSorted());
      assert(sorted === '[["_id",1],["list",[2,3]],["m",5],["n",3],["s",1],["set",["a"]]]', sorted);
    },
  },
  {
    name: 'filters: ranges, $in, $nin, $ne, $not, $or, $exists, null, regular expressions without case',
    need: 'required',
    async run(db) {
      const rows = db.collection('filters');
      await rows.insertMany([
        { _id: 1, text: 'Alpha.*', at: new Date(1), none: null },
        { _id: 2, text: 'beta', at: new Date(2) },
        { _id: 3, text: 'gamma', at: new Date(3), none: 1 },
      ]);
      const ids = async (filter) =>
        (await rows.find(filter).sort({ _id: 1 }).toArray()).map(({ _id }) => _id).join();
      const checks = [
        [{ at: { $gt: new Date(1), $lte: new Date(3) } }, '2,3'],
        [{ _id: { $in: [1, 3] }, text: { $nin: ['gamma'] } }, '1'],
        [{ none: null }, '1,2'],
        [{ none: { $exists: true } }, '1,3'],
        [{ at: { $not: { $gt: new Date(1) } } }, '1'],
        [{ $or: [{ text: { $regex: 'alpha\\.\\*', $options: 'i' } }, { _id: 3 }] }, '1,3'],
        [{ _id: { $ne: 2 } }, '1,3'],
      ];
      for (const [filter, expected] of checks) {
        const found = await ids(filter);
        assert(found === expected, `${JSON.stringify(filter)} finds ${found} instead of ${expected}`);
      }
    },
  },
  {
    name: 'sorts by several fields in both directions, skips and limits',
    need: 'required',
    async run(db) {
      const rows = db.collection('sorts');
      await rows.createIndex({ userId: 1, at: -1, _id: -1 });
      await rows.insertMany([1, 2, 3, 4].map((_id) => ({ _id, userId: 'u', at: _id % 2 })));
      const found = await rows.find({ userId: 'u' }).sort({ at: -1, _id: -1 }).skip(1).limit(2).toArray();
      assert(found.map(({ _id }) => _id).join() === '1,4', JSON.stringify(found));
    },
  },
  {
    name: 'groupings: $match, $group with $sum and a key of several fields, $sort',
    need: 'required',
    async run(db) {
      const rows = db.collection('groups');
      await rows.insertMany([1, 2, 3].map((_id) => ({ _id, day: _id % 2 ? 'a' : 'b', n: _id })));
      const found = await rows
        .aggregate([
          { $match: { n: { $gt: 0 } } },
          { $group: { _id: { day: '$day' }, count: { $sum: 1 }, sum: { $sum: '$n' } } },
          { $sort: { '_id.day': 1 } },
        ])
        .toArray();
      const expected = '[{"_id":{"day":"a"},"count":2,"sum":4},{"_id":{"day":"b"},"count":1,"sum":2}]';
      assert(JSON.stringify(found) === expected, JSON.stringify(found));
    },
  },
  {
    name: 'groupings by the largest value, a condition, a month, a quarter of an hour',
    need: 'required',
    async run(db) {
      const rows = db.collection('expressions');
      await rows.insertOne({ _id: 1, at: new Date('2026-03-04T05:06:07Z'), n: 5, kind: 'a' });
      const [found] = await rows
        .aggregate([
          {
            $group: {
              _id: {
                month: { $dateToString: { date: '$at', format: '%Y-%m' } },
                quarter: { $subtract: ['$at', { $mod: [{ $subtract: ['$at', new Date(0)] }, 900_000] }] },
              },
              last: { $max: '$at' },
              some: { $sum: { $cond: [{ $eq: ['$kind', 'a'] }, '$n', 0] } },
            },
          },
        ])
        .toArray();
      const { month, quarter } = found._id;
      const isRight = month === '2026-03' && quarter.toISOString() === '2026-03-04T05:00:00.000Z';
      assert(isRight && found.some === 5, JSON.stringify(found));
    },
  },
  {
    name: 'a hint names the index to use',
    need: 'required',
    async run(db) {
      const rows = db.collection('hints');
      await rows.createIndex({ userId: 1 });
      await rows.insertOne({ _id: 1, userId: 'u' });
      const found = await rows.find({ userId: 'u' }).hint({ userId: 1 }).toArray();
      assert(found.length === 1, 'nothing found');
    },
  },
  {
    name: 'maxTimeMS is taken by find, count and aggregate',
    need: 'required',
    async run(db) {
      const rows = db.collection('times');
      await rows.insertOne({ _id: 1 });
      await rows.findOne({}, { maxTimeMS: 10_000 });
      await rows.countDocuments({}, { maxTimeMS: 10_000 });
      await rows.aggregate([{ $match: {} }], { maxTimeMS: 10_000 }).toArray();
    },
  },
  {
    name: 'maxTimeMS ends a long search with code 50',
    need: 'slow searches run to the end',
    async run(db) {
      const rows = db.collection('slow');
      const text = 'x'.repeat(1000);
      for (let from = 0; from < 20_000; from += 2000)
        await rows.insertMany(Array.from({ length: 2000 }, (_, index) => ({ _id: from + index, text })));
      const search = rows.find({ text: { $regex: 'y$', $options: 'i' } }, { maxTimeMS: 1 }).toArray();
      const code = await codeOf(search);
      assert(code === 50, code === 0 ? 'it ran to the end' : `code ${code}`);
    },
  },
  {
    name: 'TTL indexes',
    need: 'the job `clear-expired` removes the rows',
    run: (db) => db.collection('expiry').createIndex({ at: 1 }, { expireAfterSeconds: 0 }),
  },
  {
    name: 'file chunks: 255 kB of binary in a document',
    need: 'required',
    async run(db) {
      const bytes = randomBytes(255 * 1024);
      await db.collection('chunks').insertOne({ _id: 1, data: bytes });
      const { data } = await db.collection('chunks').findOne({ _id: 1 });
      assert(Buffer.from(data.buffer).equals(bytes), 'other bytes came back');
    },
  },
  {
    name: 'a retryable write is applied once',
    need: 'an interrupted write is not sent again',
    async run(db) {
      const { setName } = await db.admin().command({ isMaster: 1 });
      assert(setName !== undefined, 'it is not a replica set');
    },
  },
];

async function probe(client) {
  const rows = [];
  for (const [index, { name, need, run }] of PROBES.entries()) {
    const database = client.db(`${PREFIX}_p${index}`);
    const outcome = await run(database).then(
      () => 'yes',
      (error) => reasonOf(error),
    );
    await database.dropDatabase().catch(() => undefined);
    rows.push({ name, need, outcome });
    console.log(
      `${outcome === 'yes' ? 'ok    ' : 'LACKS '} ${name}${outcome === 'yes' ? '' : `: ${outcome}`}`,
    );
  }
  return rows;
}

const GROUPS = {
  answers: ['integration', 'tests/integration/engine/conformance'],
  models: ['integration', 'tests/integration/models'],
  services: ['integration', 'tests/integration/features', 'tests/integration/platform'],
  routes: ['integration', 'tests/integration/routes'],
  api: ['integration', 'tests/integration/api'],
  worker: ['integration', 'tests/integration/server'],
  terminal: ['integration', 'tests/integration/cli'],
  journey: ['browser', 'tests/browser/main-journey.spec.ts'],
};

/** A server's error is the cause of ours. */
const causeOf = (message) => {
  const lines = message.split('\n');
  return (lines.find((line) => /Mongo\w*Error/.test(line)) ?? lines[0] ?? '')
    .replace(/[\w-]{24,}/g, '…')
    .slice(0, 160);
};

function runGroup(name, [project, ...places], folder) {
  const output = path.join(folder, `${name}.json`);
  const args = ['run', '--project', project, '--reporter=json', `--outputFile=${output}`];
  spawnSync(process.execPath, [packageProgram('vitest'), ...args, ...places.flatMap(filesOf)], {
    env: { ...process.env, NODE_ENV: 'test', PARITY_URI: URI, PARITY_PREFIX: PREFIX, TEST_MONGODB_URI: URI },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const { numPassedTests, numFailedTests, numPendingTests, testResults } = JSON.parse(
    readFileSync(output, 'utf8'),
  );
  const failures = testResults.flatMap(({ name: file, message, assertionResults }) => [
    ...assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName, failureMessages }) => ({
        file,
        test: fullName,
        cause: causeOf(failureMessages.join('\n')),
      })),
    // A file that fails while loading has no test results.
    ...(message ? [{ file, test: '(the whole file)', cause: causeOf(message) }] : []),
  ]);
  console.log(`${name}: ${numPassedTests} passed, ${numFailedTests} failed, ${numPendingTests} not run`);
  for (const { file, test, cause } of failures)
    console.log(`  ${path.relative('.', file)}: ${test}\n    ${cause}`);
  return { name, passed: numPassedTests, failed: numFailedTests, skipped: numPendingTests, failures };
}

function vialbook(env, ...args) {
  const { status, stderr } = spawnSync(process.execPath, [CLI, ...args], {
    env: { PATH: process.env.PATH, VIALBOOK_PASSWORD: 'blue-kettle-47', ...env },
    encoding: 'utf8',
  });
  assert(status === 0, `vialbook ${args.slice(0, 2).join(' ')}: ${stderr}`);
}

/** An account with 3,000 calculations, in a data directory of the embedded engine. */
function fill(dir) {
  const env = { DATA_DIR: dir };
  vialbook(env, 'admin', 'create', 'copy@example.org');
  const calculations = Array.from({ length: 3000 }, (_, index) => ({
    id: `calc_${String(index).padStart(12, '0')}`,
    createdAt: new Date(Date.UTC(2026, 0, 1) + index * 1000).toISOString(),
    peptideName: `Row ${index} ä 注`,
    peptideAmount: 5,
    waterVolume: 2,
    desiredDose: 0.25,
  }));
  const file = path.join(dir, 'calculations.json');
  writeFileSync(file, JSON.stringify({ calculations }));
  vialbook(env, 'import', '--user', 'copy@example.org', file);
}

/** `db copy` to the server, then `db backup` and `db restore` back, with the same contents. */
async function copyThereAndBack(folder) {
  const [origin, back] = [path.join(folder, 'origin'), path.join(folder, 'back')];
  const there = uriOf(`${PREFIX}_copy`);
  const archive = path.join(folder, 'there.backup');
  const secret = { SESSION_SECRET: 'x'.repeat(40) };
  fill(origin);
  vialbook({ DATA_DIR: origin }, 'db', 'copy', '--to', there);
  vialbook(
    { DATA_DIR: path.join(folder, 'unused'), MONGODB_URI: there, ...secret },
    'db',
    'backup',
    '--out',
    archive,
  );
  vialbook({ DATA_DIR: back }, 'db', 'restore', archive);
  const [sent, arrived] = [await served(origin, contentOf), await served(back, contentOf)];
  const differing = Object.keys({ ...sent, ...arrived }).filter(
    (name) => JSON.stringify(sent[name]) !== JSON.stringify(arrived[name]),
  );
  const documents = Object.values(sent).reduce((sum, { count }) => sum + count, 0);
  assert(differing.length === 0, `different contents in ${differing.join(', ')}`);
  return `${documents} documents in ${Object.keys(sent).length} collections, the same after a round trip`;
}

async function dropAll(client) {
  const { databases } = await client.db('admin').command({ listDatabases: 1, nameOnly: true });
  for (const { name } of databases) if (name.startsWith(PREFIX)) await client.db(name).dropDatabase();
}

function table({ version, probes, copied, groups }) {
  const lines = [
    `Server: ${version}`,
    '',
    '| what the product needs | supported | without it |',
    '|---|---|---|',
  ];
  for (const { name, need, outcome } of probes)
    lines.push(
      `| ${name} | ${outcome === 'yes' ? 'yes' : `no: ${outcome}`} | ${need === 'required' ? 'does not work' : need} |`,
    );
  lines.push('', '| tests | passed | failed |', '|---|---|---|');
  for (const { name, passed, failed } of groups) lines.push(`| ${name} | ${passed} | ${failed} |`);
  if (copied !== null) lines.push('', `Round-trip copy: ${copied}`);
  return `${lines.join('\n')}\n`;
}

const folder = mkdtempSync(path.join(tmpdir(), 'vialbook-parity-'));
const client = new MongoClient(URI, { serverSelectionTimeoutMS: 5000 });
try {
  await client.connect();
  const { version } = await client.db('admin').command({ buildInfo: 1 });
  console.log(`server ${version}`);
  const probes = isAsked('probes') ? await probe(client) : [];
  let copied = null;
  if (isAsked('copy')) {
    copied = await copyThereAndBack(folder).catch((error) => `failed: ${reasonOf(error)}`);
    console.log(`copy: ${copied}`);
  }
  const groups = Object.entries(GROUPS)
    .filter(([name]) => isAsked(name))
    .map(([name, group]) => runGroup(name, group, folder));
  const out = option('out');
  if (out !== undefined) writeFileSync(out, table({ version, probes, copied, groups }));
  const lacks = probes.filter(({ need, outcome }) => need === 'required' && outcome !== 'yes');
  const failed = groups.reduce((sum, group) => sum + group.failures.length, 0);
  const isWhole = lacks.length + failed === 0 && !copied?.startsWith('failed');
  console.log(`parity: ${isWhole ? 'passed' : 'FAILED'}`);
  process.exitCode = isWhole ? 0 : 1;
} finally {
  await dropAll(client).catch((error) =>
    console.error(`the databases ${PREFIX}… could not be dropped: ${reasonOf(error)}`),
  );
  await client.close();
  await ownServer?.stop();
  rmSync(folder, { recursive: true, force: true });
}
