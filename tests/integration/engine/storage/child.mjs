// What tests run in a process of its own: node child.mjs BUNDLE_URL DIR TASK [ARGUMENT]; prints one line of JSON.
import { spawnSync } from 'node:child_process';
import process from 'node:process';
import { setImmediate, setInterval } from 'node:timers';

const [, , url, dir, task, argument] = process.argv;
const { openStore } = await import(url);
let store = await openStore({ dir });
const NS = 'app.shared';

const tasks = {
  /** Tries to insert the same unique keys as its rival; tells which it won. */
  async claim() {
    const won = [];
    for (let key = 0; key < 100; key++) {
      try {
        await store.write((txn) => txn.insert(NS, { _id: `${argument} ${key}`, key }));
        won.push(key);
      } catch (error) {
        if (error.code !== 11000) throw error;
      }
    }
    return won;
  },

  /** Adds one to a shared number, again and again. */
  async increment() {
    for (let i = 0; i < Number(argument); i++) {
      await store.write((txn) => {
        const found = txn.findOne(NS, { filter: { _id: 'counter' } });
        txn.replace(NS, found, { ...found.doc, n: found.doc.n + 1 });
      });
    }
    return Number(argument);
  },

  /** Writes until there is no room, also in a transaction, then writes again. */
  async fill() {
    const outcome = { acknowledged: 0, code: 0, message: '', transaction: 0, stray: 0 };
    process.on('unhandledRejection', () => (outcome.stray += 1));
    for (let i = 0; outcome.code === 0 && i < 5000; i++) {
      try {
        await store.write((txn) => txn.insert(NS, { _id: i, text: 'x'.repeat(2000) }));
        outcome.acknowledged += 1;
      } catch (error) {
        Object.assign(outcome, { code: error.code, message: error.message });
      }
    }
    const transaction = await store.transaction(() => undefined);
    const large = { _id: 'large', text: 'x'.repeat(8_000_000) };
    // oxlint-disable-next-line require-yield
    const inserting = transaction.change(function* (txn) {
      txn.insert(NS, large);
    });
    outcome.transaction = await inserting.then(() => transaction.commit()).catch(({ code }) => code);
    transaction.undo();
    await new Promise(setImmediate);
    const report = await store.verify();
    // There is room again, without a restart.
    spawnSync('prlimit', ['--pid', String(process.pid), '--fsize=unlimited:']);
    await store.write((txn) => txn.insert(NS, { _id: 'afterwards' }));
    return { ...outcome, documents: report.documents, ok: report.ok };
  },

  /** Compacts; tells the code and message of the refusal. */
  async compact() {
    return store.compact().catch(({ code, message }) => ({ code, message }));
  },

  /** Closes and opens the store again and again, until SIGTERM; tells how often. */
  async reopen() {
    let isOver = false;
    process.once('SIGTERM', () => (isOver = true));
    process.stdout.write('"opened"\n');
    let times = 0;
    for (; !isOver; times++) {
      await store.close();
      store = await openStore({ dir });
      store.read((view) => view.count(NS, { filter: {} }));
      await new Promise(setImmediate);
    }
    return times;
  },

  /** Holds a snapshot and waits to be killed. */
  async hold() {
    const snapshot = store.snapshot();
    snapshot.count(NS, {});
    process.stdout.write('"holding"\n');
    await new Promise(() => setInterval(() => undefined, 600_000));
  },
};

const result = await tasks[task]();
await store.close();
process.stdout.write(`${JSON.stringify(result)}\n`);
