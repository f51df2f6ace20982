// Rounds of SIGKILL during mixed writes by two processes over one directory, with a full check after each. In every third
// round, the first one is killed while compacting.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { NS, PAIRS, stateAfter } from './kill-model.mjs';

const WRITER = fileURLToPath(new URL('./kill-writer.mjs', import.meta.url));
const WAIT_MS = 60_000;

class Writer {
  #output = '';
  #errors = '';

  constructor(url, dir, name, clients, ...tasks) {
    this.name = name;
    this.process = spawn(process.execPath, [WRITER, url, dir, name, String(clients), ...tasks], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.process.stdout.on('data', (chunk) => (this.#output += chunk));
    this.process.stderr.on('data', (chunk) => (this.#errors += chunk));
    this.ended = new Promise((resolve) =>
      this.process.on('close', (code, signal) => resolve({ code, signal })),
    );
  }

  get lines() {
    return this.#output.split('\n').slice(0, -1);
  }

  /** Waits until it has acknowledged this many more steps. */
  acknowledge(more) {
    const expected = this.lines.length + more;
    return this.until(() => this.lines.length >= expected);
  }

  async until(condition) {
    for (const until = Date.now() + WAIT_MS; !condition();) {
      if (this.hasEnded) throw await this.#endedByItself();
      if (Date.now() > until) throw this.#hangs();
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  }

  /** The error for a hanging writer, with its last output and what its threads are waiting for. */
  #hangs() {
    const tasks = `/proc/${this.process.pid}/task`;
    const look = (thread, what) => readFileSync(`${tasks}/${thread}/${what}`, 'utf8').trim();
    const threads = existsSync(tasks) ? readdirSync(tasks) : [];
    const waits = threads.map((thread) => `${look(thread, 'comm')}: ${look(thread, 'wchan')}`);
    return new Error(
      `writer ${this.name} hangs after ${this.lines.at(-1)} (${waits.join(', ')}): ${this.#errors}`,
    );
  }

  get isCompacting() {
    return this.lines.findLast((line) => line.startsWith('compact')) === 'compacting 1';
  }

  async kill() {
    this.process.kill('SIGKILL');
    const { signal } = await this.ended;
    if (signal !== 'SIGKILL') throw await this.#endedByItself();
  }

  get hasEnded() {
    return this.process.exitCode !== null || this.process.signalCode !== null;
  }

  /** The error for a writer that ended without being killed; a crash in native code has a signal instead of an exit code. */
  async #endedByItself() {
    const { code, signal } = await this.ended;
    return new Error(
      `writer ${this.name} ended by itself (${signal ?? code}) after ${this.lines.at(-1)}: ${this.#errors}`,
    );
  }

  /** The last acknowledged step of each client. */
  get steps() {
    const steps = new Map();
    for (const line of this.lines) {
      const [id, step] = line.split(' ');
      if (id.startsWith(`${this.name}.`)) steps.set(id, Number(step));
    }
    return steps;
  }

  get moves() {
    return this.lines.filter((line) => line.startsWith('moved')).length;
  }
}

/** The problems of a store after a crash; empty if nothing acknowledged was lost. */
async function problemsOf(store, steps, moves) {
  const problems = [...(await store.verify()).problems];
  store.read((view) => {
    for (const [id, step] of steps) {
      const stored = view.findOne(NS, { filter: { _id: id } })?.doc ?? null;
      // The step after the last acknowledged one may already have been on disk when the process died.
      const allowed = [stateAfter(id, step), stateAfter(id, step + 1)];
      const fits =
        stored === null ? allowed.includes(null) : allowed.some((state) => isDeepStrictEqual(state, stored));
      if (!fits)
        problems.push(`${id}: acknowledged step ${step}, stored ${JSON.stringify(stored)?.slice(0, 120)}`);
    }
    const balance = (id) => view.findOne(PAIRS, { filter: { _id: id } })?.doc.balance ?? 0;
    if (balance('left') + balance('right') !== 0) problems.push('a write was stored by half');
    if (balance('right') < moves) problems.push(`${moves} moves acknowledged, ${balance('right')} stored`);
  });
  return problems;
}

const randomPause = (mostMs) => new Promise((resolve) => setTimeout(resolve, Math.random() * mostMs));

/**
 * Runs the rounds. In each, two processes write; one is killed at a random moment, the other must continue and is then
 * killed too. In every third round, the first is killed while compacting, at any moment from the copy to the swap.
 * @returns the number of acknowledged writes, the number of kills during a compaction, and the problems found (ideally
 * none)
 */
export async function killRounds({ url, dir, rounds, clients = 8, onRound = () => undefined }) {
  const { openStore } = await import(url);
  const outcome = { acknowledged: 0, compactions: 0, problems: [] };
  let moves = 0;
  for (let round = 1; round <= rounds && outcome.problems.length === 0; round++) {
    const compacts = round % 3 === 0;
    const writers = ['a', 'b'].map(
      (name) => new Writer(url, dir, name, clients, ...(compacts && name === 'a' ? ['compact'] : [])),
    );
    await Promise.all(writers.map((writer) => writer.acknowledge(2)));
    const [first, second] = compacts || Math.random() < 0.5 ? writers : [...writers].reverse();
    await randomPause(150);
    if (compacts) {
      await first.until(() => first.isCompacting);
      await randomPause(40);
    }
    await first.kill();
    if (first.isCompacting) outcome.compactions += 1;
    await second.acknowledge(20);
    await second.kill();
    const steps = new Map(writers.flatMap((writer) => [...writer.steps]));
    moves += writers.reduce((sum, writer) => sum + writer.moves, 0);
    outcome.acknowledged += writers.reduce((sum, writer) => sum + writer.lines.length - 1, 0);
    const store = await openStore({ dir });
    outcome.problems = await problemsOf(store, steps, moves);
    await store.close();
    onRound(round, outcome);
  }
  return outcome;
}
