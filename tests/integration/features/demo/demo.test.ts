import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoEnd, MAX_DEMOS } from '#app/domain/demo/demo.ts';
import { demoAddress } from '#app/domain/accounts/account.ts';
import { HOUR_MS } from '#app/domain/time/calendar.ts';
import { EXPORT_TYPES } from '#app/domain/records/type-names.ts';
import { balanceOf, recalculated } from '#app/domain/vials/stock.ts';
import { statusOf } from '#app/domain/vials/vial.ts';
import { createApiToken, listApiTokens } from '#app/features/accounts/api-tokens.server.ts';
import { cancelDeletion, purgeDueAccounts } from '#app/features/accounts/account-deletion.server.ts';
import { askForEmailChange, resendConfirmation } from '#app/features/accounts/email-change.server.ts';
import { register, startDemoAccount } from '#app/features/accounts/registration.server.ts';
import { changePassword } from '#app/features/accounts/password-change.server.ts';
import { resolveSession } from '#app/features/accounts/sessions.server.ts';
import { adminStats } from '#app/features/admin/overview.server.ts';
import { openPortal, startCheckout } from '#app/features/billing/billing.server.ts';
import { fillDemo, startDemo } from '#app/features/demo/index.server.ts';
import { listUpcomingDoses } from '#app/features/doses/index.server.ts';
import { skipDose, takeDose, undoDose } from '#app/features/doses/doses.server.ts';
import { prepareExport } from '#app/features/export/export.server.ts';
import { dryRunImport } from '#app/features/import/import.server.ts';
import { listLots } from '#app/features/lots/index.server.ts';
import { switchFlag } from '#app/platform/flags/flags.server.ts';
import { createReferralCode } from '#app/features/referrals/referrals.server.ts';
import { deliverReminders, remindOfDoses } from '#app/features/reminders/index.server.ts';
import { setNtfyTopic } from '#app/features/reminders/ntfy.server.ts';
import { pushPublicKey } from '#app/features/reminders/push-subscriptions.server.ts';
import { shareReport } from '#app/features/reports/report-shares.server.ts';
import { changeCalendarFeed } from '#app/features/schedules/calendar-feed.server.ts';
import { importCatalogue } from '#app/features/vendors/catalogue-import.server.ts';
import { listSuppliers } from '#app/features/vendors/suppliers.server.ts';
import { createWebhook } from '#app/features/webhooks/webhooks.server.ts';
import { scheduledDoseId } from '#app/platform/ids.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { updateNotificationChoices } from '#app/platform/mail/notification-choices.server.ts';
import { openTestDatabase, TERMINAL, testConnection, type TestDatabase } from '#tests/support/database.ts';
import { codeOf } from '#tests/support/outcomes.ts';
import { ctxOfToken, newPerson, registration } from '#tests/support/people.ts';
import { bytesOf } from '#tests/support/streams.ts';
import { reposOf } from '#tests/support/repositories.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.dispose());

interface Demo {
  ctx: Ctx;
  id: string;
  token: string;
}

let visitors = 0;
const visitorFrom = (address: string) => db.ctx({ kind: 'visitor' }, { address });
const newVisitor = () => visitorFrom(`192.0.2.${(visitors += 1)}`);

/** A new visitor's demo. */
async function newDemo(timeZone?: string): Promise<Demo> {
  const { token, user } = await startDemo(newVisitor(), { timeZone });
  return { ctx: await ctxOfToken(db, token), id: user.id, token };
}

/** Starts a demo without writing its year, which is most of the work. */
const startEmptyDemo = (visitor: Ctx) =>
  startDemoAccount(visitor, { timeZone: 'UTC', fill: () => Promise.resolve() });

const demos = new Map<string, Promise<Demo>>();
/** A demo in this zone, for tests that only read it, or are refused. */
function demoIn(timeZone: string): Promise<Demo> {
  const demo = demos.get(timeZone) ?? newDemo(timeZone);
  demos.set(timeZone, demo);
  return demo;
}

const idOf = (ctx: Ctx): string => (ctx.actor.kind === 'user' ? ctx.actor.id : '');

const dosesOf = (ctx: Ctx) => reposOf(ctx).doses.list(idOf(ctx), {});

async function vialsOf(ctx: Ctx) {
  const all = [];
  for await (const batch of reposOf(ctx).vials.stream(idOf(ctx)))
    for (const { id } of batch) all.push(await reposOf(ctx).vials.find(idOf(ctx), id));
  return all.flatMap((vial) => (vial === null ? [] : [vial]));
}

describe.each(['UTC', 'Pacific/Auckland', 'America/Los_Angeles'])('the year of a demo in %s', (timeZone) => {
  it('follows the rules for doses and vials', async () => {
    const { ctx, id } = await demoIn(timeZone);
    const [doses, vials] = [await dosesOf(ctx), await vialsOf(ctx)];
    const logged = doses.filter(({ status }) => status === 'taken');
    expect(logged.length).toBeGreaterThan(250);
    expect(doses.filter(({ status }) => status === 'missed')).toHaveLength(8);
    for (const dose of doses) {
      expect(dose.id).toBe(scheduledDoseId(dose.scheduleId ?? '', dose.localDay, dose.wallTime));
      expect(dose.timeZone).toBe(timeZone);
      if (dose.takenAt !== null) expect(dose.takenAt.getTime()).toBeLessThanOrEqual(ctx.now().getTime());
    }
    // The ledgers of the vials contain exactly the draws of the taken doses.
    const drawn = logged.flatMap(({ draws, id: doseId, round }) =>
      draws.map(({ compoundId, mg }) => `${doseId}:${round}:${compoundId} -${mg}`),
    );
    const written = vials.flatMap(({ ledger }) =>
      ledger.filter(({ kind }) => kind === 'dose').map((entry) => `${entry.id} ${entry.mg}`),
    );
    expect(written.sort()).toEqual(drawn.sort());
    for (const vial of vials) {
      expect(vial.remaining).toBe(balanceOf(vial).toFixed());
      expect(Number(vial.remaining)).toBeGreaterThanOrEqual(0);
      expect(vial.status).toBe(statusOf(vial));
      expect(recalculated(vial)).toEqual(vial);
      expect(vial.lot).not.toBeNull();
    }
    expect(new Set(vials.map(({ status }) => status))).toEqual(
      new Set(['sealed', 'in_use', 'empty', 'discarded']),
    );
    const sites = await reposOf(ctx).injectionSites.count(id, { from: null, before: null });
    expect(sites).toBe(logged.length);
    // Whoever follows a vial or a lot finds the doses that were drawn from it.
    const every = vials.map((vial) => vial.id);
    const { total } = await reposOf(ctx).doses.listDrawnFrom(id, every, { skip: 0, limit: 1 });
    expect(total).toBe(logged.length);
  });
});

describe('a demo account', () => {
  it('has lots with and without a certificate', async () => {
    const { ctx } = await demoIn('UTC');
    const { lots } = await listLots(ctx, { page: 1, limit: 50 });
    expect(lots).toHaveLength(10);
    expect(lots.filter(({ lot }) => lot.purityPercent !== null)).toHaveLength(3);
  });

  it('has a pen in IU, from which a dose is so many clicks', async () => {
    const { ctx } = await demoIn('UTC');
    const [pen] = (await vialsOf(ctx)).filter(({ form }) => form === 'pen');
    const doses = (await dosesOf(ctx)).filter(({ name }) => name === 'Somatropin');
    const drawn = doses.filter(({ status }) => status === 'taken').length;
    expect([drawn >= 7, pen?.remaining]).toEqual([true, String(30 - 2 * drawn)]);
    const ahead = (await listUpcomingDoses(ctx)).find(({ name }) => name === 'Somatropin');
    expect([ahead?.amountText, ahead?.drawText]).toEqual(['2 IU', '4 clicks (0.2 ml)']);
  });

  it('is not created while the demo is switched off', async () => {
    const terminal = db.ctx(TERMINAL);
    await switchFlag(terminal, { name: 'demo', state: 'off', reason: 'a test' });
    expect(await codeOf(newDemo())).toBe('SWITCHED_OFF');
    await switchFlag(terminal, { name: 'demo', state: 'on', reason: 'a test' });
    await newDemo();
  });

  it('exports everything, and the export can be imported again', async () => {
    const { ctx } = await demoIn('UTC');
    const file = await prepareExport(ctx, { format: 'json', types: [...EXPORT_TYPES] });
    const bytes = await bytesOf(file.open());
    const again = await newPerson(db, 'again@example.org', { plan: 'trial' });
    const check = await dryRunImport(again.ctx, { bytes });
    expect(check.badCount).toBe(0);
    expect(check.fresh).toEqual(check.rows);
  });

  it('allows doses to be taken, undone and skipped like any other', async () => {
    const { ctx } = await newDemo();
    const doses = await dosesOf(ctx);
    const last = doses.filter(({ status }) => status === 'taken').at(-1);
    const before = await vialsOf(ctx);
    await undoDose(ctx, last?.id ?? '');
    const between = await vialsOf(ctx);
    const amounts = (vials: typeof before) => vials.map(({ id, remaining }) => [id, remaining]);
    expect(amounts(between)).not.toEqual(amounts(before));
    await takeDose(ctx, last?.id ?? '', { confirmed: ['TOO_SOON'] });
    expect(amounts(await vialsOf(ctx))).toEqual(amounts(before));
    const ahead = doses.find(({ status }) => status === 'pending');
    expect((await skipDose(ctx, ahead?.id ?? '')).status).toBe('skipped');
  });

  it('is the same for everybody at the same moment', async () => {
    const facts = async ({ ctx }: Demo) => {
      return (await dosesOf(ctx)).map(({ localDay, wallTime, status, site, actualDose }) => {
        return { localDay, wallTime, status, site, actualDose };
      });
    };
    expect(await facts(await newDemo())).toEqual(await facts(await demoIn('UTC')));
  });

  const ways: [string, (ctx: Ctx) => Promise<unknown>][] = [
    ['push', (ctx) => pushPublicKey(ctx)],
    ['ntfy', (ctx) => setNtfyTopic(ctx, { url: 'https://ntfy.example.org/x' })],
    ['a webhook', (ctx) => createWebhook(ctx, { url: 'https://example.org/x', events: [] } as never)],
    ['payment', (ctx) => startCheckout(ctx, { plan: 'monthly' } as never)],
    ['the payment portal', (ctx) => openPortal(ctx)],
    ['a referral code', (ctx) => createReferralCode(ctx)],
    ['a shared report', (ctx) => shareReport(ctx, { start: '2090-02-01', end: '2090-02-28' } as never)],
    ['a calendar link', (ctx) => changeCalendarFeed(ctx, { intent: 'create', privacy: 'full' } as never)],
    ['an API token', (ctx) => createApiToken(ctx, { name: 'x', scope: 'read', life: '30' } as never)],
    ['another address', (ctx) => askForEmailChange(ctx, { email: 'away@example.org' })],
    ['a confirmation mail', (ctx) => resendConfirmation(ctx)],
    ['a password', (ctx) => changePassword(ctx, { currentPassword: 'x' } as never)],
    ['staying', (ctx) => cancelDeletion(ctx)],
    [
      'a catalogue from elsewhere',
      async (ctx) => {
        const [supplier] = await listSuppliers(ctx);
        return importCatalogue(ctx, supplier?.id ?? '', { url: 'https://example.org/x.csv' }, true);
      },
    ],
  ];

  it('refuses whatever would leave this server', async () => {
    const { ctx } = await demoIn('UTC');
    for (const [name, way] of ways) expect([name, await codeOf(way(ctx))]).toEqual([name, 'NOT_IN_DEMO']);
    expect(await listApiTokens(ctx)).toEqual([]);
  });

  it('shows reminders on its pages only', async () => {
    const { ctx, id } = await newDemo();
    await updateNotificationChoices(ctx, { email: true, push: true });
    const mailsBefore = (await db.mails()).length;
    db.clock.advance(9 * HOUR_MS);
    const worker = db.ctx(TERMINAL);
    await remindOfDoses(worker);
    await deliverReminders(worker);
    expect(await reposOf(ctx).reminders.count(id, true)).toBeGreaterThan(0);
    expect((await db.mails()).length).toBe(mailsBefore);
    const rows = await testConnection(db).db?.collection('deliveries').countDocuments({ userId: id });
    expect(rows).toBe(0);
  });

  it('is not counted among the accounts', async () => {
    const terminal = db.ctx(TERMINAL);
    const before = await adminStats(terminal);
    await newDemo();
    expect(await adminStats(terminal)).toEqual(before);
  });

  it('ends after 24 hours, and leaves nothing', async () => {
    const { id, token } = await newDemo();
    db.clock.advance(24 * HOUR_MS - 1);
    await purgeDueAccounts(db.ctx(TERMINAL));
    expect(await db.repos.users.find(id)).not.toBeNull();
    db.clock.advance(1);
    expect(await resolveSession(db.ctx(), token)).toBeNull();
    await purgeDueAccounts(db.ctx(TERMINAL));
    const database = testConnection(db).db;
    for (const { name } of (await database?.listCollections().toArray()) ?? [])
      for (const row of (await database?.collection(name).find().toArray()) ?? [])
        expect(JSON.stringify(row)).not.toContain(id);
  });

  it('can be started five times an hour per client, and nobody can register its address', async () => {
    const visitor = visitorFrom('198.51.100.7');
    await startDemo(visitor, {});
    for (let count = 1; count < 5; count += 1) await startEmptyDemo(visitor);
    expect(await codeOf(startDemo(visitor, {}))).toBe('RATE_LIMITED');
    expect(await codeOf(register(db.ctx(), registration(demoAddress('x'))))).toBe('REGISTRATION_FAILED');
  });

  it('is one of at most 200', async () => {
    db.clock.advance(25 * HOUR_MS);
    const now = db.clock.now();
    const stored = (id: string) => ({
      ...{ id, email: demoAddress(id), passwordHash: 'x', role: 'user' as const, timeZone: 'UTC' },
      ...{ createdAt: now, deleteAfter: demoEnd(now) },
    });
    for (let count = 1; count < MAX_DEMOS; count += 1) await db.repos.users.create(stored(`full-${count}`));
    await startEmptyDemo(newVisitor());
    const users = await db.repos.userCounts.countAll();
    expect(await codeOf(newDemo())).toBe('RATE_LIMITED');
    expect(await db.repos.userCounts.countAll()).toBe(users);
  });
});

describe('filling an account at the terminal', () => {
  it('works only for an empty account', async () => {
    const { ctx, email } = await newPerson(db, 'empty@example.org', { plan: 'trial' });
    await fillDemo(db.ctx(TERMINAL), email);
    expect((await dosesOf(ctx)).length).toBeGreaterThan(250);
    expect(await codeOf(fillDemo(db.ctx(TERMINAL), email))).toBe('ALREADY_EXISTS');
    expect(await codeOf(fillDemo(ctx, email))).toBe('FORBIDDEN');
    await newPerson(db, 'free@example.org');
    await expect(fillDemo(db.ctx(TERMINAL), 'free@example.org')).rejects.toMatchObject({
      code: 'PREMIUM_REQUIRED',
      message:
        'free@example.org has no Premium, which the demo’s year needs. Give it first: vialbook admin upgrade free@example.org',
    });
  });
});
