import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TrialRestoreError, tryRestore } from '#models/engine/index.ts';
import { archiveOf, unrestorable } from '#tests/support/archives.ts';
import { bundleEngine } from '#tests/support/rounds/bundle.mjs';
import { archiveFile } from './earlier.ts';
import { rejection } from './temporary-store.ts';

let dir: string;
let within: string;
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'trial-'));
  within = path.join(dir, 'data');
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const left = (): string[] => readdirSync(within);

/** Writes a backup to a file. */
function fileWith(bytes: Uint8Array): string {
  const file = path.join(dir, 'archive');
  writeFileSync(file, bytes);
  return file;
}

describe('a trial restore', () => {
  it('restores everything, and leaves nothing but what others are using', async () => {
    const theirs = `trial-restore-${process.ppid}-theirs`;
    for (const name of [theirs, 'trial-restore-999999999-killed', `trial-restore-${process.pid}-killed`])
      mkdirSync(path.join(within, name), { recursive: true });
    const both = await Promise.all([1, 2].map(() => tryRestore({ file: archiveFile('app'), within })));
    for (const summary of both) expect(summary).toMatchObject({ collections: 61, documents: 808 });
    expect(left()).toEqual([theirs]);
  });

  it('of a deployment’s backup leaves out indexes that only a MongoDB server has', async () => {
    const words = { v: 2, key: { text: 'text' }, name: 'words' };
    const file = fileWith(await archiveOf([{ _id: 1, text: 'a' }], [words]));
    expect(await tryRestore({ file, within })).toMatchObject({ collections: 1, documents: 1 });
    expect(left()).toEqual([]);
  });

  it('tells a damaged backup from one that is whole and cannot be restored', async () => {
    const bytes = readFileSync(archiveFile('app'));
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 0xff;
    for (const damaged of [bytes, gzipSync('something else')])
      expect(await rejection(tryRestore({ file: fileWith(damaged), within }))).toMatchObject({ code: 2 });
    const twice = tryRestore({ file: fileWith(await unrestorable()), within });
    expect(await rejection(twice)).toBeInstanceOf(TrialRestoreError);
    expect(left()).toEqual([]);
    // Where no store can be made.
    writeFileSync(path.join(dir, 'file'), '');
    const nowhere = tryRestore({ file: archiveFile('app'), within: path.join(dir, 'file') });
    expect(await rejection(nowhere)).toBeInstanceOf(TrialRestoreError);
  });

  it('of a process that exits leaves nothing', async () => {
    const url = await bundleEngine('trial-restore-test');
    const script = `const { tryRestore } = await import(${JSON.stringify(url)});
      const { existsSync, readdirSync } = await import('node:fs');
      const [file, within] = process.argv.slice(1);
      void tryRestore({ file, within });
      for (;;) {
        const [dir] = readdirSync(within);
        if (dir && existsSync(within + '/' + dir + '/data.db')) process.exit(7);
        await new Promise((resolve) => setTimeout(resolve, 1));
      }`;
    const args = ['--input-type=module', '-e', script, archiveFile('app'), within];
    const cwd = path.resolve(import.meta.dirname, '../../../..');
    const child = spawn(process.execPath, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
    const [code] = (await once(child, 'close')) as [number];
    expect([code, left()]).toEqual([7, []]);
  });

  it.runIf(process.platform !== 'win32')('on a full disk says so, and leaves nothing', async () => {
    const url = await bundleEngine('trial-restore-test');
    const script = `const { tryRestore } = await import(${JSON.stringify(url)});
      const [file, within] = process.argv.slice(1);
      const result = await tryRestore({ file, within }).catch(({ name, message }) => ({ name, message }));
      console.log(JSON.stringify(result));`;
    // In blocks of 512 or 1,024 bytes; the data has 1.4 MB.
    const command = 'ulimit -f 500; exec "$0" --input-type=module -e "$1" "$2" "$3"';
    const child = spawn('sh', ['-c', command, process.execPath, script, archiveFile('app'), within], {
      cwd: path.resolve(import.meta.dirname, '../../../..'),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [printed] = await Promise.all([text(child.stdout), once(child, 'close')]);
    expect(JSON.parse(printed)).toMatchObject({
      name: 'TrialRestoreError',
      message: expect.stringContaining('is full') as string,
    });
    expect(left()).toEqual([]);
  });
});
