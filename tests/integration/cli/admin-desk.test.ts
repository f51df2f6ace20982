import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { onEngine } from '#tests/support/named-deployment.ts';
import { newPerson, PASSWORD } from '#tests/support/people.ts';
import { runCli, spawnCli } from '#tests/support/cli.ts';

let db: TestDatabase;
let files: string;
/** For commands in processes of their own. */
let env: Record<string, string>;
beforeAll(async () => {
  db = await openTestDatabase({ ownEngine: true });
  files = await mkdtemp(path.join(tmpdir(), 'vialbook-desk-'));
  env = { DATA_DIR: db.directory, VIALBOOK_PASSWORD: PASSWORD };
  await newPerson(db, 'ada@example.org');
  await newPerson(db, 'bob@example.org', { plan: 'trial' });
  // The worker does what can wait; here is none.
  await runCli(['db', 'migrate'], { env: { ...env, ...db.env } });
});
afterAll(async () => {
  await db.dispose();
  await rm(files, { recursive: true, force: true });
});

const admin = (...args: string[]) => runCli(['admin', ...args], { env: { ...env, ...db.env } });

describe('vialbook admin users', () => {
  it('lists, searches and filters accounts, as text and as JSON', async () => {
    const all = await admin('users');
    const [head, ...rows] = all.stdout.split('\n').filter(Boolean);
    expect(head).toMatch(/^EMAIL +ROLE +PLAN +STATUS +SUSPENDED +LAST LOGIN +ID$/);
    expect(rows).toHaveLength(2);
    expect((await admin('users', '--search', 'example.org')).stdout).toContain('ada@example.org');
    const found = JSON.parse((await admin('users', '--search', 'ada@', '--json')).stdout) as {
      users: { email: string }[];
    };
    expect(found.users.map(({ email }) => email)).toEqual(['ada@example.org']);
    expect((await admin('users', '--subscription', 'gold')).code).toBe(2);
    expect((await admin('users', '--limit', '0')).stderr).toContain('--limit');
  });
});

describe('vialbook admin upgrade, downgrade, promote, demote', () => {
  it('change an account, audited as the terminal user', async () => {
    const reason = ['--reason', 'a test', '--yes'];
    expect((await admin('upgrade', 'ada@example.org', ...reason)).stdout).toBe(
      'ada@example.org now has Premium.\n',
    );
    expect((await admin('upgrade', 'ada@example.org', ...reason)).code).toBe(1);
    expect((await admin('downgrade', 'ada@example.org', ...reason)).code).toBe(0);
    expect((await admin('promote', 'ada@example.org', ...reason)).stdout).toBe(
      'ada@example.org is now an admin.\n',
    );
    expect((await admin('demote', 'ada@example.org', ...reason)).stdout).toBe(
      'ada@example.org is now a user.\n',
    );
    expect((await admin('promote', 'nobody@example.org', ...reason)).code).toBe(4);
    expect((await admin('upgrade', 'ada@example.org')).code).toBe(2);
    const told = JSON.parse((await admin('audit', '--subject', 'ada@example.org', '--json')).stdout) as {
      entries: { action: string; actor: string; reason: string }[];
    };
    const changes = told.entries.filter((entry) => entry.reason === 'a test');
    expect(changes).toHaveLength(4);
    expect(new Set(changes.map(({ actor }) => actor))).toEqual(new Set([`cli:${userInfo().username}`]));
    const audit = (await admin('audit', '--action', 'user.upgrade')).stdout.split('\n');
    expect(audit[0]).toMatch(/^WHEN +DONE BY +ACTION +ACCOUNT +BEFORE → AFTER +REASON$/);
    expect(audit[1]).toContain('Premium granted');
    expect(audit[1]).toMatch(/Subscription: free → premium +a test$/);
  });
});

describe('vialbook admin health', () => {
  it('prints the figures; its exit code says whether something is critical', async () => {
    const ran = await spawnCli(['admin', 'health', '--json'], { env });
    const { status, metrics } = JSON.parse(ran.stdout) as { status: string; metrics: { name: string }[] };
    expect(ran.code).toBe(status === 'critical' ? 1 : 0);
    expect(metrics.map(({ name }) => name)).toContain('Database latency');
    const { stdout } = await admin('health');
    expect(stdout).toContain('Database latency');
    expect(stdout).toContain('no server is running');
  });

  it('shows the running server’s figures, and all processes with their start times', async () => {
    const at = new Date(Date.now() - 5000);
    const startedAt = new Date(Date.now() - 3_600_000);
    const sample = {
      at,
      memoryMb: 3000,
      heapShare: 0.1,
      lagMs: 1,
      databaseMs: 1,
      requestsPerMinute: 1234,
      errorShare: null,
      backlog: 0,
      backlogSeconds: 0,
    };
    const web = { host: 'web-1', pid: 101, kind: 'server' as const, startedAt, seenAt: at, sample };
    await db.repos.serverProcesses.report(web);
    await db.repos.serverProcesses.report({ ...web, host: 'gone', seenAt: new Date(Date.now() - 120_000) });
    const { code, stdout } = await admin('health');
    expect(stdout).toContain('3000 MB');
    expect(stdout).toContain(`server 101 on web-1, since ${startedAt.toISOString()}: critical`);
    expect(stdout).not.toContain('gone');
    expect(code).toBe(1);
    const json = JSON.parse((await admin('health', '--json')).stdout) as {
      host: string;
      processes: object[];
    };
    expect(json).toMatchObject({ host: 'web-1', processes: [{ pid: 101, kind: 'server' }] });
    await db.repos.serverProcesses.delete(web);
  });
});

describe('vialbook admin backup and restore', () => {
  it.runIf(onEngine)(
    'bring everything into an empty store, and refuse a damaged file and a store in use',
    async () => {
      const file = path.join(files, 'all.vialbook');
      expect((await spawnCli(['admin', 'backup', '--out', file], { env })).code).toBe(0);
      const there = { DATA_DIR: path.join(files, 'there') };
      const damaged = path.join(files, 'damaged.vialbook');
      await writeFile(damaged, (await readFile(file)).subarray(0, -100));
      // Looking for it makes nothing there.
      const looked = await runCli(['admin', 'users'], { env: there });
      expect(looked.code).toBe(4);
      expect(looked.stderr).toContain(there.DATA_DIR);
      expect(existsSync(there.DATA_DIR)).toBe(false);
      const refused = await runCli(['admin', 'restore', damaged, '--yes'], { env: there });
      expect(refused.code).not.toBe(0);
      const restored = await spawnCli(['admin', 'restore', file, '--yes', '--json'], { env: there });
      expect(restored.code, restored.stderr).toBe(0);
      const again = await openTestDatabase({ directory: there.DATA_DIR });
      try {
        expect(await again.repos.addresses.findOwner('bob@example.org')).not.toBeNull();
        const [row] = await again.repos.audit.listAbout('server', 1);
        expect(row).toMatchObject({ action: 'system.restore', actor: `cli:${userInfo().username}` });
      } finally {
        await again.dispose();
      }
      expect((await runCli(['admin', 'restore', file, '--yes'], { env: there })).code).not.toBe(0);
      expect((await admin('restore', path.join(files, 'none'), '--yes')).code).toBe(4);
      expect((await admin('restore', file)).code).toBe(2);
    },
  );
});
