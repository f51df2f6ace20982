import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { isRunning } from '../storage/env/running.ts';
import { LONGEST_SOCKET_PATH } from '../wire/listener.ts';

const PREFIX = 'vialbook-';
const SOCKET_NAME = 'db.sock';
/** What the path of a directory here may take at most, so that the socket's own path fits. */
const LONGEST_DIRECTORY = LONGEST_SOCKET_PATH - SOCKET_NAME.length - 16;

/** A socket path nobody else can reach. */
export interface PrivateSocket {
  socketPath: string;
  /** Removes the directory and what is in it. */
  remove(): void;
}

/** Makes a directory of mode 0700 for the socket of this process, and clears away those of processes that are gone. */
export function makePrivateSocket(base = shortTemp()): PrivateSocket {
  removeStale(base);
  const dir = mkdtempSync(path.join(base, `${PREFIX}${process.pid}-`));
  const clear = () => rmSync(dir, { recursive: true, force: true });
  // A process that ends without closing its engine leaves nothing behind either, unless it is killed.
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

/** Directories left behind by processes of ours that were killed. */
function removeStale(base: string): void {
  for (const name of readdirSync(base)) {
    const pid = Number(new RegExp(`^${PREFIX}(\\d+)-.{6}$`).exec(name)?.[1] ?? Number.NaN);
    if (Number.isNaN(pid) || isRunning(pid)) continue;
    const dir = path.join(base, name);
    try {
      if (statSync(dir).uid === process.getuid?.()) rmSync(dir, { recursive: true, force: true });
    } catch {
      // Somebody else was quicker, or it is not ours: both are fine.
    }
  }
}
