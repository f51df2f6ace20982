import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makePrivateSocket } from '#models/engine/host/socket-path.ts';
import { LONGEST_SOCKET_PATH } from '#models/engine/wire/listener.ts';

let base: string;

beforeEach(() => {
  base = mkdtempSync(path.join(os.tmpdir(), 'sockets-'));
});

afterEach(() => rmSync(base, { recursive: true, force: true }));

/** A process that is certainly gone. */
const deadPid = () => spawnSync(process.execPath, ['-e', '']).pid;

it('a private socket is in a directory that only its owner can enter, and is removed with it', () => {
  const socket = makePrivateSocket(base);
  const directory = path.dirname(socket.socketPath);
  expect(statSync(directory).mode & 0o777).toBe(0o700);
  expect(socket.socketPath).toMatch(/\.sock$/);
  const listeners = process.listenerCount('exit');
  socket.remove();
  expect(existsSync(directory)).toBe(false);
  expect(process.listenerCount('exit')).toBe(listeners - 1);
});

it('two sockets of one process do not conflict', () => {
  const [one, two] = [makePrivateSocket(base), makePrivateSocket(base)];
  expect(one.socketPath).not.toBe(two.socketPath);
  one.remove();
  two.remove();
});

it('only what killed processes left behind is removed', () => {
  const dead = path.join(base, `vialbook-${deadPid()}-abcdef`);
  const living = path.join(base, `vialbook-${process.ppid}-abcdef`);
  const others = ['vialbook-notes', `vialbook-${deadPid()}-toolonganame`, 'other'].map((name) =>
    path.join(base, name),
  );
  for (const directory of [dead, living, ...others]) mkdirSync(directory);
  writeFileSync(path.join(dead, 'db.sock'), '');
  makePrivateSocket(base).remove();
  expect(existsSync(dead)).toBe(false);
  expect([living, ...others].map((directory) => existsSync(directory))).toEqual([true, true, true, true]);
});

it('the path stays within every system’s limit, even if the temporary directory is deep', () => {
  const deep = path.join(base, 'd'.repeat(60));
  mkdirSync(deep);
  const before = process.env['TMPDIR'];
  process.env['TMPDIR'] = deep;
  try {
    const socket = makePrivateSocket();
    expect(Buffer.byteLength(socket.socketPath)).toBeLessThanOrEqual(LONGEST_SOCKET_PATH);
    expect(socket.socketPath.startsWith(deep)).toBe(false);
    socket.remove();
  } finally {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
  }
});
