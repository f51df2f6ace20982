import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs';
import { EngineError } from '../../errors.ts';
import type { StoreLog } from '../types.ts';

/** Linux numbers of network file systems, where locks and shared memory do not work between machines. */
const NETWORK = new Map<number, string>([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB2'],
  [0x5346414f, 'AFS'],
  [0x00c36400, 'Ceph'],
  [0x73757245, 'Coda'],
  [0x0bd00bd0, 'Lustre'],
]);
/** May be local or not: virtual machines' shared folders, user-space file systems. */
const UNSURE = new Map<number, string>([
  [0x01021997, '9p'],
  [0x65735546, 'FUSE'],
]);

/** Judges a file system by its number; for `unsure` ones a warning is enough. */
export function judgeFileSystem(type: number): { verdict: 'fit' | 'unsure' | 'unfit'; name: string } {
  const number = type >>> 0;
  const network = NETWORK.get(number);
  if (network) return { verdict: 'unfit', name: network };
  const unsure = UNSURE.get(number);
  return unsure ? { verdict: 'unsure', name: unsure } : { verdict: 'fit', name: '' };
}

/** Whether the system has owner, group and other permissions. */
const hasModes = () => process.platform !== 'win32';
/** Permissions that group and others must not have. */
const FOREIGN = 0o077;

/**
 * Refuses a directory that others can enter, and files that others can read, because the data is private.
 * @throws EngineError with the command that fixes it.
 */
export function requirePrivate(dir: string, files: string[]): void {
  const isOpen = (file: string): boolean =>
    hasModes() && ((statSync(file, { throwIfNoEntry: false })?.mode ?? 0) & FOREIGN) !== 0;
  const open = files.filter(isOpen);
  const commands = [
    ...(isOpen(dir) ? [`chmod 700 ${quoted(dir)}`] : []),
    ...(open.length > 0 ? [`chmod 600 ${open.map(quoted).join(' ')}`] : []),
  ];
  if (commands.length > 0)
    throw new EngineError(
      'InternalError',
      `Other users of this computer can read the data directory ${dir}. To fix this, run: ${commands.join(' && ')}`,
    );
}

/** Quoted for a shell. */
function quoted(file: string): string {
  return /^[\w./@:+-]+$/.test(file) ? file : `'${file.replaceAll("'", `'\\''`)}'`;
}

/**
 * Creates an empty file that only its owner can read, whatever the umask; SQLite gives its other files the same mode. It is
 * created under a name of its own: once it has its real name, it must not be closed here (see `DataFiles`).
 */
export function createPrivateFile(file: string): void {
  if (existsSync(file)) return;
  const made = `${file}.${randomUUID()}.new`;
  closeSync(openSync(made, 'wx', 0o600));
  try {
    linkSync(made, file);
  } catch (error) {
    // Another process has been faster, or the file system has no links.
    if (!existsSync(file)) closeSync(openSync(file, 'wx', 0o600));
    else if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(made);
  }
}

/**
 * Creates the directory, private to its owner, and checks its file system.
 * @throws EngineError for network file systems and data that others can read; Node's errors if it cannot be created.
 */
export function prepareDirectory(dir: string, log: StoreLog): void {
  const made = mkdirSync(dir, { recursive: true, mode: 0o700 });
  if (made !== undefined && hasModes()) chmodSync(dir, 0o700);
  if (!statSync(dir).isDirectory()) throw Object.assign(new Error(`${dir} is a file`), { code: 'ENOTDIR' });
  const { verdict, name } = judgeFileSystem(statfsSync(dir).type);
  if (verdict === 'unfit')
    throw new EngineError(
      'InternalError',
      `The data directory ${dir} is on a network file system (${name}), where the embedded database cannot work ` +
        'safely. Use a local disk, or set MONGODB_URI to a MongoDB server.',
    );
  if (verdict === 'unsure')
    log('warn', 'the data directory may be on a shared file system; keep it on a local disk', {
      dir,
      type: name,
    });
}
