// Rounds of SIGKILL during transactions of four processes over one directory, with a full check after each.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { bundleEngine, bundleStorage } from './bundle.mjs';

const WRITER = fileURLToPath(new URL('./transaction-writer.mjs', import.meta.url));
const WAIT_MS = 120_000;

class Writer {
  #output = '';
  #errors = '';

  constructor(url, dir, name, clients) {
    this.name = name;
    this.process = spawn(process.execPath, [WRITER, url, dir, name, String(clients)], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.process.stdout.on('data', (chunk) => (this.#output += chunk));
    this.process.stderr.on('data', (chunk) => (this.#errors += chunk));
    this.ended = new Promise((resolve) =>
      this.process.on('close', (code, signal) => resolve(signal ?? code)),
    );
  }

  /** The moves that were acknowledged. */
  get moves() {
    return this.#output.split('\n').slice(0, -1);
  }

  /** Waits until this many more moves are acknowledged. */
  async acknowledge(more) {
    const expected = this.moves.length + more;
    for (const until = Date.now() + WAIT_MS; this.moves.length < expected;) {
      const hasEnded = this.process.exitCode !== null || this.process.signalCode !== null;
      if (hasEnded || Date.now() > until)
        throw new Error(`writer ${this.name} ${hasEnded ? 'ended by itself' : 'hangs'}: ${this.#errors}`);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  }

  async kill() {
    this.process.kill('SIGKILL');
    const end = await this.ended;
    if (end !== 'SIGKILL') throw new Error(`writer ${this.name} ended by itself (${end}): ${this.#errors}`);
  }
}

/** The problems of a store after a crash: acknowledged moves that are missing, undone ones that are not, wrong balances. */
async function problemsOf(store, acknowledged) {
  const problems = [...(await store.verify()).problems];
  store.read((view) => {
    const balances = new Map();
    const stored = new Set();
    const add = (account, amount) => balances.set(account, (balances.get(account) ?? 0) + amount);
    for (const { doc } of view.find('bank.moves', {})) {
      stored.add(doc._id);
      add(doc.from, -doc.amount);
      add(doc.to, doc.amount);
      if (!doc._id.startsWith('done')) problems.push(`${doc._id} is stored`);
    }
    for (const id of acknowledged) if (!stored.has(id)) problems.push(`${id} is lost`);
    for (const { doc } of view.find('bank.accounts', {}))
      if (doc.balance !== balances.get(doc._id))
        problems.push(`account ${doc._id} has ${doc.balance}, its moves make ${balances.get(doc._id)}`);
  });
  return problems;
}

/**
 * Runs the rounds. In each, four processes move amounts; one is killed at a random moment, the others must continue and are then
 * killed too.
 * @returns the number of acknowledged transactions, and the problems found (ideally none)
 */
export async function transactionRounds({ dir, rounds, clients = 3, onRound = () => undefined }) {
  const { openStore } = await import(await bundleStorage('transactions'));
  const url = await bundleEngine('transactions-engine');
  const acknowledged = [];
  let problems = [];
  for (let round = 1; round <= rounds && problems.length === 0; round++) {
    const writers = ['a', 'b', 'c', 'd'].map((name) => new Writer(url, dir, name, clients));
    await Promise.all(writers.map((writer) => writer.acknowledge(2)));
    const [first, ...others] = [...writers.slice(round % 4), ...writers.slice(0, round % 4)];
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 100));
    await first.kill();
    await Promise.all(others.map((writer) => writer.acknowledge(3)));
    await Promise.all(others.map((writer) => writer.kill()));
    acknowledged.push(...writers.flatMap((writer) => writer.moves));
    const store = await openStore({ dir });
    problems = await problemsOf(store, acknowledged);
    await store.close();
    onRound(round, acknowledged.length);
  }
  return { acknowledged: acknowledged.length, problems };
}
