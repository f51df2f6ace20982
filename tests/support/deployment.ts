import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { CLI_PATH } from './cli.ts';

/** A database in a separate process, whose address stays the same when it is stopped and started. */
export interface Deployment {
  /** For `MONGODB_URI`. */
  uri: string;
  /** Its data directory, to inspect while it is stopped. */
  dataDir: string;
  start(): Promise<void>;
  stop(signal?: NodeJS.Signals): Promise<void>;
  dispose(): Promise<void>;
}

/** A deployment that is not started yet: `vialbook db serve` on a socket. */
export async function newDeployment(): Promise<Deployment> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'vialbook-db-'));
  const [socket, dataDir] = [path.join(folder, 'db.sock'), path.join(folder, 'data')];
  let child: ChildProcess | null = null;
  const deployment: Deployment = {
    uri: `mongodb://${encodeURIComponent(socket)}/vialbook?directConnection=true&serverSelectionTimeoutMS=1000`,
    dataDir,
    async start() {
      await rm(socket, { force: true });
      const args = [CLI_PATH, 'db', 'serve', '--socket', socket];
      const env = { ...process.env, DATA_DIR: dataDir };
      child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
      const early = once(child, 'exit').then(() => {
        throw new Error('the database ended before it was ready');
      });
      await Promise.race([once(child.stdout as NodeJS.ReadableStream, 'data'), early]);
      early.catch(() => undefined);
    },
    async stop(signal = 'SIGTERM') {
      if (child === null || child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill(signal);
      await ended;
    },
    async dispose() {
      await deployment.stop('SIGKILL');
      await rm(folder, { recursive: true, force: true });
    },
  };
  return deployment;
}
