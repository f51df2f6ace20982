import { randomBytes } from 'node:crypto';
import { makePrivateSocket } from './host/socket-path.ts';
import { EngineStartError, startWorker } from './host/worker-handle.ts';
import type { WorkerSettings } from './host/protocol.ts';
import type { LogEntry } from './log.ts';

import type { ListenAddress } from './wire/listener.ts';

export { CopyError, copyDeployment } from './copy.ts';
export type { CopyClient, CopyOptions, CopyProgress, CopyReport } from './copy.ts';
export { archiveDeployment, restoreDeployment } from './deployment-archive.ts';
export type { ArchiveDatabase } from './deployment-archive.ts';
export { EngineStartError };
export { backupStore, compactStore, restoreStore, storeStats, verifyStore } from './host/maintenance.ts';
export type { MaintenanceOptions, StoreStats } from './host/maintenance.ts';
export { TrialRestoreError, tryRestore } from './host/trial-restore.ts';
export type { ArchiveSummary, CompactReport, StorageSize, VerifyReport } from './storage/index.ts';
export type { LogEntry, LogLevel } from './log.ts';

/** A running engine. */
export interface EngineHandle {
  /** A connection string for any MongoDB driver. */
  uri: string;
  close(): Promise<void>;
}

export interface EngineOptions {
  /** The data directory; created if missing. Several processes may share it. */
  dir: string;
  /** Receives the engine's log lines, which are otherwise dropped. */
  log?: (entry: LogEntry) => void;
  /** Called when the engine died too often or does not restart; restarts are tried from time to time. */
  onLost?: (error: Error) => void;
}

const DATABASE = 'vialbook';
const USER = 'vialbook';

function connectionString(host: string, credentials?: { name: string; password: string }): string {
  const signIn = credentials ? `${credentials.name}:${credentials.password}@` : '';
  const authSource = credentials ? 'authSource=admin&' : '';
  return `mongodb://${signIn}${host}/${DATABASE}?${authSource}directConnection=true`;
}

/**
 * Starts the engine for this process only: in a worker thread, behind a socket that only this user can reach, or, where
 * there are no unix sockets, behind a loopback port and a secret.
 * @throws EngineStartError when the data cannot be used; its message says what to do.
 */
export async function startEngine(options: EngineOptions): Promise<EngineHandle> {
  if (process.platform === 'win32') return serveEngine({ ...options, port: 0 });
  const socket = makePrivateSocket();
  try {
    const handle = await startWorker({
      ...common(options),
      settings: settingsOf(options, { socketPath: socket.socketPath }),
    });
    const close = async () => {
      await handle.close();
      socket.remove();
    };
    return { uri: connectionString(encodeURIComponent(socket.socketPath)), close };
  } catch (error) {
    socket.remove();
    throw error;
  }
}

export interface ServeEngineOptions extends EngineOptions {
  /** Listen on this port of 127.0.0.1 (0: any free one), with SCRAM-SHA-256 and a new password. */
  port?: number;
  /** Or on this unix socket, mode 0600, without a password. */
  socket?: string;
}

/**
 * Serves a data directory to other programs (mongosh, Compass, scripts).
 * @throws EngineStartError when the data cannot be used or the address is taken.
 */
export async function serveEngine(options: ServeEngineOptions): Promise<EngineHandle> {
  const { socket } = options;
  if (socket !== undefined) {
    if (!socket.endsWith('.sock'))
      throw new EngineStartError(
        'the socket must be named *.sock, because drivers recognise sockets by that ending',
        'BadValue',
      );
    const handle = await startWorker({
      ...common(options),
      settings: settingsOf(options, { socketPath: socket }),
    });
    return { uri: connectionString(encodeURIComponent(socket)), close: () => handle.close() };
  }
  const user = { name: USER, password: randomBytes(24).toString('base64url') };
  const handle = await startWorker({
    ...common(options),
    settings: { ...settingsOf(options, { port: options.port ?? 0 }), user },
  });
  return { uri: connectionString(handle.address, user), close: () => handle.close() };
}

function settingsOf({ dir }: EngineOptions, where: ListenAddress): WorkerSettings {
  return { dir, where };
}

function common({ log = () => undefined, onLost }: EngineOptions) {
  return {
    log,
    ...(onLost ? { onLost } : {}),
  };
}
