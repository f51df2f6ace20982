import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SILENT_LOG } from '#app/domain/log.ts';
import { parseSettings } from '#app/domain/settings/settings.ts';
import { updateNotificationChoices } from '#app/platform/mail/notification-choices.server.ts';
import { openDatabase, type Database } from '#models/index.server.ts';
import { CLI_PATH, runCli, spawnCli } from '#tests/support/cli.ts';
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { pendingDose } from '#tests/support/pending-doses.ts';
import { newPerson } from '#tests/support/people.ts';
import { databaseEnv } from '#tests/support/named-deployment.ts';

const MINUTE = 60_000;
let db: TestDatabase;
let env: Record<string, string>;
beforeAll(async () => {
  db = await openTestDatabase({ ownEngine: true });
  // The terminal uses the real time.
  db.clock.advance(Date.now() - db.clock.now().getTime());
  env = { DATA_DIR: db.directory };
});
afterAll(() => db.dispose());

async function premium(email: string): Promise<string> {
  const { ctx, signedIn } = await newPerson(db, email, { plan: 'trial' });
  await updateNotificationChoices(ctx, { email: true, missedAfterHours: 168 });
  return signedIn.user.id;
}

const due = (minutesAgo: number) => new Date(Date.now() - minutesAgo * MINUTE);

describe('vialbook due', () => {
  it('lists what is due and exits with 3 when something is overdue', async () => {
    const userId = await premium('due@example.org');
    expect(await runCli(['due', '--user', 'due@example.org'], { env: db.env })).toMatchObject({
      code: 0,
      stdout: '',
      stderr: 'Nothing is due.\n',
    });
    await db.repos.doses.createMany(userId, [
      pendingDose('dose_cli_1', due(10), { remindAt: null }),
      pendingDose('dose_cli_2', due(-60), { remindAt: null }),
    ]);
    const now = await runCli(['due', '--user', 'due@example.org'], { env: db.env });
    expect(now.code).toBe(0);
    expect(now.stdout).toMatch(/^due {6}\d{4}-\d{2}-\d{2} \d{2}:\d{2} {2}BPC-157, 250 mcg\n$/);
    await db.repos.doses.createMany(userId, [pendingDose('dose_cli_3', due(31), { remindAt: null })]);
    const late = await spawnCli(['due', '--user', 'due@example.org', '--json'], { env });
    expect(late.code).toBe(3);
    expect(JSON.parse(late.stdout)).toMatchObject({
      overdue: 1,
      doses: [
        { id: 'dose_cli_3', isOverdue: true },
        { id: 'dose_cli_1', isOverdue: false },
      ],
      nextDose: { id: 'dose_cli_2', name: 'BPC-157', amount: '250 mcg' },
      lowStock: [],
    });
  });

  it('reports unknown users', async () => {
    await newPerson(db, 'free@example.org');
    expect((await runCli(['due', '--user', 'nobody@example.org'], { env: db.env })).code).toBe(4);
    expect((await runCli(['due', '--user', 'free@example.org'], { env: db.env })).code).toBe(5);
    expect((await runCli(['due'], { env: db.env })).code).toBe(2);
  });
});

describe('vialbook keys', () => {
  it('generates new, valid keys each time, and stores none', async () => {
    const empty = await mkdtemp(path.join(tmpdir(), 'vialbook-keys-'));
    const [one, two] = [await spawnCli(['keys', '--json'], { cwd: empty }), await runCli(['keys'])];
    const keys = JSON.parse(one.stdout) as Record<string, string>;
    expect(() => parseSettings(keys)).not.toThrow();
    expect(Buffer.from(keys['VAPID_PUBLIC_KEY'] ?? '', 'base64url')).toHaveLength(65);
    for (const [name, value] of Object.entries(keys)) {
      expect(two.stdout).toContain(`${name}=`);
      expect(two.stdout).not.toContain(value);
    }
    expect(await readdir(empty)).toEqual([]);
    await rm(empty, { recursive: true });
  });
});

describe('vialbook worker', () => {
  it('sends what is due, and exits with 0 on a signal', async () => {
    const userId = await premium('worker@example.org');
    await db.repos.doses.createMany(userId, [pendingDose('dose_worker', due(1))]);
    const child = spawn(process.execPath, [CLI_PATH, 'worker'], {
      env: databaseEnv({ ...process.env, ...env }),
    });
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
    const folder = path.join(db.directory, 'mail');
    const mail = async () => {
      const [name] = await readdir(folder).catch(() => []);
      return name === undefined ? '' : readFile(path.join(folder, name), 'utf8');
    };
    await expect.poll(mail).toContain('BPC-157, 250 mcg, is due now');
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
    const database: Database = await openDatabase(db.settings, SILENT_LOG);
    const { waiting } = await database.repos.deliveries.backlog(new Date());
    await database.close();
    expect(waiting).toBe(0);
    expect((await stat(path.join(db.directory, 'mail'))).mode & 0o077).toBe(0);
  });
});
