import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parseSettings } from '#app/domain/settings/settings.ts';
import {
  backupJob,
  backUpWhenDue,
  backupPlan,
  type BackupPlan,
} from '#app/features/system/backups.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { jobLoop } from '#app/platform/jobs/job-loop.server.ts';
import { WORKER } from '#app/server/worker.server.ts';
import { archiveFile } from '#tests/integration/engine/storage/earlier.ts';
import { archiveOf, archiveWithDoses, unrestorable } from '#tests/support/archives.ts';
import { runCli, type CliResult } from '#tests/support/cli.ts';
import { openTestDatabase, TERMINAL, VISITOR, type TestDatabase } from '#tests/support/database.ts';
import { newDeployment } from '#tests/support/deployment.ts';
import { newPerson } from '#tests/support/people.ts';
import { saveAll } from '#tests/support/calculations.ts';
import { sized } from '#tests/support/size.ts';

const HOUR = 3_600_000;
let db: TestDatabase;
let folder: string;
let plan: BackupPlan;
beforeAll(async () => {
  db = await openTestDatabase({ ownEngine: true });
});
afterAll(() => db.dispose());
beforeEach(async () => {
  // Earlier backups are long past.
  db.clock.advance(1000 * HOUR);
  folder = await mkdtemp(path.join(tmpdir(), 'vialbook-backups-'));
  plan = { directory: path.join(folder, 'kept'), everyMs: 24 * HOUR, keep: 3 };
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const worker = () => db.ctx(WORKER.actor);
/** A worker whose backups are these bytes. */
const writing = (bytes: Buffer): Ctx => {
  const archives = { ...db.repos.archives, open: () => Readable.from([bytes]) };
  const ctx = worker();
  return { ...ctx, repos: ctx.repos.with({ archives }) };
};
/** The name of a backup made now. */
const nameNow = () => `vialbook-${db.clock.now().toISOString().slice(0, 19).replaceAll(':', '-')}Z.vialbook`;
const files = () => readdir(plan.directory).then((names) => names.toSorted());
const cli = (DATA_DIR: string, ...args: string[]): Promise<CliResult> => runCli(args, { env: { DATA_DIR } });

async function somebodyWithHistory(email: string): Promise<void> {
  const { ctx } = await newPerson(db, email, { plan: 'trial' });
  await saveAll(
    ctx,
    Array.from({ length: 25 }, (_, index) => ({ peptideName: `Compound ${index}` })),
  );
}

describe('backups by the worker', () => {
  it('are made when due, by one worker, and the oldest are deleted', async () => {
    await somebodyWithHistory('kept@example.org');
    const made = await Promise.all(Array.from({ length: 4 }, () => backUpWhenDue(worker(), plan)));
    expect(made.filter((one) => one !== null)).toHaveLength(1);
    expect(await files()).toEqual([nameNow()]);
    expect((await stat(path.join(plan.directory, nameNow()))).mode & 0o777).toBe(0o600);
    db.clock.advance(23 * HOUR);
    expect(await backUpWhenDue(worker(), plan)).toBeNull();
    // Of little data, since each is restored as a trial.
    const small = writing(await archiveOf([{ _id: 1 }]));
    for (let day = 0; day < 4; day += 1) {
      db.clock.advance(24 * HOUR);
      expect(await backUpWhenDue(small, plan)).not.toBeNull();
    }
    expect(await files()).toHaveLength(3);
    expect((await files()).at(-1)).toBe(nameNow());
  });

  it('leave no file behind when they fail, and are retried when the lease ends', async () => {
    await writeFile(path.join(folder, 'file'), '');
    const impossible = { ...plan, directory: path.join(folder, 'file', 'kept') };
    await expect(backUpWhenDue(worker(), impossible)).rejects.toThrow(
      /^No backup in .*\/file\/kept: ENOTDIR.* Set BACKUP_DIR to a directory\.$/,
    );
    expect(await backUpWhenDue(worker(), plan)).toBeNull();
    db.clock.advance(16 * 60_000);
    expect(await backUpWhenDue(worker(), plan)).not.toBeNull();
  });

  it('are reported as failed, with path and reason, until one succeeds', async () => {
    await writeFile(path.join(folder, 'file'), '');
    const impossible = { ...plan, directory: path.join(folder, 'file', 'kept') };
    const rounds = new AbortController();
    let tried = 0;
    const { run, name } = backupJob(impossible);
    const counted = {
      name,
      everyMs: 1,
      run: async (ctx: Ctx, stopping: AbortSignal) => {
        tried += 1;
        return run(ctx, stopping);
      },
    };
    const loop = jobLoop(worker(), counted, rounds.signal);
    // Later rounds do nothing while the lease of the failed attempt lasts.
    await expect.poll(() => tried).toBeGreaterThan(3);
    rounds.abort();
    await loop;
    const [known] = (await db.repos.jobRuns.list()).filter((one) => one.name === name);
    expect(known).toMatchObject({
      failures: 1,
      error: expect.stringContaining(path.join(folder, 'file', 'kept')) as string,
    });
  });

  it('that are damaged leave no file, and those that cannot be restored replace no other', async () => {
    await backUpWhenDue(worker(), plan);
    const good = nameNow();
    expect((await readdir(db.directory)).filter((name) => name.startsWith('trial-restore'))).toEqual([]);
    const whole = await unrestorable();

    db.clock.advance(24 * HOUR);
    const damaged = writing(whole.subarray(0, -9));
    await expect(backUpWhenDue(damaged, plan)).rejects.toThrow(/^No backup in .*cannot be used/);
    expect(await files()).toEqual([good]);

    db.clock.advance(HOUR);
    const made = nameNow();
    const trial = backUpWhenDue(writing(whole), { ...plan, keep: 1 });
    await expect(trial).rejects.toThrow(`The backup ${path.join(plan.directory, made)} was made`);
    expect(await files()).toEqual([good, made]);
    // The next one is due in a day, not when the lease ends.
    db.clock.advance(HOUR);
    expect(await backUpWhenDue(worker(), plan)).toBeNull();
    db.clock.advance(24 * HOUR);
    expect(await backUpWhenDue(worker(), { ...plan, keep: 1 })).not.toBeNull();
    expect(await files()).toEqual([nameNow()]);
  });

  it('delete partial files of a killed worker, and nothing else', async () => {
    await backUpWhenDue(worker(), plan);
    const at = (name: string) => path.join(plan.directory, name);
    const old = new Date(Date.now() - 48 * HOUR);
    for (const name of ['vialbook-x.1.partial', 'vialbook-y.2.partial', 'notes.txt'])
      await writeFile(at(name), 'x');
    await utimes(at('vialbook-x.1.partial'), old, old);
    db.clock.advance(24 * HOUR);
    await backUpWhenDue(worker(), { ...plan, keep: 1 });
    expect(await files()).toEqual(['notes.txt', nameNow(), 'vialbook-y.2.partial']);
  });

  it('can be made only by the worker', async () => {
    await expect(backUpWhenDue(db.ctx(VISITOR), plan)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect(backupPlan(parseSettings({}))).toBeNull();
    expect(
      backupPlan(parseSettings({ BACKUP_DIR: '/b', BACKUP_EVERY_HOURS: '6', BACKUP_KEEP: '2' })),
    ).toEqual({
      directory: '/b',
      everyMs: 6 * HOUR,
      keep: 2,
    });
  });
});

/** What an operator would do after losing a disk. */
describe('the restore drill', () => {
  const deployment = newDeployment();
  afterAll(async () => (await deployment).dispose());

  it('a worker’s backup restores the same data into an empty directory and an empty deployment', async () => {
    await somebodyWithHistory('lost@example.org');
    const made = await backUpWhenDue(worker(), plan);
    const file = made?.file ?? '';
    const fresh = path.join(folder, 'fresh');
    expect(await cli(fresh, 'db', 'restore', file, '--json')).toMatchObject({ code: 0 });
    const sound = async (dir: string) =>
      JSON.parse((await cli(dir, 'db', 'verify', '--json')).stdout) as object;
    expect(await sound(fresh)).toMatchObject({ ok: true, documents: made?.documents });

    const other = await deployment;
    await other.start();
    const env = { MONGODB_URI: other.uri, SESSION_SECRET: 'x'.repeat(32) };
    const restored = await runCli(['db', 'restore', file, '--json'], { env });
    expect([restored.code, restored.stderr]).toEqual([0, '']);
    expect(JSON.parse(restored.stdout)).toMatchObject({ documents: made?.documents });
    const again = await runCli(['db', 'restore', file], { env });
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('only restored into an empty')]);

    // And back again: a backup of the deployment contains the same.
    const back = path.join(folder, 'back');
    expect((await runCli(['db', 'backup', '--out', back], { env })).code).toBe(0);
    const third = path.join(folder, 'third');
    expect(await cli(third, 'db', 'restore', back)).toMatchObject({ code: 0 });
    const exported = (env: Record<string, string>) =>
      runCli(['export', '--user', 'lost@example.org', '--format', 'csv', '--no-metadata', '--out', '-'], {
        env,
      });
    const [original, copy, viaDeployment] = [
      await exported({ DATA_DIR: db.directory }),
      await exported({ DATA_DIR: fresh }),
      await exported({ DATA_DIR: third }),
    ];
    expect(original.stdout.split('\r\n').length).toBeGreaterThan(25);
    expect(copy.stdout).toBe(original.stdout);
    expect(viaDeployment.stdout).toBe(original.stdout);
  });

  it('a backup of many years of doses restores', async () => {
    const doses = sized(20_000, 100_000);
    const file = path.join(folder, 'doses.backup');
    await archiveWithDoses(archiveFile('app'), file, doses);
    const fresh = path.join(folder, 'doses');
    expect(await cli(fresh, 'db', 'restore', file, '--json')).toMatchObject({ code: 0, stderr: '' });
    const { stdout } = await cli(fresh, 'db', 'verify', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, documents: 808 - 361 + doses });
  });

  it('a damaged backup is refused by both, and nothing is written', async () => {
    await somebodyWithHistory('damaged@example.org');
    const file = (await backUpWhenDue(worker(), plan))?.file ?? '';
    const bytes = await readFile(file);
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 0xff;
    await writeFile(file, bytes);
    const other = await newDeployment();
    await other.start();
    const env = { MONGODB_URI: other.uri, SESSION_SECRET: 'x'.repeat(32) };
    for (const world of [{ DATA_DIR: path.join(folder, 'none') }, env]) {
      const refused = await runCli(['db', 'restore', file], { env: world });
      expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('Nothing was restored')]);
    }
    const empty = path.join(folder, 'empty.backup');
    expect(
      JSON.parse((await runCli(['db', 'backup', '--out', empty, '--json'], { env })).stdout),
    ).toBeTruthy();
    expect(
      (await runCli(['db', 'restore', empty, '--json'], { env: { DATA_DIR: path.join(folder, 'e') } }))
        .stdout,
    ).toContain('"documents":0');
    await other.dispose();
  });
});

it('the terminal can make a backup, too', async () => {
  expect(await backUpWhenDue(db.ctx(TERMINAL), plan)).toMatchObject({
    collections: expect.any(Number) as number,
  });
});
