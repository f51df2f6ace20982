// A process that writes to a store and prints what was acknowledged to stdout, until it is killed.
// node kill-writer.mjs BUNDLE_URL DIR NAME CLIENTS [compact]
// Each client owns one document and takes it through numbered steps; each step is one write. `NAME.client step` is
// printed once the store has said that the step is on disk. Units are moved between two accounts in single writes, and
// indexes and collections are made and dropped meanwhile. With `compact` it also compacts, again and again.
import { writeSync } from 'node:fs';
import { NS, PAIRS, stateAfter } from './kill-model.mjs';

const [, , url, dir, name, clients, compacts] = process.argv;
const { openStore } = await import(url);
const store = await openStore({ dir });
const say = (text) => writeSync(1, `${text}\n`);

await store.write((txn) =>
  txn.createIndexes(NS, [
    { key: { owner: 1, step: -1 } },
    { key: { code: 1 }, unique: true },
    { key: { tag: 1 } },
  ]),
);

function take(txn, id, step) {
  const found = txn.findOne(NS, { filter: { _id: id } });
  const after = stateAfter(id, step);
  if (found && after) txn.replace(NS, found, after);
  else if (found) txn.remove(NS, found);
  else if (after) txn.insert(NS, after);
}

async function client(number) {
  const id = `${name}.${number}`;
  const known = store.read((view) => view.findOne(NS, { filter: { _id: id } }));
  // A missing document has gone through a full round of steps; the next step inserts it again.
  for (let step = known ? known.doc.step + 1 : 0; ; step++) {
    await store.write((txn) => take(txn, id, step));
    say(`${id} ${step}`);
  }
}

function addTo(txn, id, amount) {
  const found = txn.findOne(PAIRS, { filter: { _id: id } });
  if (found) txn.replace(PAIRS, found, { _id: id, balance: found.doc.balance + amount });
  else txn.insert(PAIRS, { _id: id, balance: amount });
}

/** Moves one unit from the left to the right account, so that their sum must always be 0. */
async function mover() {
  for (;;) {
    await store.write((txn) => {
      addTo(txn, 'left', -1);
      addTo(txn, 'right', 1);
    });
    say('moved 1');
  }
}

/** Repeatedly creates and drops an index and a collection, and removes what dropping left. */
async function shaper() {
  const scratch = `kill.scratch-${name}`;
  for (let turn = 0; ; turn++) {
    await store.write((txn) => txn.createIndexes(NS, [{ key: { [`shape${name}`]: 1, step: 1 } }]));
    await store.write((txn) => {
      for (let i = 0; i < 20; i++) txn.insert(scratch, { _id: i, turn });
    });
    say('shaped 1');
    await store.write((txn) => txn.dropIndexes(NS, { [`shape${name}`]: 1, step: 1 }));
    await store.write((txn) => txn.dropCollection(scratch));
    await store.sweepTtl();
    say('shaped 2');
  }
}

/** Compacts without a pause. */
async function compactor() {
  for (;;) {
    say('compacting 1');
    await store.compact();
    say('compacted 1');
  }
}

// A previous writer may have died between creating and dropping.
await store.write((txn) => txn.dropCollection(`kill.scratch-${name}`));
say('ready 0');
const loops = Array.from({ length: Number(clients) }, (_, number) => client(number));
await Promise.all([...loops, mover(), shaper(), ...(compacts ? [compactor()] : [])]);
