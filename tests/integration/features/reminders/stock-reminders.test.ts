import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { updateNotificationChoices } from '#app/platform/mail/notification-choices.server.ts';
import { listReminders } from '#app/features/reminders/reminders.server.ts';
import { remindOfStock } from '#app/features/reminders/stock-reminders.server.ts';
import { DOSE_WARNINGS } from '#app/domain/doses/dose-warnings.ts';
import { SILENT_LOG } from '#app/domain/log.ts';
import { purgeDueAccounts } from '#app/features/accounts/account-deletion.server.ts';
import { changeProfile } from '#app/features/accounts/profile.server.ts';
import { changeUser } from '#app/features/admin/users/user-changes.server.ts';
import { logDose, undoDose } from '#app/features/doses/doses.server.ts';
import { createSchedule, deleteSchedule, toggleSchedule } from '#app/features/schedules/schedules.server.ts';
import { addSupply, deleteSupply } from '#app/features/supplies/supplies.server.ts';
import { stockAlerts } from '#app/features/vials/stock-forecast.server.ts';
import { addVial, deleteVial, updateVial } from '#app/features/vials/vials.server.ts';
import { createMigrationStatus, runMigrations } from '#models/store/migrations/run.server.ts';
import { stockChecks } from '#models/store/migrations/stock-checks.server.ts';
import { WORKER } from '#app/server/worker.server.ts';
import { openTestDatabase, TERMINAL, testConnection, type TestDatabase } from '#tests/support/database.ts';
import { newPerson, type Person } from '#tests/support/people.ts';
import { BODY } from '#tests/support/schedule-people.ts';

const HOUR = 3_600_000;
let db: TestDatabase;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.dispose());

const worker = () => db.ctx(WORKER.actor);
const told = async ({ ctx }: Person) =>
  (await listReminders(ctx)).reminders.map(({ type, message }) => [type, message]);

async function withOldVial(email: string, plan: 'trial' | undefined) {
  const person = await newPerson(db, email, plan ? { plan } : {});
  const expirationDate = new Date(db.clock.now().getTime() + 3 * 86_400_000).toISOString().slice(0, 10);
  await addVial(person.ctx, { name: 'BPC-157', concentration: '2.5', totalAmount: '5', expirationDate });
  return person;
}

describe('a stock alert', () => {
  it('is sent once, on the chosen channels, by one of several workers', async () => {
    const person = await withOldVial('stock@example.org', 'trial');
    await updateNotificationChoices(person.ctx, { email: true, discreet: true });
    const made = await Promise.all([1, 2, 3].map(() => remindOfStock(worker())));
    expect(made.toSorted()).toEqual([0, 0, 1]);
    const [only, ...more] = await told(person);
    expect(more).toEqual([]);
    expect(only).toEqual(['other', expect.stringContaining('A vial of BPC-157 can be used until')]);
    const [reminder] = (await listReminders(person.ctx)).reminders;
    const [mail] = await db.repos.deliveries.list(person.signedIn.user.id, reminder?.id ?? '');
    expect(mail).toMatchObject({
      channel: 'email',
      message: 'Something in your notebook needs your attention.',
    });
    expect(await remindOfStock(worker())).toBe(0);
    db.clock.advance(HOUR);
    expect(await remindOfStock(worker())).toBe(0);
    expect(await told(person)).toHaveLength(1);
  });

  it('is not sent to users who turned it off or have no Premium', async () => {
    const quiet = await withOldVial('quiet@example.org', 'trial');
    await updateNotificationChoices(quiet.ctx, { vialExpiry: false });
    const free = await withOldVial('free@example.org', undefined);
    db.clock.advance(HOUR);
    await remindOfStock(worker());
    expect(await told(quiet)).toEqual([]);
    expect(await db.repos.reminders.count(free.signedIn.user.id, false)).toBe(0);
  });
});

const DAY = 24 * HOUR;
const waiting = async () => (await db.repos.stockChecks.backlog(db.clock.now())).waiting;
const dayIn = (days: number) => new Date(db.clock.now().getTime() + days * DAY).toISOString().slice(0, 10);

describe('stock', () => {
  it('is checked after each act that an alert depends on, of that account alone', async () => {
    const person = await newPerson(db, 'acts@example.org', { plan: 'trial' });
    await newPerson(db, 'other-acts@example.org', { plan: 'trial' });
    const { ctx } = person;
    await remindOfStock(worker());
    const made: { vial?: string; dose?: string; schedule?: string; supply?: string } = {};
    const logged = { name: 'BPC-157', actualDose: '0.25', confirmed: [...DOSE_WARNINGS] };
    const acts: Record<string, () => Promise<unknown>> = {
      'a new vial': async () =>
        (made.vial = (
          await addVial(ctx, { name: 'BPC-157', concentration: '2.5', totalAmount: '5', lot: 'A' })
        ).id),
      'a changed vial': () => updateVial(ctx, made.vial ?? '', { notes: 'x' }),
      'a new schedule': async () => (made.schedule = (await createSchedule(ctx, BODY)).id),
      'a paused schedule': () => toggleSchedule(ctx, made.schedule ?? '', { isActive: false }),
      'a deleted schedule': () => deleteSchedule(ctx, made.schedule ?? ''),
      'a taken dose': async () => {
        const outcome = await logDose(ctx, logged);
        made.dose = outcome.done ? outcome.dose.id : '';
      },
      'an undone dose': () => undoDose(ctx, made.dose ?? ''),
      'a new supply': async () => {
        const { supply } = await addSupply(ctx, { kind: 'syringe', name: 'Syringes', count: '100' });
        made.supply = supply.id;
      },
      'a deleted supply': () => deleteSupply(ctx, made.supply ?? ''),
      'another zone': () => changeProfile(ctx, { timeZone: 'Asia/Tokyo' }),
      'another choice': () => updateNotificationChoices(ctx, { vialExpiry: true }),
      'an end of Premium': () =>
        changeUser(db.ctx(TERMINAL), 'downgrade', { email: person.email, reason: 'test' }),
      'a deleted vial': () => deleteVial(ctx, made.vial ?? ''),
    };
    for (const [name, act] of Object.entries(acts)) {
      expect(await waiting(), `before ${name}`).toBe(0);
      await act();
      expect(await waiting(), name).toBe(1);
      await remindOfStock(worker());
    }
  });

  it('is checked once more when it changes while a worker checks it, and again when that worker dies', async () => {
    const person = await withOldVial('meanwhile@example.org', 'trial');
    const { id } = person.signedIn.user;
    const now = db.clock.now();
    const until = new Date(now.getTime() + HOUR);
    const { claim, finish } = db.repos.stockChecks;
    expect(await claim(now, until, 'one', 10)).toEqual([id]);
    expect(await claim(now, until, 'two', 10)).toEqual([]);
    await addVial(person.ctx, { name: 'TB-500', totalAmount: '5' });
    await finish(id, 'one', until, new Date(now.getTime() + 9 * DAY));
    expect(await waiting()).toBe(1);
    expect(await claim(now, until, 'one', 10)).toEqual([id]);
    await finish(id, 'two', until, new Date(now.getTime() + 9 * DAY));
    db.clock.advance(HOUR);
    expect(await remindOfStock(worker())).toBe(1);
  });

  it('of an account that is gone is forgotten', async () => {
    const person = await withOldVial('gone@example.org', 'trial');
    const { id } = person.signedIn.user;
    await db.repos.users.scheduleDeletion(id, db.clock.now());
    await purgeDueAccounts(worker());
    await db.repos.stockChecks.mark(id);
    await remindOfStock(worker());
    expect(await testConnection(db).collection('stock_checks').countDocuments({ userId: id })).toBe(0);
  });

  it('is reported on the day on which time alone brings the alert, as if everybody were checked every day', async () => {
    const people: Person[] = [];
    const someone = async (fill: (person: Person) => Promise<unknown>, timeZone = 'UTC') => {
      const person = await newPerson(db, `days-${people.length}@example.org`, { timeZone, plan: 'trial' });
      await changeUser(db.ctx(TERMINAL), 'upgrade', { email: person.email, reason: 'test' });
      people.push(person);
      await fill(person);
    };
    const vial = { name: 'BPC-157', concentration: '2.5', totalAmount: '5' };
    const daily = { ...BODY, startDate: dayIn(0), times: ['09:00'], frequency: { kind: 'daily' } };
    for (const days of [5, 9, 20])
      await someone(({ ctx }) => addVial(ctx, { ...vial, expirationDate: dayIn(days) }), 'Pacific/Auckland');
    for (const [starts, doseAmount] of [
      [0, 0.3],
      [14, 1],
      [18, 0.5],
    ] as const)
      await someone(async ({ ctx }) => {
        await addVial(ctx, vial);
        await createSchedule(ctx, { ...daily, startDate: dayIn(starts), doseAmount, doseUnit: 'mg' });
      }, 'America/Los_Angeles');
    await someone(async ({ ctx }) => {
      await addSupply(ctx, { kind: 'syringe', name: 'Syringes', count: '20' });
      await createSchedule(ctx, { ...daily, startDate: dayIn(10) });
    });
    await someone(async ({ ctx }) => {
      await addVial(ctx, vial);
      await createSchedule(ctx, {
        ...daily,
        frequency: { kind: 'interval', everyHours: 24 },
        times: [],
      }).catch(() => undefined);
      await logDose(ctx, { name: 'BPC-157', actualDose: '0.25', confirmed: [...DOSE_WARNINGS] });
    });
    const keys = people.map(() => new Set<string>());
    let looked = 0;
    for (let day = 0; day < 28; day += 1) {
      looked += await waiting();
      await remindOfStock(worker());
      for (const [index, { ctx, signedIn }] of people.entries()) {
        for (const { key } of await stockAlerts(ctx, signedIn.user.id)) keys[index]?.add(key);
        expect(await db.repos.reminders.count(signedIn.user.id, false), `${index}, day ${day}`).toBe(
          keys[index]?.size,
        );
      }
      db.clock.advance(DAY);
    }
    expect(keys.filter(({ size }) => size > 0).length).toBeGreaterThanOrEqual(5);
    // A check of everybody every day would have read twice as many.
    expect(looked).toBeLessThan((28 * people.length) / 2);
  });
});

it('of accounts of older versions is checked once a migration has reached them', async () => {
  const person = await withOldVial('older@example.org', 'trial');
  const rows = testConnection(db).collection('stock_checks');
  await rows.deleteMany({});
  expect(await remindOfStock(worker())).toBe(0);
  const status = createMigrationStatus(testConnection(db), [stockChecks]);
  await runMigrations(testConnection(db), SILENT_LOG, [stockChecks]);
  await status.finish(SILENT_LOG);
  expect(await rows.countDocuments()).toBe(await testConnection(db).collection('users').countDocuments());
  await remindOfStock(worker());
  expect(await told(person)).toHaveLength(1);
});
