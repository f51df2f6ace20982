import { chmodSync, closeSync, mkdirSync, openSync, statfsSync, statSync } from 'node:fs';
import { EngineError } from '../../errors.ts';
import type { StoreLog } from '../types.ts';

/** Linux' numbers of file systems over a network, where locks and shared memory do not hold between machines. */
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

/** The name of a file system that is not fit, by its number; for `unsure` ones a warning is enough. */
export function judgeFileSystem(type: number): { verdict: 'fit' | 'unsure' | 'unfit'; name: string } {
  const number = type >>> 0;
  const network = NETWORK.get(number);
  if (network) return { verdict: 'unfit', name: network };
  const unsure = UNSURE.get(number);
  return unsure ? { verdict: 'unsure', name: unsure } : { verdict: 'fit', name: '' };
}

/** Where the system knows owner, group and others. */
const HAS_MODES = process.platform !== 'win32';
/** What group and others must not have. */
const FOREIGN = 0o077;

/**
 * Makes LMDB's files before LMDB does, which would leave it to the umask who may read them, and refuses a directory that
 * others may enter, or files that they may read: what is in them is nobody else's business.
 * @throws EngineError with the command that mends it.
 */
export function prepareFiles(dir: string, files: string[]): void {
  const isOpen = (file: string): boolean =>
    HAS_MODES && ((statSync(file, { throwIfNoEntry: false })?.mode ?? 0) & FOREIGN) !== 0;
  const open = files.filter(isOpen);
  const commands = [
    ...(isOpen(dir) ? [`chmod 700 ${quoted(dir)}`] : []),
    ...(open.length > 0 ? [`chmod 600 ${open.map(quoted).join(' ')}`] : []),
  ];
  if (commands.length > 0)
    throw new EngineError(
      'InternalError',
      `Other users of this computer can read the data directory ${dir}. Close it with: ${commands.join(' && ')}`,
    );
  for (const file of files) makePrivateFile(file);
}

/** As a shell takes it. */
function quoted(file: string): string {
  return /^[\w./@:+-]+$/.test(file) ? file : `'${file.replaceAll("'", `'\\''`)}'`;
}

/** Only when it is not there: closing a file that LMDB has locked in this process would unlock it. */
function makePrivateFile(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/**
 * Makes the directory, closed to others, and looks where it lies.
 * @throws EngineError for network file systems and for what others can read; Node's errors for what cannot be made.
 */
export function prepareDirectory(dir: string, log: StoreLog): void {
  const made = mkdirSync(dir, { recursive: true, mode: 0o700 });
  if (made !== undefined && HAS_MODES) chmodSync(dir, 0o700);
  if (!statSync(dir).isDirectory()) throw Object.assign(new Error(`${dir} is a file`), { code: 'ENOTDIR' });
  const { verdict, name } = judgeFileSystem(statfsSync(dir).type);
  if (verdict === 'unfit')
    throw new EngineError(
      'InternalError',
      `The data directory ${dir} is on a network file system (${name}), where the embedded database cannot keep its ` +
        'promises. Use a local disk, or set MONGODB_URI to a MongoDB server.',
    );
  if (verdict === 'unsure')
    log('warn', 'the data directory may be on a shared file system; keep it on a local disk', {
      dir,
      type: name,
    });
}
