import { closeSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import { expect, it, vi } from 'vitest';
import { openStore } from '#models/engine/storage/index.ts';
import { temporaryDirectory } from '#tests/support/engine.ts';
import { rejection } from './temporary-store.ts';

const OPENED_FOR_HEADERS = 0o10000; // O_DSYNC

/** Takes away the descriptor by which LMDB writes the headers of a file: the disk has failed as far as it can tell. */
function failHeaders(file: string): void {
  for (const fd of readdirSync('/proc/self/fd')) {
    const info = `/proc/self/fdinfo/${fd}`;
    try {
      if (readlinkSync(`/proc/self/fd/${fd}`) !== file) continue;
      const flags = /^flags:\s+(\d+)/m.exec(readFileSync(info, 'latin1'))?.[1] ?? '0';
      if ((parseInt(flags, 8) & OPENED_FOR_HEADERS) !== 0) closeSync(Number(fd));
    } catch {
      // That of the directory itself, which is closed by now.
    }
  }
}

it.skipIf(process.platform !== 'linux')(
  'a disk that fails is told to every write in the process, and nobody waits for ever',
  async () => {
    const { dir, remove } = await temporaryDirectory();
    // The lmdb package prints what it also throws.
    const printed = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const broken: string[] = [];
    const open = () => openStore({ dir, onBroken: ({ message }) => broken.push(message) });
    const [first, second] = [await open(), await open()];
    await first.write((txn) => txn.insert('a.b', { _id: 1 }));
    failHeaders(path.join(dir, 'data.mdb'));
    expect((await rejection(first.write((txn) => txn.insert('a.b', { _id: 2 })))).code).toBe(1);
    for (const attempt of [/^Storage error: LMDB cannot begin to write/, /Nothing more is written/])
      expect((await rejection(second.write((txn) => txn.insert('a.b', { _id: 3 })))).message).toMatch(
        attempt,
      );
    expect(broken).toHaveLength(2);
    await Promise.all([first.close(), second.close()]);
    expect(printed).toHaveBeenCalled();
    printed.mockRestore();

    const after = await open();
    await after.write((txn) => txn.insert('a.b', { _id: 4 }));
    expect([...after.read((view) => [...view.find('a.b', {})].map(({ doc }) => doc['_id']))]).toEqual([1, 4]);
    await after.close();
    await remove();
  },
);
