import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { isRunning } from '../storage/env/running.ts';
import { LONGEST_SOCKET_PATH } from '../wire/listener.ts';

const PREFIX = 'vialbook-';
const SOCKET_NAME = 'db.sock';
/** The maximum length of a directory path, so that the socket's path fits the limit. */
const LONGEST_DIRECTORY = LONGEST_SOCKET_PATH - SOCKET_NAME.length - 16;

/** A socket path nobody else can reach. */
export interface PrivateSocket {
  socketPath: string;
  /** Removes the directory and its contents. */
  remove(): void;
}

/** Creates a directory of mode 0700 for this process's socket, and removes those of processes that have ended. */
export function makePrivateSocket(base = shortTemp()): PrivateSocket {
  removeStale(base);
  const dir = mkdtempSync(path.join(base, `${PREFIX}${process.pid}-`));
  const clear = () => rmSync(dir, { recursive: true, force: true });
  // So that a process that ends without closing its engine leaves nothing behind, unless it is killed.
  process.once('exit', clear);
  const remove = () => {
    process.off('exit', clear);
    clear();
  };
  return { socketPath: path.join(dir, SOCKET_NAME), remove };
}

function shortTemp(): string {
  const temp = os.tmpdir();
  return Buffer.byteLength(temp) + PREFIX.length + 16 <= LONGEST_DIRECTORY ? temp : '/tmp';
}

/** Removes directories left by our own killed processes. */
function removeStale(base: string): void {
  for (const name of readdirSync(base)) {
    const pid = Number(new RegExp(`^${PREFIX}(\\d+)-.{6}$`).exec(name)?.[1] ?? Number.NaN);
    if (Number.isNaN(pid) || isRunning(pid)) continue;
    const dir = path.join(base, name);
    try {
      if (statSync(dir).uid === process.getuid?.()) rmSync(dir, { recursive: true, force: true });
    } catch {
      // Another process has removed it, or it is not ours: both are fine.
    }
  }
}
