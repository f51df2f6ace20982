import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { breachReport } from '#app/features/admin/system/breach.server.ts';
import { viewUser } from '#app/features/admin/users/user-detail.server.ts';
import { addVial } from '#app/features/vials/index.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { saveAll } from '#tests/support/calculations.ts';
import { runCli } from '#tests/support/cli.ts';
import { openTestDatabase, TERMINAL, type TestDatabase } from '#tests/support/database.ts';
import { ctxOfToken, newPerson, type Person } from '#tests/support/people.ts';

const HOUR = 3_600_000;

let db: TestDatabase;
let terminal: Ctx;
let [touched, quiet]: Person[] = [];
let [since, until]: Date[] = [];

const idOf = (person: Person | undefined) => person?.signedIn.user.id ?? '';

beforeAll(async () => {
  db = await openTestDatabase();
  terminal = db.ctx(TERMINAL, { address: 'terminal' });
  touched = await newPerson(db, 'touched@example.org', { plan: 'trial' });
  quiet = await newPerson(db, 'quiet@example.org', { plan: 'trial' });
  const admin = await newPerson(db, 'admin@example.org');
  await db.repos.users.setRole(idOf(admin), 'admin');
  const asAdmin = await ctxOfToken(db, admin.signedIn.token);
  await saveAll(quiet.ctx, [{}]);
  db.clock.advance(HOUR);
  since = db.clock.now();
  await saveAll(touched.ctx, [{}]);
  await addVial(touched.ctx, { name: 'BPC-157', amountMg: '5' });
  await viewUser(asAdmin, idOf(touched));
  await db.repos.audit.append({
    id: 'downloaded',
    at: db.clock.now(),
    actor: idOf(admin),
    action: 'system.download-backup',
    subjectId: 'backup-1',
    before: {},
    after: {},
    reason: 'a copy',
    from: '203.0.113.1',
  });
  db.clock.advance(HOUR);
  until = db.clock.now();
  db.clock.advance(HOUR);
  await saveAll(quiet.ctx, [{}]);
});
afterAll(() => db.dispose());

const period = () => ({ since: since?.toISOString() ?? '', until: until?.toISOString() ?? '' });

describe('the breach report', () => {
  it('lists only the affected accounts, with kinds of data and who did what', async () => {
    const report = await breachReport(terminal, period());
    const account = report.accounts.find(({ id }) => id === idOf(touched));
    expect(account).toMatchObject({ email: 'touched@example.org' });
    expect(account?.kinds).toEqual(
      expect.arrayContaining([
        { kind: 'calculations', title: 'Saved calculations', isHealth: true, records: 1 },
        { kind: 'vials', title: 'Vials and stock', isHealth: true, records: 1 },
      ]),
    );
    expect(account?.actions).toEqual([{ action: 'user.view', by: 'others', times: 1 }]);
    expect(report.accounts.map(({ id }) => id)).not.toContain(idOf(quiet));
    expect(report.server).toEqual([{ action: 'system.download-backup', times: 1, concernsEverybody: true }]);
  });

  it('is recorded in the audit trail, and available only at the terminal', async () => {
    await breachReport(terminal, period());
    const [row] = await db.repos.audit.listAbout('server', 1);
    expect(row?.action).toBe('system.breach-report');
    const someone = touched as Person;
    await expect(breachReport(someone.ctx, period())).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(breachReport(db.ctx(), period())).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  it('is printed by vialbook admin breach', async () => {
    const { env } = db;
    const { since: from, until: to } = period();
    const ran = await runCli(['admin', 'breach', '--since', from, '--until', to, '--json'], { env });
    expect(ran).toMatchObject({ code: 0 });
    const { accounts } = JSON.parse(ran.stdout) as { accounts: { email: string }[] };
    expect(accounts.map(({ email }) => email)).toContain('touched@example.org');
    const text = await runCli(['admin', 'breach', '--since', from, '--until', to], { env });
    for (const line of [
      `touched@example.org  ${idOf(touched)}`,
      '    Vials and stock (health data): 1 record',
      '    Account viewed, by others: once',
      'Backup downloaded: once – this exposes data of every account, including those not listed here',
    ])
      expect(text.stdout.split('\n')).toContain(line);
  });

  it.each([
    [['--since', 'yesterday'], '--since: Enter a day'],
    [['--since', '2026-11-20T08:00'], '--since: Enter a day'],
    [['--since', '2026-11-20', '--until', '2026-11-19'], '--until: The end must be after the start'],
    [[], '--since'],
  ])('refuses %j', async (args, message) => {
    const ran = await runCli(['admin', 'breach', ...args], { env: db.env });
    expect(ran).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(message) });
  });
});
