import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openStore } from '#models/engine/storage/index.ts';
import { missingBytes } from '#models/engine/storage/env/data-file.ts';
import { bundleStorage } from '../../../../bench/engine/bundle.mjs';
import { findAll, insertAll } from './temporary-store.ts';

const CHILD = fileURLToPath(new URL('./child.mjs', import.meta.url));
const NS = 'app.shared';
let dir: string;
const file = (): string => join(dir, 'data.mdb');

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'growing-'));
});

afterEach(() => rmSync(dir, { recursive: true, force: true }));

it('a file that another process is extending can be opened at any moment', async () => {
  const url = await bundleStorage('test');
  const child = spawn(process.execPath, [CHILD, url, dir, 'fill'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  try {
    let ended = false;
    child.on('close', () => (ended = true));
    let opened = 0;
    while (!ended && opened < 40) {
      const store = await openStore({ dir });
      await store.close();
      await setImmediate();
      opened += 1;
    }
    expect(opened).toBeGreaterThan(5);
  } finally {
    child.kill();
  }
});

/**
 * What LMDB leaves when a transaction takes a page at the end and gives it up again: the header counts it, the file
 * does not have it.
 */
function countOneMorePage(): void {
  const bytes = readFileSync(file());
  for (const header of [0, 4096]) {
    const at = header + 144;
    bytes.writeBigUInt64LE(bytes.readBigUInt64LE(at) + 1n, at);
  }
  writeFileSync(file(), bytes);
}

async function filled(): Promise<void> {
  const store = await openStore({ dir });
  await insertAll(
    store,
    NS,
    Array.from({ length: 50 }, (_, _id) => ({ _id, text: 'x'.repeat(500) })),
  );
  await store.close();
}

async function messagesOfOpening(): Promise<string[]> {
  const messages: string[] = [];
  const store = await openStore({ dir, onLog: (_level, message) => messages.push(message) });
  expect(findAll(store, NS)).toHaveLength(50);
  await store.close();
  return messages;
}

it('a missing end is checked once and is not treated as damage', async () => {
  await filled();
  expect(await messagesOfOpening()).toEqual([]);
  countOneMorePage();
  expect(missingBytes(dir, file())).toBe(4096);
  expect(await messagesOfOpening()).toEqual([
    'the last pages of the database were never written; checking it',
  ]);
  expect(missingBytes(dir, file())).toBe(0);
  expect(await messagesOfOpening()).toEqual([]);
});

it('a file that is far too short is refused before it is read', async () => {
  await filled();
  const bytes = readFileSync(file());
  for (const header of [0, 4096]) bytes.writeBigUInt64LE(1_000_000n, header + 144);
  writeFileSync(file(), bytes);
  await expect(openStore({ dir })).rejects.toThrow(
    /incomplete copy \(the file has \d+ of 4096004096 bytes\)/,
  );
});
