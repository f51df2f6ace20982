import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { scheduleDeletion, purgeDueAccounts } from '#app/features/accounts/account-deletion.server.ts';
import { resolveSession } from '#app/features/accounts/sessions.server.ts';
import { CLI_PATH, runCli, type CliResult } from '#tests/support/cli.ts';
import { openTestDatabase, TERMINAL, testConnection, type TestDatabase } from '#tests/support/database.ts';
import { ctxOfToken, newPerson, PASSWORD } from '#tests/support/people.ts';
import { freePort } from '#tests/support/server.ts';
import { readKept, type Stored } from '../routes/stored.ts';

/** What each administrator command does, records and returns. */
const HOUR = 3_600_000;
const ACTOR = `cli:${userInfo().username}`;
let db: TestDatabase;
let env: Record<string, string>;
let files: string;
beforeAll(async () => {
  db = await openTestDatabase({ ownEngine: true, env: { RATE_LIMIT_FACTOR: '100' } });
  files = await mkdtemp(path.join(tmpdir(), 'vialbook-effects-'));
  env = { ...db.env, VIALBOOK_PASSWORD: PASSWORD };
  await admin('create', 'boss@example.org');
});
afterAll(async () => {
  await db.dispose();
  await rm(files, { recursive: true, force: true });
});
afterEach(() => void vi.useRealTimers());

const admin = (...args: string[]): Promise<CliResult> => runCli(['admin', ...args], { env });
const rowsAbout = async (id: string) => (await db.repos.audit.listAbout(id, 50)).toReversed();
const idOf = async (email: string) => (await db.repos.addresses.findOwner(email)) ?? '';

describe('a change of an account at the terminal', () => {
  /** In this order, each on the account as the previous one left it. */
  const CHANGES = [
    {
      command: 'upgrade',
      action: 'user.upgrade',
      was: { subscription: 'free' },
      is: { subscription: 'premium' },
    },
    {
      command: 'downgrade',
      action: 'user.downgrade',
      was: { subscription: 'premium' },
      is: { subscription: 'free' },
    },
    { command: 'promote', action: 'user.change-role', was: { role: 'user' }, is: { role: 'admin' } },
    { command: 'promote', action: 'user.change-role', was: { role: 'admin' }, is: { role: 'super_admin' } },
    { command: 'demote', action: 'user.change-role', was: { role: 'super_admin' }, is: { role: 'admin' } },
    { command: 'demote', action: 'user.change-role', was: { role: 'admin' }, is: { role: 'user' } },
    { command: 'suspend', action: 'user.suspend', was: { suspended: false }, is: { suspended: true } },
    {
      command: 'reinstate',
      action: 'user.reinstate',
      was: { suspended: true },
      is: { suspended: false, subscriptionStatus: 'canceled' },
    },
  ] as const;

  it('takes effect at the next request, with one audit entry and exit code 0', async () => {
    const person = await newPerson(db, 'changed@example.org');
    const { id } = person.signedIn.user;
    for (const [at, { command, action, was, is }] of CHANGES.entries()) {
      const reason = `reason ${at}`;
      const ran = await admin(command, person.email, '--reason', reason, '--yes', '--json');
      expect([ran.code, ran.stderr], command).toEqual([0, '']);
      const { suspended, ...seen } = { suspended: undefined, ...is };
      expect(JSON.parse(ran.stdout), command).toMatchObject({ user: { email: person.email, ...seen } });
      const rows = await rowsAbout(id);
      expect(rows, command).toHaveLength(at + 1);
      expect(rows.at(-1), command).toMatchObject({
        actor: ACTOR,
        action,
        subjectId: id,
        before: was,
        after: is,
        reason,
        from: 'terminal',
      });
      const user = await db.repos.users.find(id);
      expect(user?.suspendedAt !== null, command).toBe(suspended ?? false);
      if (suspended === true)
        await expect(resolveSession(db.ctx(), person.signedIn.token)).rejects.toMatchObject({
          code: 'SUSPENDED',
        });
      else if (command !== 'reinstate') {
        const { actor } = await ctxOfToken(db, person.signedIn.token);
        if (user && actor.kind === 'user') expect(actor.role, command).toBe(user.role);
      }
    }
  });

  it.each([
    ['suspend', 'boss@example.org', 1, 'only super admin'],
    ['demote', 'boss@example.org', 1, 'only super admin'],
    ['reinstate', 'boss@example.org', 1, ''],
    ['promote', 'boss@example.org', 1, ''],
    ['downgrade', 'boss@example.org', 1, ''],
    ['upgrade', 'nobody@example.org', 4, 'no account'],
    ['downgrade', 'nobody@example.org', 4, 'no account'],
    ['promote', 'nobody@example.org', 4, 'no account'],
    ['demote', 'nobody@example.org', 4, 'no account'],
    ['suspend', 'nobody@example.org', 4, 'no account'],
    ['reinstate', 'nobody@example.org', 4, 'no account'],
    ['suspend', 'no address', 2, ''],
    ['promote', '{"$gt":""}', 2, ''],
  ])('%s %s is rejected with code %i, and nothing is written', async (command, email, code, message) => {
    const boss = await idOf('boss@example.org');
    const before = [await db.repos.users.find(boss), await rowsAbout(boss)];
    const ran = await admin(command, email, '--yes', '--reason', 'a try');
    expect([ran.code, ran.stdout]).toEqual([code, '']);
    expect(ran.stderr.toLowerCase()).toContain(message);
    expect([await db.repos.users.find(boss), await rowsAbout(boss)]).toEqual(before);
  });
});

describe('vialbook admin backup', () => {
  it('is audited, and leaves no file if writing fails', async () => {
    const file = path.join(files, 'all.vialbook');
    // On the data directory, as with the embedded database.
    const here = { env: { DATA_DIR: db.directory } };
    const ran = await runCli(['admin', 'backup', '--out', file, '--json'], here);
    expect(ran.code).toBe(0);
    expect(JSON.parse(ran.stdout)).toEqual({ file, bytes: (await stat(file)).size });
    expect((await rowsAbout('server')).at(-1)).toMatchObject({ action: 'system.backup', actor: ACTOR });
    expect((await admin('backup')).code).toBe(2);
    const nowhere = await runCli(
      ['admin', 'backup', '--out', path.join(files, 'no', 'such', 'folder')],
      here,
    );
    expect([nowhere.code, nowhere.stdout]).toEqual([2, '']);
  });
});

describe('vialbook admin purge', () => {
  /** Sets the clock relative to a user's deletion request. */
  const moveTo = (ms: number) =>
    vi.useFakeTimers({ toFake: ['Date'], now: new Date(db.clock.now().getTime() + ms) });

  it('leaves an account alone for 48 hours, then deletes it completely', async () => {
    const { ctx, email, signedIn } = await newPerson(db, 'leaver@example.org');
    const { id } = signedIn.user;
    await scheduleDeletion(ctx, { email });
    moveTo(48 * HOUR - 1000);
    expect(JSON.parse((await admin('purge', '--yes', '--json')).stdout)).toEqual({ purged: 0 });
    expect(await db.repos.users.find(id)).not.toBeNull();
    moveTo(48 * HOUR + 1000);
    const ran = await admin('purge', '--yes');
    expect(ran).toMatchObject({ code: 0, stdout: 'Deleted 1 account.\n' });
    vi.useRealTimers();
    expect(await db.repos.users.find(id)).toBeNull();
    expect(await db.repos.addresses.findOwner(email)).toBeNull();
    expect((await rowsAbout(id)).at(-1)).toMatchObject({ action: 'account.delete', actor: ACTOR });
    expect(JSON.parse((await admin('purge', '--yes', '--json')).stdout)).toEqual({ purged: 0 });
  });

  it('deletes all due accounts, however many, and keeps the only super admin', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 23; n += 1) {
      const { signedIn } = await newPerson(db, `leaver-${n}@example.org`);
      ids.push(signedIn.user.id);
    }
    const boss = await idOf('boss@example.org');
    const users = testConnection(db).collection<{ _id: string }>('users');
    const due = { $set: { deleteAfter: new Date(db.clock.now().getTime() - 1000) } };
    await users.updateMany({ _id: { $in: [...ids, boss] } }, due);
    moveTo(0);
    expect(JSON.parse((await admin('purge', '--yes', '--json')).stdout)).toEqual({ purged: 23 });
    vi.useRealTimers();
    expect(await users.countDocuments({ _id: { $in: ids } })).toBe(0);
    expect(await db.repos.users.find(boss)).not.toBeNull();
    await users.updateOne({ _id: boss }, { $set: { deleteAfter: null } });
  });

  it('asks first, and works only at the terminal', async () => {
    expect((await admin('purge')).code).toBe(2);
    const { ctx, signedIn } = await newPerson(db, 'curious@example.org');
    await expect(purgeDueAccounts(ctx)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await db.repos.users.setRole(signedIn.user.id, 'admin');
    const asAdmin = await ctxOfToken(db, signedIn.token);
    await expect(purgeDueAccounts(asAdmin)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect(await purgeDueAccounts(db.ctx(TERMINAL))).toBe(0);
  });
});

describe('a user without access to the database', () => {
  let server: ChildProcess;
  let dataDir: string;
  let stranger: string;
  let before: Stored;
  beforeAll(async () => {
    dataDir = path.join(files, 'served');
    const port = String(await freePort());
    server = spawn(process.execPath, [CLI_PATH, 'db', 'serve', '--port', port], {
      env: { ...process.env, DATA_DIR: dataDir },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(server.stdout as NodeJS.ReadableStream, 'data')) as [Buffer];
    const address = new URL(line.toString('utf8').trim());
    address.password = 'not-the-one';
    address.searchParams.set('serverSelectionTimeoutMS', '1000');
    stranger = address.toString();
    before = await readKept(dataDir);
  });
  afterAll(async () => {
    const ended = once(server, 'exit');
    server.kill();
    await ended;
  });

  it.each([
    ['stats'],
    ['users'],
    ['audit'],
    ['health'],
    ['create', 'mine@example.org'],
    ['suspend', 'boss@example.org'],
    ['reinstate', 'boss@example.org'],
    ['upgrade', 'boss@example.org'],
    ['downgrade', 'boss@example.org'],
    ['promote', 'boss@example.org'],
    ['demote', 'boss@example.org'],
    ['backup', '--out', '-'],
    ['restore', 'all.vialbook'],
    ['purge'],
  ])('is rejected by admin %s, sees nothing and writes nothing', async (...args) => {
    const given = args.map((arg) => (arg === 'all.vialbook' ? path.join(files, arg) : arg));
    const ran = await runCli(['admin', ...given, '--yes'], {
      env: { ...env, DATA_DIR: path.join(files, 'unused'), MONGODB_URI: stranger },
    });
    expect([ran.code, ran.stdout]).toEqual([1, '']);
    expect(ran.stderr).toMatch(/^vialbook: .+/);
    expect(ran.stderr).not.toContain('not-the-one');
    expect(await readKept(dataDir)).toEqual(before);
  });
});
