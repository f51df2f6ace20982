import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { register } from '#app/features/accounts/registration.server.ts';
import { resolveSession } from '#app/features/accounts/sessions.server.ts';
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { PASSWORD, registration } from '#tests/support/people.ts';
import { runCli } from '#tests/support/cli.ts';

let db: TestDatabase;
let env: Record<string, string>;
beforeAll(async () => {
  db = await openTestDatabase({ ownEngine: true });
  env = { DATA_DIR: db.directory, VIALBOOK_PASSWORD: PASSWORD };
});
afterAll(() => db.dispose());

const admin = (...args: string[]) => runCli(['admin', ...args], { env });

describe('vialbook admin create', () => {
  it('creates the first admin as super admin, audited as the terminal user', async () => {
    const made = await admin('create', 'boss@example.org', '--json');
    expect(made).toMatchObject({ code: 0, stderr: '' });
    const { user } = JSON.parse(made.stdout) as { user: { id: string; role: string } };
    expect(user.role).toBe('super_admin');
    expect(made.stdout).not.toContain('argon2');
    const [row] = await db.repos.audit.listAbout(user.id, 1);
    expect(row).toMatchObject({
      actor: `cli:${userInfo().username}`,
      action: 'admin.create',
      from: 'terminal',
    });
  });

  it('creates an admin next', async () => {
    expect(await admin('create', 'helper@example.org')).toEqual({
      code: 0,
      stdout: 'Created admin helper@example.org.\n',
      stderr: '',
    });
  });

  it.each([
    [
      ['create', 'boss@example.org'],
      1,
      'vialbook: An account with the address boss@example.org already exists.\n',
    ],
    [
      ['create', 'no address'],
      2,
      'vialbook: Enter a valid email address\n  EMAIL: Enter a valid email address\n',
    ],
    [['create', 'x@example.org', '--role', 'king'], 2, /--role: Role must be admin or super_admin/],
    [['create'], 2, /missing required argument 'email'/],
    [['frobnicate'], 2, /unknown command/],
  ])('answers %j with code %i', async (args, code, message) => {
    const ran = await admin(...args);
    expect(ran).toMatchObject({ code, stdout: '' });
    if (typeof message === 'string') expect(ran.stderr).toBe(message);
    else expect(ran.stderr).toMatch(message);
  });

  it('does not ask without a terminal', async () => {
    const ran = await runCli(['admin', 'create', 'y@example.org'], { env: { DATA_DIR: db.directory } });
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(ran.stderr).toContain('VIALBOOK_PASSWORD');
  });

  it('asks for the password twice and never shows it', async () => {
    const keyboard = new PassThrough();
    const running = runCli(['admin', 'create', 'typed@example.org'], {
      env: { DATA_DIR: db.directory },
      stdin: keyboard,
      stdinIsTerminal: true,
    });
    keyboard.write('blue-kettle-47\nblue-kettle-47\n');
    const ran = await running;
    expect(ran).toMatchObject({ code: 0, stderr: 'Password: \nAgain: \n' });
  });
});

describe('typing a password', () => {
  it.each([
    ['one-password\nanother-one\n', 'vialbook: Passwords do not match\n'],
    ['one-password\n', 'vialbook: Nothing was entered.\n'],
  ])('refuses %j', async (typed, message) => {
    const keyboard = new PassThrough();
    keyboard.end(typed);
    const world = { env: { DATA_DIR: db.directory }, stdin: keyboard, stdinIsTerminal: true };
    const ran = await runCli(['admin', 'create', 'z@example.org'], world);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain(message);
    expect(ran.stderr + ran.stdout).not.toContain('one-password');
  });
});

describe('vialbook admin stats', () => {
  it('uses the API’s names in JSON, and labels otherwise', async () => {
    const json = JSON.parse((await admin('stats', '--json')).stdout) as object;
    expect(Object.keys(json)).toEqual([
      'totalUsers',
      'premiumUsers',
      'freeUsers',
      'monthlyRevenue',
      'activeUsers',
    ]);
    expect((await admin('stats')).stdout).toMatch(/^Total users +\d+\nPremium users +0\n/);
  });
});

describe('vialbook admin suspend and reinstate', () => {
  it('locks out a user who is signed in to the web server, and lets them in again', async () => {
    const { token } = await register(db.ctx(), registration('person@example.org'));
    expect(await resolveSession(db.ctx(), token)).not.toBeNull();
    const suspended = await admin('suspend', 'person@example.org', '--reason', 'spam', '--yes');
    expect(suspended).toMatchObject({ code: 0, stdout: 'person@example.org is suspended.\n' });
    await expect(resolveSession(db.ctx(), token)).rejects.toMatchObject({ code: 'SUSPENDED' });
    const again = await admin('reinstate', 'PERSON@example.org', '--reason', 'settled', '--yes', '--json');
    expect(JSON.parse(again.stdout)).toMatchObject({ user: { subscriptionStatus: 'canceled' } });
    expect(await resolveSession(db.ctx(), token)).toBeNull();
  });

  it('ask first, do nothing on no, and need --yes without a terminal', async () => {
    const without = await admin('suspend', 'person@example.org');
    expect(without).toMatchObject({ code: 2, stdout: '' });
    expect(without.stderr).toContain('--yes');
    const keyboard = new PassThrough();
    keyboard.write('a reason\nn\n');
    const ran = await runCli(['admin', 'suspend', 'person@example.org'], {
      env,
      stdin: keyboard,
      stdinIsTerminal: true,
    });
    expect(ran).toMatchObject({ code: 1, stdout: '' });
    for (const said of ['cancels a paid subscription immediately', 'the trial is paused'])
      expect(ran.stderr).toContain(said);
    const unfounded = await admin('suspend', 'boss@example.org', '--yes');
    expect(unfounded).toMatchObject({ code: 2, stdout: '' });
    expect(unfounded.stderr).toContain('--reason: Give a reason.');
    const last = await admin('suspend', 'boss@example.org', '--reason', 'a try', '--yes');
    expect(last.stderr).toContain('only super admin');
  });

  it('ask for a reason at a terminal', async () => {
    const keyboard = new PassThrough();
    keyboard.write('asked for\ny\n');
    const ran = await runCli(['admin', 'upgrade', 'person@example.org'], {
      env,
      stdin: keyboard,
      stdinIsTerminal: true,
    });
    expect(ran).toMatchObject({ code: 0, stdout: 'person@example.org now has Premium.\n' });
    expect(ran.stderr).toContain('Reason');
    expect((await admin('audit', '--action', 'user.upgrade')).stdout).toContain('asked for');
  });

  it('answers 4 for an unknown address, as JSON too', async () => {
    expect((await admin('suspend', 'nobody@example.org', '--yes')).code).toBe(4);
    const json = await admin('reinstate', 'nobody@example.org', '--yes', '--json');
    expect(json.code).toBe(4);
    expect(JSON.parse(json.stderr)).toMatchObject({ success: false, error: 'NOT_FOUND' });
  });
});

describe('the settings', () => {
  it('stop a command if invalid, named without their value', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'vialbook-settings-'));
    const ran = await runCli(['admin', 'stats'], {
      env: { DATA_DIR: folder, MONGODB_URI: 'postgres://secret@db' },
    });
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain('MONGODB_URI: expected a MongoDB address');
    expect(ran.stderr).not.toContain('secret');
    await rm(folder, { recursive: true });
  });
});
