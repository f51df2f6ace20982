// A process of the stress tests: node child.mjs BUNDLE_URL DIR TASK [NAME]. Prints what was acknowledged, until it is ended.
import { writeSync } from 'node:fs';
import process from 'node:process';
import { setImmediate } from 'node:timers';

const [, , url, dir, task, name = 'a'] = process.argv;
const { openStore } = await import(url);
const NS = 'stress.rows';
const say = (text) => writeSync(1, `${text}\n`);

const tasks = {
  /** Inserts one document after the other. */
  async write() {
    const store = await openStore({ dir });
    for (let n = 0; ; n += 1) {
      await store.write((txn) => txn.insert(NS, { _id: `${name}${n}`, n, text: 'x'.repeat(200) }));
      say(`${name}${n}`);
    }
  },

  /** Opens the store, looks whether there are fewer documents than before, and closes it. */
  async open() {
    for (let most = 0; ;) {
      const store = await openStore({ dir });
      const count = store.read((view) => view.count(NS, {}));
      await store.close();
      if (count < most) throw new Error(`there were ${most} documents, now ${count}`);
      most = count;
      say('opened');
      await new Promise(setImmediate);
    }
  },

  /** Inserts 2,000 documents, and says of each when it is acknowledged. */
  async count() {
    const store = await openStore({ dir });
    for (let n = 0; n < 2000; n += 1) {
      await store.write((txn) => txn.insert(NS, { _id: n }));
      say(`acknowledged ${n}`);
    }
    await store.close();
  },
};

await tasks[task]();
