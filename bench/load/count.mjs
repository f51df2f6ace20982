// Checks from outside, using only the driver, whether acknowledged data was stored.
import mongoose from 'mongoose';

const { MongoClient } = mongoose.mongo;

/** How often each name is stored, over calculations and doses. */
async function storedNames(uri) {
  const client = new MongoClient(uri, { serverSelectionTimeoutMS: 20_000 });
  const counts = new Map();
  try {
    for (const [collection, field] of [
      ['calculations', 'peptideName'],
      ['doses', 'name'],
    ]) {
      const rows = client
        .db()
        .collection(collection)
        .find({}, { projection: { [field]: 1 } });
      for await (const row of rows) counts.set(row[field], (counts.get(row[field]) ?? 0) + 1);
    }
  } finally {
    await client.close();
  }
  return counts;
}

/** @returns what was acknowledged but is missing, what is stored twice, and what nobody sent */
export async function audit(uri, { sent, acknowledged }) {
  const stored = await storedNames(uri);
  const names = [...stored.keys()];
  return {
    lost: [...acknowledged].filter((name) => !stored.has(name)),
    doubled: names.filter((name) => stored.get(name) > 1),
    foreign: names.filter((name) => !sent.has(name)),
    stored: stored.size,
  };
}

let failures = 0;

/** Prints one line of a verdict. */
export function check(name, ok, detail = '') {
  console.log(`${ok ? 'ok    ' : 'FAILED'} ${name}${detail === '' ? '' : `: ${detail}`}`);
  if (!ok) failures += 1;
}

/** Checks an audit. */
export function checkAudit(what, found, { acknowledged }) {
  const some = (names) => `${names.length} (${names.slice(0, 3).join(', ')})`;
  check(
    `${what}: ${acknowledged.size} acknowledged, none lost`,
    found.lost.length === 0,
    found.lost.length ? some(found.lost) : '',
  );
  check(
    `${what}: ${found.stored} stored, none doubled`,
    found.doubled.length === 0,
    found.doubled.length ? some(found.doubled) : '',
  );
  check(
    `${what}: nothing that nobody sent`,
    found.foreign.length === 0,
    found.foreign.length ? some(found.foreign) : '',
  );
}

/** The last line, and the exit code. */
export function verdict(name) {
  console.log(`${name}: ${failures === 0 ? 'PASSED' : `FAILED (${failures})`}`);
  process.exitCode = failures === 0 ? 0 : 1;
}
