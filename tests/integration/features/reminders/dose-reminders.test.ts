import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { updateNotificationChoices } from '#app/platform/mail/notification-choices.server.ts';
import { remindOfDoses } from '#app/features/reminders/dose-reminders.server.ts';
import {
  getBell,
  listReminders,
  markReminderRead,
  snoozeReminder,
} from '#app/features/reminders/reminders.server.ts';
import { subscribeBrowser } from '#app/features/reminders/push-subscriptions.server.ts';
import { WORKER } from '#app/server/worker.server.ts';
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { codeOf } from '#tests/support/outcomes.ts';
import { freshNoon, pendingDose } from '#tests/support/pending-doses.ts';
import { newPerson, type Person } from '#tests/support/people.ts';
import { newBrowser } from '#tests/support/push-host.ts';

const MINUTE = 60_000;
let db: TestDatabase;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.dispose());

let people = 0;
let doses = 0;
const worker = () => db.ctx(WORKER.actor);
const minutesFromNow = (minutes: number) => new Date(db.clock.now().getTime() + minutes * MINUTE);

async function premium(): Promise<Person & { id: string }> {
  const person = await newPerson(db, `reminded-${people++}@example.org`, { plan: 'trial' });
  return { ...person, id: person.signedIn.user.id };
}

/** Creates a dose of a user. @returns its id */
async function dose(userId: string, dueInMinutes: number, more: Parameters<typeof pendingDose>[2] = {}) {
  const id = `dose_${doses++}`;
  await db.repos.doses.createMany(userId, [pendingDose(id, minutesFromNow(dueInMinutes), more)]);
  return id;
}

const told = async ({ ctx }: Person) =>
  (await listReminders(ctx)).reminders.map(({ type, message }) => `${type}: ${message}`).reverse();

beforeEach(() => freshNoon(db));

describe('a dose reminder', () => {
  it('comes once before, once at and once after the dose’s time', async () => {
    const person = await premium();
    await dose(person.id, 30, { leadMinutes: 15 });
    const steps: number[] = [];
    for (let minute = 0; minute < 200; minute += 5) {
      steps.push(await remindOfDoses(worker()));
      db.clock.advance(5 * MINUTE);
    }
    expect(steps.flatMap((count, index) => (count > 0 ? [index * 5] : []))).toEqual([15, 30, 60]);
    expect(await told(person)).toEqual([
      'upcoming: BPC-157, 250 mcg, is due at 12:30.',
      'due: BPC-157, 250 mcg, is due now (12:30).',
      'overdue: BPC-157, 250 mcg, was due at 12:30.',
    ]);
  });

  it('is repeated every half hour if its owner chose that, for a limited time', async () => {
    const person = await premium();
    await updateNotificationChoices(person.ctx, { repeatOverdue: true });
    await dose(person.id, 0);
    for (let minute = 0; minute < 12 * 60; minute += 10) {
      await remindOfDoses(worker());
      db.clock.advance(10 * MINUTE);
    }
    const types = (await told(person)).map((line) => line.split(':')[0]);
    expect(types).toEqual(['due', ...Array<string>(12).fill('overdue')]);
  });

  it.each(['taken', 'skipped', 'missed'] as const)('is not sent for a %s dose', async (status) => {
    const person = await premium();
    await dose(person.id, 0, { status });
    expect(await remindOfDoses(worker())).toBe(1);
    expect(await remindOfDoses(worker())).toBe(0);
    expect(await told(person)).toEqual([]);
  });

  it('is not sent without Premium, and the dose is not checked again', async () => {
    const person = await newPerson(db, 'free@example.org');
    const id = await dose(person.signedIn.user.id, 0);
    expect(await remindOfDoses(worker())).toBe(1);
    expect(await db.repos.reminders.count(person.signedIn.user.id, false)).toBe(0);
    expect((await db.repos.doses.find(person.signedIn.user.id, id))?.remindAt).toBeNull();
  });

  it('gives the time in the schedule’s time zone', async () => {
    const person = await premium();
    await dose(person.id, 0, { timeZone: 'Asia/Tokyo' });
    await remindOfDoses(worker());
    expect(await told(person)).toEqual(['due: BPC-157, 250 mcg, is due now (21:00).']);
  });
});

describe('after some time without a worker', () => {
  it('each dose gets one reminder, and late ones are quiet', async () => {
    const person = await premium();
    await updateNotificationChoices(person.ctx, { email: true, repeatOverdue: true });
    for (const hours of [1, 5, 24, 48]) await dose(person.id, hours * 60, { leadMinutes: 30 });
    db.clock.advance(49 * 60 * MINUTE);
    await remindOfDoses(worker());
    const { reminders } = await listReminders(person.ctx);
    expect(reminders.map(({ type, isQuiet }) => [type, isQuiet])).toEqual([
      ['overdue', false],
      ['overdue', true],
      ['overdue', true],
      ['overdue', true],
    ]);
    const deliveries = await Promise.all(reminders.map(({ id }) => db.repos.deliveries.list(person.id, id)));
    expect(deliveries.map(({ length }) => length)).toEqual([1, 0, 0, 0]);
  });

  it('a clock that jumps forward and back sends nothing twice', async () => {
    const person = await premium();
    await dose(person.id, 60);
    db.clock.advance(65 * MINUTE);
    await remindOfDoses(worker());
    db.clock.advance(-65 * MINUTE);
    for (let minute = 0; minute < 85; minute += 5) {
      await remindOfDoses(worker());
      db.clock.advance(5 * MINUTE);
    }
    expect(await told(person)).toHaveLength(1);
    db.clock.advance(10 * MINUTE);
    await remindOfDoses(worker());
    expect((await told(person)).map((line) => line.split(':')[0])).toEqual(['due', 'overdue']);
  });
});

describe('several workers', () => {
  it('write each reminder once, with one delivery to each browser and one mail', async () => {
    const person = await premium();
    await updateNotificationChoices(person.ctx, { email: true });
    for (const name of ['one', 'two'])
      await subscribeBrowser(person.ctx, newBrowser().target(`http://127.0.0.1:9/${name}`));
    for (let count = 0; count < 300; count += 1) await dose(person.id, 0);
    const done = await Promise.all([1, 2, 3, 4].map(() => remindOfDoses(worker(), undefined, { batch: 20 })));
    expect(done.reduce((sum, count) => sum + count)).toBe(300);
    expect(await db.repos.reminders.count(person.id, false)).toBe(300);
    const { waiting } = await db.repos.deliveries.backlog(db.clock.now());
    expect(waiting).toBe(900);
  });

  it('take over what a dead worker had claimed once its lease ends', async () => {
    const person = await premium();
    const id = await dose(person.id, 0);
    const until = minutesFromNow(1);
    const cutOff = await db.repos.doseReminding.claim(db.clock.now(), until, 'cut off', 100);
    expect(cutOff.map((one) => one.id)).toContain(id);
    expect(await remindOfDoses(worker())).toBe(0);
    db.clock.advance(MINUTE);
    await remindOfDoses(worker());
    expect(await told(person)).toHaveLength(1);
    // The dead worker wakes up and finds that it has lost the dose.
    await db.repos.doseReminding.move('cut off', [{ userId: person.id, id, next: null }]);
    expect((await db.repos.doses.find(person.id, id))?.remindStage).toBe('overdue');
  });
});

describe('snoozing a dose', () => {
  it('repeats the reminder after that time, and marks earlier ones as read', async () => {
    const person = await premium();
    await dose(person.id, 0);
    await remindOfDoses(worker());
    const [first] = (await listReminders(person.ctx)).reminders;
    await snoozeReminder(person.ctx, first?.id ?? '', { minutes: 10 });
    expect((await getBell(person.ctx)).unread).toBe(0);
    db.clock.advance(9 * MINUTE);
    expect(await remindOfDoses(worker())).toBe(0);
    db.clock.advance(MINUTE);
    expect(await remindOfDoses(worker())).toBe(1);
    expect((await getBell(person.ctx)).unread).toBe(1);
    expect((await told(person)).map((line) => line.split(':')[0])).toEqual(['due', 'due']);
  });

  it.each([0, 4, 7, 61, -5, '5 min', ''])('refuses %j minutes', async (minutes) => {
    const person = await premium();
    await dose(person.id, 0);
    await remindOfDoses(worker());
    const [first] = (await listReminders(person.ctx)).reminders;
    expect(await codeOf(snoozeReminder(person.ctx, first?.id ?? '', { minutes }))).toBe('INVALID_INPUT');
  });

  it('is refused for a taken dose', async () => {
    const person = await premium();
    const id = await dose(person.id, 0);
    await remindOfDoses(worker());
    const [first] = (await listReminders(person.ctx)).reminders;
    await db.repos.doses.change(person.id, id, { status: 'taken', remindAt: null });
    expect(await codeOf(snoozeReminder(person.ctx, first?.id ?? '', { minutes: 5 }))).toBe('WRONG_STATE');
  });
});

describe('other users’ reminders', () => {
  it('are not found', async () => {
    const [owner, other] = [await premium(), await premium()];
    await dose(owner.id, 0);
    await remindOfDoses(worker());
    const id = (await listReminders(owner.ctx)).reminders[0]?.id ?? '';
    expect(await codeOf(markReminderRead(other.ctx, id))).toBe('NOT_FOUND');
    expect(await codeOf(snoozeReminder(other.ctx, id, { minutes: 5 }))).toBe('NOT_FOUND');
    expect((await getBell(owner.ctx)).unread).toBe(1);
  });

  it('can be written only by the worker', async () => {
    const person = await premium();
    expect(await codeOf(remindOfDoses(person.ctx))).toBe('FORBIDDEN');
    expect(await codeOf(getBell((await newPerson(db, 'poor@example.org')).ctx))).toBe('PREMIUM_REQUIRED');
  });
});
