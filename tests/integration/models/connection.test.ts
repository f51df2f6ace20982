import { chmod, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SILENT_LOG } from '#app/domain/log.ts';
import { parseSettings } from '#app/domain/settings/settings.ts';
import { checkReadiness } from '#app/features/system/server-status.server.ts';
import { loadSessionSecret } from '#app/platform/secrets/server-secrets.server.ts';
import { openDatabase } from '#models/index.server.ts';
import { openTestDatabase, testConnection } from '#tests/support/database.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'vialbook-connection-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('opening the database', () => {
  it('creates a data directory that only its owner can read', async () => {
    const DATA_DIR = path.join(folder, 'a', 'data');
    const database = await openDatabase(parseSettings({ DATA_DIR }), SILENT_LOG);
    expect((await stat(DATA_DIR)).mode & 0o777).toBe(0o700);
    expect(await database.ping()).toBeGreaterThan(0);
    await database.close();
  });

  it('says what is wrong when the directory cannot be created', async () => {
    const file = path.join(folder, 'file');
    await writeFile(file, '');
    const settings = parseSettings({ DATA_DIR: path.join(file, 'data') });
    await expect(openDatabase(settings, SILENT_LOG)).rejects.toMatchObject({
      code: 'DATABASE_UNAVAILABLE',
      message: expect.stringContaining('data directory') as string,
    });
    await chmod(file, 0o600);
  });

  it('reports a deployment that does not answer', async () => {
    const settings = parseSettings({ MONGODB_URI: 'mongodb://127.0.0.1:9/vialbook' });
    await expect(openDatabase(settings, SILENT_LOG, { serverSelectionTimeoutMS: 200 })).rejects.toMatchObject(
      {
        code: 'DATABASE_UNAVAILABLE',
        message: 'The database cannot be reached. Try again in a moment.',
      },
    );
  });

  it('waits longer for a deployment than a replica set takes to elect a new primary', async () => {
    const database = await openTestDatabase();
    const { serverSelectionTimeoutMS } = testConnection(database).getClient().options;
    expect(serverSelectionTimeoutMS).toBeGreaterThanOrEqual(15_000);
    await database.dispose();
  });

  it('shares one directory between two processes’ engines, and keeps what was written', async () => {
    const first = await openTestDatabase({ ownEngine: true });
    const settings = parseSettings({ DATA_DIR: first.directory });
    const second = await openDatabase(settings, SILENT_LOG);
    await first.repos.demoInterest.keep('a@example.org', new Date());
    expect(await second.repos.demoInterest.keep('a@example.org', new Date())).toBe(false);
    await second.close();
    await first.close();
    const third = await openDatabase(settings, SILENT_LOG);
    expect(await third.repos.demoInterest.keep('a@example.org', new Date())).toBe(false);
    await third.close();
    await rm(first.directory, { recursive: true, force: true });
  });

  it('fails with DATABASE_UNAVAILABLE once closed, in calls and in streams', async () => {
    const database = await openTestDatabase({ ownEngine: true });
    expect(await checkReadiness(database)).toMatchObject({ ready: true });
    await database.dispose();
    const gone = { code: 'DATABASE_UNAVAILABLE' };
    await expect(database.repos.users.find('x')).rejects.toMatchObject(gone);
    await expect(database.ping()).rejects.toMatchObject(gone);
    const rows = database.repos.calculations.stream(
      { userId: 'x', signInId: null },
      { from: null, before: null },
    );
    const read = async () => {
      for await (const _batch of rows) throw new Error('a closed database gave rows');
    };
    await expect(read()).rejects.toMatchObject(gone);
    expect(await checkReadiness(database)).toEqual({ ready: false, databaseMs: null });
  });
});

describe('the session secret', () => {
  it('is created once, even by several processes at once, and only its owner can read it', async () => {
    const DATA_DIR = path.join(folder, 'secret');
    const settings = { DATA_DIR, SESSION_SECRET: undefined };
    const secrets = await Promise.all(Array.from({ length: 8 }, () => loadSessionSecret(settings)));
    expect(new Set(secrets).size).toBe(1);
    expect(secrets[0]?.length).toBeGreaterThanOrEqual(43);
    expect(await loadSessionSecret(settings)).toBe(secrets[0]);
    expect((await stat(path.join(DATA_DIR, 'session-secret'))).mode & 0o777).toBe(0o600);
  });

  it('comes from the setting if there is one', async () => {
    const SESSION_SECRET = 'x'.repeat(32);
    expect(await loadSessionSecret({ DATA_DIR: folder, SESSION_SECRET })).toBe(SESSION_SECRET);
  });
});
