import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { runCli } from '#tests/support/cli.ts';
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { storedDose, storedSchedule } from '#tests/support/doses.ts';
import { newPerson, type Person } from '#tests/support/people.ts';

let db: TestDatabase;
let ada: Person;
let folder: string;
beforeAll(async () => {
  db = await openTestDatabase();
  ada = await newPerson(db, 'ada@example.org', { plan: 'trial' });
  folder = await mkdtemp(path.join(tmpdir(), 'vialbook-quiet-'));
});
afterAll(async () => {
  await db.dispose();
  await rm(folder, { recursive: true });
});
afterEach(() => void vi.unstubAllEnvs());

const run = (...args: string[]) => runCli(args, { env: db.env, stderrIsTerminal: true });
const own = (...args: string[]) => run(...args, '--user', ada.email);

describe('--quiet', () => {
  it('silences what changes do', async () => {
    const schedule = await storedSchedule(db, ada);
    const dose = await storedDose(db, schedule, new Date(Date.now() - 60_000));
    const table = path.join(folder, 'doses.csv');
    await writeFile(table, 'takenAt,name,amount,unit\n2026-01-01T08:00Z,BPC-157,250,mcg\n');
    const commands = [
      ['log', '--dose', dose.id, '--confirm'],
      ['log', '--undo', dose.id],
      ['move', dose.id, '--to', new Date(Date.now() + 3_600_000).toISOString()],
      ['schedule', 'pause', schedule.id, '--from', '2090-06-01', '--to', '2090-06-02'],
      ['schedule', 'end', schedule.id, '--no-with-vial'],
      ['ceiling', 'BPC-157', '--per-day', '9mg'],
      ['supplies', 'add', 'Needles', '--count', '5'],
      ['supplies', 'change', 'Needles', '--counted', '4'],
      ['supplies', 'delete', 'Needles'],
      ['profile', '--units', 'imperial'],
      ['import', table],
      ['export', '--format', 'csv', '--out', path.join(folder, 'all.csv')],
    ];
    for (const command of commands)
      expect([command, await own(...command, '--quiet')]).toEqual([
        command,
        { code: 0, stdout: '', stderr: '' },
      ]);
    const account = ['admin', 'suspend', ada.email, '--reason', 'test', '--yes'];
    expect(await run(...account, '-q')).toEqual({ code: 0, stdout: '', stderr: '' });
    expect((await run('admin', 'reinstate', ada.email, '--reason', 'test', '-yq')).stdout).toBe('');
  });

  it('leaves data, JSON and errors, and drops remarks', async () => {
    const empty = await newPerson(db, 'empty@example.org', { plan: 'trial' });
    const ofEmpty = (...args: string[]) => run(...args, '--user', empty.email);
    expect((await ofEmpty('due')).stderr).toBe('Nothing is due.\n');
    expect(await ofEmpty('due', '--quiet')).toEqual({ code: 0, stdout: '', stderr: '' });
    expect((await ofEmpty('profile', '--quiet')).stdout).toContain('Units: ');
    const added = await ofEmpty('supplies', 'add', 'Swabs', '--count', '5', '--quiet', '--json');
    expect(JSON.parse(added.stdout)).toMatchObject({ supplies: [{ name: 'Swabs' }] });
    expect((await ofEmpty('supplies', 'list', '--quiet')).stdout).toContain('Swabs');
    expect(await ofEmpty('supplies', 'delete', 'gloves', '--quiet')).toMatchObject({
      code: 4,
      stderr: expect.stringMatching(/^vialbook: /) as string,
    });
  });
});

describe('VIALBOOK_USER', () => {
  it('stands in for --user', async () => {
    const bob = await newPerson(db, 'bob@example.org', { plan: 'trial' });
    expect(await run('profile')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--user') as string,
    });
    vi.stubEnv('VIALBOOK_USER', bob.email);
    expect((await run('profile', '--name', 'Bob')).stdout).toContain('Name: Bob\n');
    expect((await own('profile')).stdout).not.toContain('Name: Bob\n');
    expect((await run('profile', '--help')).stdout).toContain('VIALBOOK_USER');
  });
});
