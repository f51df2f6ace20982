import { mkdirSync, statfsSync, statSync } from 'node:fs';
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

/**
 * Makes the directory and looks where it lies.
 * @throws EngineError for network file systems; Node's errors for what cannot be made.
 */
export function prepareDirectory(dir: string, log: StoreLog): void {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
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
