import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { keptSecret } from '#app/platform/secrets/server-secrets.server.ts';
import { startEngine } from '#models/engine/index.ts';
import { requirePrivate } from '#models/engine/storage/env/file-system.ts';

/** What is done differently on Windows, run here under its name: no unix sockets, and no modes of files. */
const { platform } = process;
const nameSystem = (value: string) => Object.defineProperty(process, 'platform', { value });
let dir = '';

beforeAll(() => {
  dir = mkdtempSync(path.join(os.tmpdir(), 'vialbook-windows-'));
  nameSystem('win32');
});
afterAll(() => {
  nameSystem(platform);
  rmSync(dir, { recursive: true, force: true });
});

it('the engine of a process on Windows listens on a loopback port, which asks for its secret', async () => {
  const engine = await startEngine({ dir: path.join(dir, 'data') });
  expect(engine.uri).toMatch(/^mongodb:\/\/vialbook:[^@]{20,}@127\.0\.0\.1:\d+\/vialbook\?/);
  const client = await new MongoClient(engine.uri).connect();
  await client.db().collection('items').insertOne({ a: 1 });
  expect(await client.db().collection('items').countDocuments({ a: 1 })).toBe(1);
  await client.close();
  const stranger = new MongoClient(engine.uri.replace(/\/\/[^@]+@/, '//vialbook:guess@'));
  await expect(stranger.connect()).rejects.toThrow(/Authentication failed/i);
  await stranger.close();
  await engine.close();
});

it('files on Windows are not judged by modes that it does not have', async () => {
  writeFileSync(path.join(dir, 'secret'), 'known\n');
  chmodSync(path.join(dir, 'secret'), 0o644);
  expect(await keptSecret(dir, 'secret', () => 'new')).toBe('known');
  expect(() => requirePrivate(dir, [path.join(dir, 'secret')])).not.toThrow();
  nameSystem(platform);
  await expect(keptSecret(dir, 'secret', () => 'new')).rejects.toThrow(/chmod 600/);
  expect(() => requirePrivate(dir, [path.join(dir, 'secret')])).toThrow(/chmod 600/);
  nameSystem('win32');
});
