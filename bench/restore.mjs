// The restore drill: a backup of many documents, restored into an empty embedded store and into a replica set, holds the same.
//   npm run build && npm run bench -- restore [--documents 1000000] [--into embedded,replica-set]
import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import mongoose from 'mongoose';
import { contentOf, served } from '../scripts/database-content.mjs';
import { startReplicaSet } from '../scripts/mongodb.mjs';
import { check, verdict } from './load/count.mjs';
import { registerPeople, signIn } from './load/people.mjs';
import { newFolder, startWeb } from './load/processes.mjs';
import { call } from './load/two-users.mjs';

const option = (name, otherwise) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? otherwise : process.argv[at + 1];
};
const DOCUMENTS = Number(option('documents', '1000000'));
const INTO = option('into', 'embedded,replica-set').split(',');
const BATCH = 5000;
const CLI = path.join(import.meta.dirname, '../build/cli/main.js');

function vialbook(env, ...args) {
  const begin = performance.now();
  const { status, stderr } = spawnSync(process.execPath, [CLI, ...args], {
    env: { PATH: process.env.PATH, SESSION_SECRET: 'x'.repeat(40), ...env },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`vialbook ${args.join(' ')}: ${stderr}`);
  return (performance.now() - begin) / 1000;
}

/** Copies of the one dose in a store, in which every field that tells doses apart differs. */
async function fill(uri) {
  const client = new mongoose.mongo.MongoClient(uri);
  try {
    const rows = client.db().collection('doses');
    const sample = await rows.findOne({}, { promoteValues: false });
    for (let from = 1; from < DOCUMENTS; from += BATCH) {
      const copies = Array.from({ length: Math.min(BATCH, DOCUMENTS - from) }, (_none, index) => {
        const number = from + index;
        const _id = `dose_${String(number).padStart(12, '0')}`;
        const at = new Date(1_500_000_000_000 + number * 60_000);
        return { ...sample, _id, name: `Row ${number} ä 注`, dueDate: at, takenAt: at };
      });
      await rows.insertMany(copies, { ordered: false });
    }
  } finally {
    await client.close();
  }
}

/** A data directory with one person, who has a dose, and its copies. */
async function filled(folder) {
  const dir = path.join(folder, 'origin');
  const web = await startWeb({ DATA_DIR: dir });
  const [person] = await registerPeople(web.port, 1);
  const { token } = await signIn(web.port, person);
  const dose = { name: 'Row 0', actualDose: '0.25', doseUnit: 'mg' };
  const { status, body } = await call(web.port, token, 'POST', '/api/schedules/doses', dose);
  if (status !== 201) throw new Error(`a dose: ${status} ${body.slice(0, 200)}`);
  await web.stop();
  await served(dir, fill);
  return dir;
}

function compare(name, sent, arrived) {
  // A server removes what is over, such as counts of requests, while it is compared.
  const names = Object.keys({ ...sent, ...arrived }).filter((one) => !(sent[one] ?? arrived[one]).expires);
  const others = names.filter((one) => JSON.stringify(sent[one]) !== JSON.stringify(arrived[one]));
  const count = Object.values(arrived).reduce((sum, collection) => sum + collection.count, 0);
  check(
    `${name}: the same ${count} documents and indexes, but for what expires`,
    others.length === 0,
    others.join(', '),
  );
}

const { folder, remove } = newFolder();
try {
  const origin = await filled(folder);
  const sent = await served(origin, contentOf);
  check(`there are ${DOCUMENTS} doses`, sent.doses.count === DOCUMENTS, String(sent.doses.count));
  const file = path.join(folder, 'all.backup');
  const backup = vialbook({ DATA_DIR: origin }, 'db', 'backup', '--out', file);
  console.log(`backup: ${backup.toFixed(0)} s, ${(statSync(file).size / 1e6).toFixed(0)} MB`);
  if (INTO.includes('embedded')) {
    const dir = path.join(folder, 'back');
    const seconds = vialbook({ DATA_DIR: dir }, 'db', 'restore', file);
    compare(`embedded, ${seconds.toFixed(0)} s`, sent, await served(dir, contentOf));
    vialbook({ DATA_DIR: dir }, 'db', 'verify');
  }
  if (INTO.includes('replica-set')) {
    const set = await startReplicaSet();
    try {
      const uri = set.uriOf('vialbook');
      const env = { DATA_DIR: path.join(folder, 'unused'), MONGODB_URI: uri };
      const seconds = vialbook(env, 'db', 'restore', file);
      compare(`replica set, ${seconds.toFixed(0)} s`, sent, await contentOf(uri));
      const again = path.join(folder, 'again.backup');
      vialbook(env, 'db', 'backup', '--out', again);
      const dir = path.join(folder, 'from-set');
      vialbook({ DATA_DIR: dir }, 'db', 'restore', again);
      compare(
        'replica set, backed up and restored into an embedded store',
        sent,
        await served(dir, contentOf),
      );
    } finally {
      await set.stop();
    }
  }
} finally {
  remove();
}
verdict('restore');
