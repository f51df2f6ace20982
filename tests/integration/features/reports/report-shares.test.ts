import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAX_LISTED_VIEWS, MAX_SHARES } from '#app/domain/reports/report-share.ts';
import type { ReportShareInput } from '#app/domain/reports/report-schema.ts';
import { scheduleDeletion, purgeDueAccounts } from '#app/features/accounts/account-deletion.server.ts';
import { downloadData } from '#app/features/export/data-download.server.ts';
import {
  getReportShare,
  listReportShares,
  revokeReportShare,
  shareReport,
  openSharedReport,
} from '#app/features/reports/report-shares.server.ts';
import { THROTTLE_RULES } from '#app/platform/access/throttle.server.ts';
import { inParallel } from '#app/platform/map-concurrent.server.ts';
import { openTestDatabase, TERMINAL, testConnection, type TestDatabase } from '#tests/support/database.ts';
import { storedDose, storedSchedule } from '#tests/support/doses.ts';
import { codeOf } from '#tests/support/outcomes.ts';
import { newPerson, type Person } from '#tests/support/people.ts';
import { textOf } from '#tests/support/streams.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await openTestDatabase({ env: { RATE_LIMIT_FACTOR: '10' } });
});
afterAll(() => db.dispose());

let people = 0;
const premium = () => newPerson(db, `shares-${(people += 1)}@example.org`, { plan: 'trial' });
const MARCH: ReportShareInput = { start: '2090-03-01', end: '2090-03-31', days: '7' };
const share = async ({ ctx }: Person, more: Partial<ReportShareInput> = {}) =>
  shareReport(ctx, { ...MARCH, ...more });
const look = (secret: string, address = '203.0.113.9') =>
  openSharedReport(db.ctx(undefined, { address }), secret);
const rows = () => testConnection(db).collection('report_shares');

describe('a link to a report', () => {
  it('shows the current report to anyone who has it', async () => {
    const owner = await premium();
    const { secret } = await share(owner, { notes: 'on' });
    const dosesOf = async () =>
      (await look(secret)).report.sections.find(({ title }) => title === 'Doses')?.rows ?? [];
    expect(await dosesOf()).toEqual([]);
    const schedule = await storedSchedule(db, owner);
    const dueDate = new Date('2090-03-09T08:00:00Z');
    await storedDose(db, schedule, dueDate, { status: 'taken', takenAt: dueDate, notes: 'calm' });
    expect(await dosesOf()).toHaveLength(1);
    const text = JSON.stringify(await look(secret));
    expect(text).toContain('calm');
    expect(text).not.toContain(owner.email);
    expect(text).not.toContain(owner.signedIn.user.id);
  });

  it('is stored only as a hash, which its owner never sees', async () => {
    const owner = await premium();
    const { secret } = await share(owner, { label: ' Dr  Meyer ' });
    expect(JSON.stringify(await rows().find().toArray())).not.toContain(secret);
    const [listed] = await listReportShares(owner.ctx);
    expect(listed).toMatchObject({ label: 'Dr Meyer', state: 'open', viewCount: 0, views: [], notes: false });
    expect(Object.keys(listed ?? {})).not.toContain('hash');
  });

  it("shows its owner when and from where it was opened, except the owner's own views", async () => {
    const owner = await premium();
    const { secret } = await share(owner);
    await look(secret);
    db.clock.advance(60_000);
    await look(secret, '2001:db8:1:2::3');
    await openSharedReport(owner.ctx, secret);
    const [listed] = await listReportShares(owner.ctx);
    expect(listed?.viewCount).toBe(2);
    expect(listed?.views.map(({ from }) => from)).toEqual([
      'network 203.0.113.0/24',
      'network 2001:db8:1::/48',
    ]);
    expect(listed?.views.at(-1)?.at).toEqual(db.clock.now());
  });

  it('counts all concurrent views and lists the latest', async () => {
    const owner = await premium();
    const { secret } = await share(owner);
    // As many at the same time as are allowed to wait.
    const looks = Array.from({ length: MAX_LISTED_VIEWS + 5 }, () => secret);
    await inParallel(looks, 8, async (link) => void (await look(link)));
    const [listed] = await listReportShares(owner.ctx);
    expect(listed?.viewCount).toBe(MAX_LISTED_VIEWS + 5);
    expect(listed?.views).toHaveLength(MAX_LISTED_VIEWS);
  });

  it('expires after its days', async () => {
    const owner = await premium();
    const { secret } = await share(owner, { days: '1' });
    db.clock.advance(86_400_000 - 1);
    expect(await codeOf(look(secret))).toBe('done');
    db.clock.advance(1);
    expect(await codeOf(look(secret))).toBe('NOT_FOUND');
    expect((await listReportShares(owner.ctx))[0]?.state).toBe('expired');
  });

  it('stops working immediately when revoked, even for the owner', async () => {
    const owner = await premium();
    const { secret, share: made } = await share(owner);
    expect(await codeOf(look(secret))).toBe('done');
    await revokeReportShare(owner.ctx, made.id);
    await revokeReportShare(owner.ctx, made.id);
    expect(await codeOf(look(secret))).toBe('NOT_FOUND');
    expect(await codeOf(openSharedReport(owner.ctx, secret))).toBe('NOT_FOUND');
    expect(await getReportShare(owner.ctx, made.id)).toMatchObject({ state: 'revoked', viewCount: 1 });
    expect((await db.repos.audit.listAbout(owner.signedIn.user.id, 10)).map(({ action }) => action)).toEqual(
      expect.arrayContaining(['report-share.create', 'report-share.revoke']),
    );
    // Administrators read the audit trail, and it outlives the account.
    for (const { before, after } of await db.repos.audit.listAbout(owner.signedIn.user.id, 10))
      expect(Object.keys({ ...before, ...after })).not.toEqual(
        expect.arrayContaining([expect.stringMatching(/name|compound|label|start|end$/)]),
      );
  });

  it('is answered the same if forged as if expired', async () => {
    const { secret, share: made } = await share(await premium());
    const guesses = ['', 'x', '../x', made.id, 'A'.repeat(43), `${secret}A`, secret.slice(1), '{"$gt":""}'];
    for (const guess of guesses) {
      const error: unknown = await look(guess).catch((thrown: unknown) => thrown);
      expect(error, guess).toMatchObject({
        code: 'NOT_FOUND',
        message: 'This report link does not work.',
      });
    }
  });

  it('limits the rate of guesses', async () => {
    const strict = await openTestDatabase();
    const guess = () => codeOf(openSharedReport(strict.ctx(), 'A'.repeat(43)));
    for (let tries = 0; tries < THROTTLE_RULES.reportShareView.limit; tries += 1)
      expect(await guess()).toBe('NOT_FOUND');
    expect(await guess()).toBe('RATE_LIMITED');
    await strict.dispose();
  });

  it('does not work while its owner is suspended or without Premium', async () => {
    const owner = await premium();
    const { secret } = await share(owner, { days: '30' });
    const mark = (suspendedAt: Date | null) =>
      testConnection(db)
        .collection('users')
        .updateOne({ _id: owner.signedIn.user.id as never }, { $set: { suspendedAt } });
    await mark(db.clock.now());
    expect(await codeOf(look(secret))).toBe('NOT_FOUND');
    await mark(null);
    expect(await codeOf(look(secret))).toBe('done');
    db.clock.advance(15 * 86_400_000);
    expect(await codeOf(look(secret))).toBe('NOT_FOUND');
  });
});

describe('report links', () => {
  it('belong only to their owner', async () => {
    const [owner, other] = [await premium(), await premium()];
    const { secret, share: made } = await share(owner);
    expect(await codeOf(getReportShare(other.ctx, made.id))).toBe('NOT_FOUND');
    expect(await codeOf(revokeReportShare(other.ctx, made.id))).toBe('NOT_FOUND');
    expect(await listReportShares(other.ctx)).toEqual([]);
    expect(await codeOf(look(secret))).toBe('done');
  });

  it('require Premium', async () => {
    const free = await newPerson(db, 'shares-free@example.org');
    for (const attempt of [
      () => share(free),
      () => listReportShares(free.ctx),
      () => revokeReportShare(free.ctx, 'x'),
    ])
      expect(await codeOf(attempt())).toBe('PREMIUM_REQUIRED');
    expect(await codeOf(shareReport(db.ctx(), MARCH))).toBe('UNAUTHENTICATED');
  });

  it.each([
    [{ start: '2090-04-02' }, 'end', 'The end date must not be before the start date'],
    [{ start: '2040-01-01' }, 'end', 'Choose a period of at most 5 years'],
    [{ days: '365' as never }, 'days', 'Choose when the link expires'],
    [{ label: 'x'.repeat(61) }, 'label', 'Recipient can have at most 60 characters'],
  ])('with %o are refused at their field', async (more, field, message) => {
    await expect(share(await premium(), more)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      fields: { [field]: [message] },
    });
  });

  it('are limited to twenty active ones, even concurrently; one that has ended frees a place', async () => {
    const owner = await premium();
    const codes = await Promise.all(Array.from({ length: MAX_SHARES + 5 }, () => codeOf(share(owner))));
    expect(codes.filter((code) => code === 'done')).toHaveLength(MAX_SHARES);
    expect(new Set(codes)).toEqual(new Set(['done', 'LIMIT_REACHED']));
    const [first] = await listReportShares(owner.ctx);
    await revokeReportShare(owner.ctx, first?.id ?? '');
    expect(await codeOf(share(owner))).toBe('done');
    expect((await listReportShares(owner.ctx)).map(({ state }) => state)).toEqual(
      Array<string>(MAX_SHARES).fill('open'),
    );
  });

  it('are part of the owner’s data without their secret, and are deleted with the account', async () => {
    const owner = await premium();
    const { secret, share: made } = await share(owner);
    const hash = (await rows().findOne({ shareId: made.id }))?._id;
    const data = await textOf((await downloadData(owner.ctx)).open());
    expect(data).toContain(made.id);
    expect(data).not.toContain(String(hash));
    await scheduleDeletion(owner.ctx, { email: owner.email });
    db.clock.advance(48 * 3_600_000);
    expect(await codeOf(look(secret))).toBe('NOT_FOUND');
    await purgeDueAccounts(db.ctx(TERMINAL));
    expect(await rows().countDocuments({ userId: owner.signedIn.user.id })).toBe(0);
  });
});
