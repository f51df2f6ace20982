import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createReadStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import {
  getBackup,
  KEPT_BACKUPS,
  listBackups,
  openBackup,
  pruneBackups,
  startBackup,
} from '#app/features/system/backups.server.ts';
import { processMetrics } from '#app/platform/metrics/process-metrics.server.ts';
import { listFailures } from '#app/features/system/server-status.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { isSwitchedOn } from '#app/platform/flags/flags.server.ts';
import { keepLogLines, leaveLogLine } from '#app/platform/log/log.server.ts';
import {
  clearCaches,
  listLogs,
  restartWorkers,
  systemHealth,
  systemReport,
  clearExpiredRows,
  trimLogs,
} from '#app/features/admin/system/system.server.ts';
import { superviseWorker, WORKER, type Job } from '#app/server/worker.server.ts';
import { restoreStore } from '#models/engine/index.ts';
import { archiveOf, unrestorable } from '#tests/support/archives.ts';
import { jobsOf } from '#app/server/worker.server.ts';
import { openTestDatabase, TERMINAL, type TestDatabase } from '#tests/support/database.ts';
import { onEngine } from '#tests/support/named-deployment.ts';
import { ctxOfToken, newPerson } from '#tests/support/people.ts';
import { reposOf } from '#tests/support/repositories.ts';

let db: TestDatabase;
let terminal: Ctx;
const reason = 'a test';
beforeAll(async () => {
  db = await openTestDatabase({ ownEngine: true, env: { RATE_LIMIT_FACTOR: '100' } });
  terminal = db.ctx(TERMINAL, { address: 'terminal' });
});
afterAll(() => db.dispose());

async function admin(email: string, role: 'admin' | 'super_admin' = 'admin'): Promise<Ctx> {
  const { signedIn } = await newPerson(db, email);
  await db.repos.users.setRole(signedIn.user.id, role);
  return ctxOfToken(db, signedIn.token);
}

describe('system health', () => {
  it('is measured, and shown only to admins', async () => {
    const health = await systemHealth(terminal);
    // The test does not depend on the machine's speed: the overall status is that of the worst metric.
    const worst = (['critical', 'warning', 'healthy'] as const).find((status) =>
      health.metrics.some((metric) => metric.status === status),
    );
    expect(health.status).toBe(worst);
    const { healthy, warning, critical } = health.counts;
    expect(healthy + warning + critical).toBe(health.metrics.length);
    expect(health.metrics.length).toBeGreaterThan(5);
    expect(health.metrics.find(({ name }) => name === 'Database latency')?.value).toMatch(/^\d+\.\d ms$/);
    const isEmbedded = await stat(path.join(db.directory, 'data.db')).then(
      () => true,
      () => false,
    );
    expect(health.dataFile).toEqual(
      isEmbedded
        ? { fileBytes: expect.any(Number) as number, freeBytes: expect.any(Number) as number }
        : null,
    );
    expect(health.dataFile?.fileBytes ?? 1).toBeGreaterThan(health.dataFile?.freeBytes ?? 0);
    const { ctx } = await newPerson(db, 'curious@example.org');
    await expect(systemHealth(ctx)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(systemHealth(db.ctx())).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  it('counts errors as failed requests, but not requests for switched-off features', async () => {
    const answered = (status: number, times: number) => {
      for (let count = 0; count < times; count += 1)
        processMetrics().answered({ method: 'GET', status, ms: 1, route: '/' });
    };
    await terminal.server.sample();
    answered(200, 100);
    answered(503, 100);
    expect((await terminal.server.sample()).errorShare).toBe(0);
    answered(503, 150);
    answered(500, 50);
    expect((await terminal.server.sample()).errorShare).toBe(0.25);
  });

  it('can be downloaded as a report without personal data', async () => {
    await newPerson(db, 'unnamed@example.org');
    const report = JSON.stringify(await systemReport(terminal));
    expect(report).toContain(`"Database":"${onEngine ? 'embedded engine' : 'MongoDB deployment'}"`);
    expect(report).not.toContain('@example.org');
    const [row] = await db.repos.audit.listAbout('server', 1);
    expect(row?.action).toBe('system.report');
  });
});

describe('the stored log', () => {
  const entry = (level: number, msg: string) =>
    JSON.stringify({ level, time: new Date().toISOString(), msg, requestId: 'r-1' });

  it('is searched literally, filtered by level and paged', async () => {
    leaveLogLine(entry(30, 'audited change'));
    leaveLogLine(entry(40, 'a (strange+ thing'));
    for (let count = 0; count < 60; count += 1) leaveLogLine(entry(50, `failure ${count}`));
    await keepLogLines(db.repos);
    const first = await listLogs(terminal, { level: 'error' });
    expect(first.lines).toHaveLength(50);
    expect(first.lines[0]?.message).toBe('failure 59');
    const second = await listLogs(terminal, { level: 'error', before: first.next ?? '' });
    expect(second).toMatchObject({ next: null });
    expect(second.lines).toHaveLength(10);
    const found = await listLogs(terminal, { search: '(STRANGE+' });
    expect(found.lines.map(({ level }) => level)).toEqual(['warning']);
    expect((await listLogs(terminal, { search: '(a+)+$' })).lines).toEqual([]);
    await expect(listLogs(terminal, { level: 'loud' as never })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
    await db.repos.serverLogs.trim(5, 5);
    expect((await listLogs(terminal, {})).lines).toHaveLength(5);
    await trimLogs(terminal);
    expect(await clearExpiredRows(terminal)).toBe(0);
  });
});

describe('the audit trail', () => {
  it('loses what is older than the operator wants, and only where they want it', async () => {
    const other = await openTestDatabase({ env: { AUDIT_KEEP_DAYS: '30' } });
    try {
      const caller = other.ctx(TERMINAL);
      await restartWorkers(caller, { reason: 'old' });
      other.clock.advance(30 * 86_400_000 - 1);
      await restartWorkers(caller, { reason: 'new' });
      const trim = jobsOf(other.settings).find(({ name }) => name === 'trim-audit');
      const never = new AbortController().signal;
      expect(await trim?.run(caller, never)).toBe(0);
      other.clock.advance(2);
      expect(await trim?.run(caller, never)).toBe(1);
      const left = await other.repos.audit.listAbout('server', 10);
      expect(left.map(({ reason }) => reason)).toEqual(['new']);
      expect(jobsOf(db.settings).map(({ name }) => name)).not.toContain('trim-audit');
    } finally {
      await other.dispose();
    }
  });
});

describe('the stored log during a flood of refused requests', () => {
  const line = (more: object) => JSON.stringify({ level: 40, time: new Date().toISOString(), ...more });
  const refused = (round: number) => {
    for (let count = 0; count < 2000; count += 1)
      leaveLogLine(line({ requestId: `r-${round}-${count}`, status: 403, msg: 'request denied' }));
  };

  it('stores other messages as well, and says how many lines were dropped', async () => {
    const flooded = await openTestDatabase();
    try {
      refused(1);
      leaveLogLine(line({ level: 50, msg: 'backup failed' }));
      await keepLogLines(flooded.repos);
      const [left, failure, ...denied] = await flooded.repos.serverLogs.list({ search: '' }, 100);
      expect(left?.facts).toEqual({ dropped: '1950' });
      expect(failure?.message).toBe('backup failed');
      expect(denied).toHaveLength(50);
    } finally {
      await flooded.dispose();
    }
  });

  it('keeps earlier lines, no matter how long the flood lasts', async () => {
    const flooded = await openTestDatabase();
    try {
      leaveLogLine(line({ level: 50, msg: 'backup failed' }));
      for (let round = 0; round < 25; round += 1) {
        refused(round);
        await keepLogLines(flooded.repos);
      }
      await trimLogs(flooded.ctx(TERMINAL));
      expect(await flooded.repos.serverLogs.list({ search: 'backup failed' }, 5)).toHaveLength(1);
      expect(await flooded.repos.serverLogs.list({ search: 'request denied' }, 2000)).toHaveLength(1000);
      // With a single limit for all lines, the oldest would be deleted first.
      await flooded.repos.serverLogs.trim(700, 300);
      expect(await flooded.repos.serverLogs.list({ search: 'backup failed' }, 5)).toHaveLength(1);
    } finally {
      await flooded.dispose();
    }
  });
});

describe('a backup', () => {
  it.runIf(onEngine)(
    'is complete, audited, restorable into an empty store, and downloadable by super admins',
    async () => {
      const [plain, top] = [await admin('plain@example.org'), await admin('top@example.org', 'super_admin')];
      const { backup, done } = await startBackup(plain, { reason });
      await expect(startBackup(plain, { reason })).rejects.toMatchObject({ conflict: 'ALREADY_RUNNING' });
      await done;
      const made = await getBackup(plain, backup.id);
      expect(made).toMatchObject({ state: 'done', isInterrupted: false });
      const file = path.join(plain.server.backupDirectory, `${backup.id}.vialbook`);
      const { size, mode } = await stat(file);
      expect([size, mode & 0o777]).toEqual([made.bytes, 0o600]);
      await expect(openBackup(plain, backup.id)).rejects.toMatchObject({ code: 'FORBIDDEN' });
      expect((await openBackup(top, backup.id)).fileName).toMatch(/^vialbook-2090-03-10-\w{6}\.vialbook$/);
      const directory = await mkdtemp(path.join(tmpdir(), 'vialbook-restored-'));
      try {
        const restored = await restoreStore({ dir: directory, source: () => createReadStream(file) });
        expect(restored.documents).toBeGreaterThan(10);
        const again = await openTestDatabase({ directory });
        const owner = await again.repos.addresses.findOwner('plain@example.org');
        await again.dispose();
        expect(owner).toBe(plain.actor.kind === 'user' ? plain.actor.id : '');
      } finally {
        await rm(directory, { recursive: true, force: true });
      }
    },
  );

  it('is kept while it is among the last five, for a limited time', async () => {
    // Of little data, since each is restored as a trial.
    const bytes = await archiveOf([{ _id: 1 }]);
    const archives = { ...reposOf(terminal).archives, open: () => Readable.from([bytes]) };
    const ctx = { ...terminal, repos: terminal.repos.with({ archives }) };
    for (let made = 0; made <= KEPT_BACKUPS; made += 1) {
      db.clock.advance(1000);
      await (
        await startBackup(ctx, { reason })
      ).done;
    }
    const kept = await listBackups(terminal);
    expect(kept).toHaveLength(KEPT_BACKUPS);
    db.clock.advance(31 * 86_400_000);
    await pruneBackups(terminal);
    expect(await listBackups(terminal)).toEqual([]);
    const [gone] = kept;
    const file = path.join(terminal.server.backupDirectory, `${gone?.id}.vialbook`);
    await expect(stat(file)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('is shown as failed or interrupted when it was', async () => {
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield await Promise.resolve(new Uint8Array(10));
      throw new Error('the disk is full');
    }
    const ctx = {
      ...terminal,
      repos: terminal.repos.with({ archives: { ...reposOf(terminal).archives, open: broken } }),
    };
    const { backup, done } = await startBackup(ctx, { reason });
    await done;
    expect(await getBackup(ctx, backup.id)).toMatchObject({
      state: 'failed',
      error: expect.stringMatching(/^No backup in .*: the disk is full\. The log has the details\.$/),
    });
    const told = async () => (await listFailures(terminal)).filter(({ what }) => what === 'requested backup');
    expect(await told()).toEqual([
      {
        what: 'requested backup',
        at: db.clock.now(),
        times: 1,
        reason: expect.stringMatching(/: the disk is full\. The log has the details\.$/) as string,
      },
    ]);
    await expect(openBackup(ctx, backup.id)).rejects.toMatchObject({ conflict: 'WRONG_STATE' });
    // The failure is reported until the next backup has succeeded.
    db.clock.advance(1000);
    const next = await startBackup(terminal, { reason });
    expect(await told()).toHaveLength(1);
    await next.done;
    expect(await told()).toEqual([]);
    // So is a trial restore that failed, though the file is complete.
    db.clock.advance(1000);
    const bytes = await unrestorable();
    const open = () => Readable.from([bytes]);
    const repos = terminal.repos.with({ archives: { ...reposOf(terminal).archives, open } });
    const unproven = await startBackup({ ...terminal, repos }, { reason });
    await unproven.done;
    expect(await getBackup(terminal, unproven.backup.id)).toMatchObject({
      state: 'done',
      bytes: bytes.length,
    });
    expect(await told()).toHaveLength(1);
    await db.repos.backups.update(backup.id, { state: 'running' });
    db.clock.advance(61_000);
    expect(await getBackup(ctx, backup.id)).toMatchObject({ isInterrupted: true });
    await expect(getBackup(ctx, 'backup-none')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('actions on the server', () => {
  it('clear the caches, and say which ones', async () => {
    await isSwitchedOn(terminal, 'import');
    expect(await clearCaches(terminal, { reason })).toEqual(['switches']);
    expect(await clearCaches(terminal, { reason })).toEqual([]);
  });

  it('restart the worker of every process', async () => {
    let began = 0;
    let again: () => void = () => undefined;
    const restarted = new Promise<void>((resolve) => (again = resolve));
    const job: Job = {
      name: 'counted',
      everyMs: 1_000_000,
      run: () => {
        began += 1;
        if (began === 4) again();
        return Promise.resolve();
      },
    };
    const rhythm = { lookEveryMs: 20, patienceMs: 60_000 };
    const looks = vi.spyOn(db.repos.processSignals, 'count');
    const workers = [1, 2].map(() => superviseWorker(db.ctx(WORKER.actor), [job], rhythm));
    // Each process must have read the counter once before a change counts as a request.
    expect(looks).toHaveBeenCalledTimes(2);
    await Promise.all(looks.mock.results.map(({ value }) => value as Promise<number>));
    await restartWorkers(terminal, { reason });
    await restarted;
    await Promise.all(workers.map((worker) => worker.stop()));
    expect((await db.repos.jobRuns.list()).map(({ name }) => name)).toContain('restart-worker');
  });

  it('require a reason, an admin and a recent sign-in', async () => {
    const ctx = await admin('late@example.org');
    await expect(restartWorkers(ctx, { reason: ' ' })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      fields: { reason: [expect.any(String)] },
    });
    db.clock.advance(20 * 60_000);
    for (const act of [clearCaches, restartWorkers, startBackup])
      await expect(act(ctx, { reason })).rejects.toMatchObject({ code: 'RECENT_SIGN_IN_REQUIRED' });
    const { ctx: nobody } = await newPerson(db, 'nobody@example.org');
    for (const act of [clearCaches, restartWorkers, startBackup])
      await expect(act(nobody, { reason })).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });
});
