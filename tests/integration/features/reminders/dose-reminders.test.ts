import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { updateNotificationChoices } from '#app/platform/mail/notification-choices.server.ts';
import { remindOfDoses } from '#app/features/reminders/dose-reminders.server.ts';
import {
  getBell,
  listReminders,
  markReminderRead,
  snoozeDose,
  snoozeReminder,
} from '#app/features/reminders/reminders.server.ts';
import { subscribeBrowser } from '#app/features/reminders/push-subscriptions.server.ts';
import { DOSE_WARNINGS } from '#app/domain/doses/dose-warnings.ts';
import { takeDose } from '#app/features/doses/doses.server.ts';
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
  it('comes once before, once at and once after the dose’s time, as one row that changes and is new again', async () => {
    const person = await premium();
    await dose(person.id, 30, { leadMinutes: 15 });
    const steps: number[] = [];
    const rows: string[] = [];
    for (let minute = 0; minute < 200; minute += 5) {
      const count = await remindOfDoses(worker());
      steps.push(count);
      if (count > 0) {
        const { reminders, unread } = await getBell(person.ctx);
        const [row] = reminders;
        expect([reminders.length, unread, row?.reminderTime]).toEqual([1, 1, db.clock.now()]);
        rows.push(...(await told(person)));
        await markReminderRead(person.ctx, row?.id ?? '');
      }
      db.clock.advance(5 * MINUTE);
    }
    expect(steps.flatMap((count, index) => (count > 0 ? [index * 5] : []))).toEqual([15, 30, 60]);
    expect(rows).toEqual([
      'upcoming: BPC-157, 250 mcg, is due at 12:30.',
      'due: BPC-157, 250 mcg, is due now (12:30).',
      'overdue: BPC-157, 250 mcg, was due at 12:30.',
    ]);
  });

  it('is repeated every half hour if its owner chose that, for a limited time', async () => {
    const person = await premium();
    await updateNotificationChoices(person.ctx, { repeatOverdue: true });
    await dose(person.id, 0);
    const types: string[] = [];
    for (let minute = 0; minute < 12 * 60; minute += 10) {
      if ((await remindOfDoses(worker())) > 0)
        types.push((await listReminders(person.ctx)).reminders[0]?.type ?? '');
      db.clock.advance(10 * MINUTE);
    }
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
    reminders.sort((a, b) => Number(a.isQuiet) - Number(b.isQuiet));
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
    expect((await told(person)).map((line) => line.split(':')[0])).toEqual(['overdue']);
  });
});

describe('several workers', () => {
  it('write one reminder for the doses of a time, with one delivery to each browser and one mail', async () => {
    const person = await premium();
    await updateNotificationChoices(person.ctx, { email: true });
    for (const name of ['one', 'two'])
      await subscribeBrowser(person.ctx, newBrowser().target(`http://127.0.0.1:9/${name}`));
    for (let count = 0; count < 300; count += 1) await dose(person.id, 0);
    await Promise.all([1, 2, 3, 4].map(() => remindOfDoses(worker(), undefined, { batch: 20 })));
    const reminded = await db.repos.doses.list(person.id, { status: 'pending' });
    expect(new Set(reminded.map(({ remindStage }) => remindStage))).toEqual(new Set(['overdue']));
    expect(await db.repos.reminders.count(person.id, false)).toBe(1);
    const { waiting } = await db.repos.deliveries.backlog(db.clock.now());
    expect(waiting).toBe(3);
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

describe('the doses of a quarter of an hour', () => {
  const at = (text: string) => new Date(`${db.clock.now().toISOString().slice(0, 11)}${text}:00Z`);

  it('are one reminder, which is read when the last of them is logged', async () => {
    const person = await premium();
    const ids = [await dose(person.id, 0), await dose(person.id, 10, { name: 'TB-500', leadMinutes: 10 })];
    const later = await dose(person.id, 15);
    await remindOfDoses(worker());
    const [row] = (await listReminders(person.ctx)).reminders;
    expect(row).toMatchObject({
      type: 'due',
      doseIds: ids,
      message: '2 doses are due now (12:00): BPC-157, 250 mcg; TB-500, 250 mcg.',
      discreetMessage: '2 entries in your notebook are due now (12:00).',
    });
    await takeDose(person.ctx, ids[0] ?? '', { confirmed: [...DOSE_WARNINGS] });
    expect((await getBell(person.ctx)).unread).toBe(1);
    await takeDose(person.ctx, ids[1] ?? '', { confirmed: [...DOSE_WARNINGS] });
    expect((await getBell(person.ctx)).unread).toBe(0);
    expect((await db.repos.doses.find(person.id, later))?.remindAt).toEqual(at('12:15'));
  });

  it('are snoozed together, and come back together', async () => {
    const person = await premium();
    const ids = [await dose(person.id, 0), await dose(person.id, 0)];
    await remindOfDoses(worker());
    const [row] = (await listReminders(person.ctx)).reminders;
    await snoozeReminder(person.ctx, row?.id ?? '', { minutes: 60 });
    db.clock.advance(59 * MINUTE);
    expect(await remindOfDoses(worker())).toBe(0);
    db.clock.advance(MINUTE);
    await remindOfDoses(worker());
    const { reminders } = await listReminders(person.ctx);
    expect(reminders).toMatchObject([{ type: 'overdue', isRead: false, doseIds: ids.sort() }]);
  });

  it('leave out one that was put off for longer', async () => {
    const person = await premium();
    const ids = [await dose(person.id, 0), await dose(person.id, 0)];
    await remindOfDoses(worker());
    await snoozeDose(person.ctx, ids[1] ?? '', { minutes: 60 });
    db.clock.advance(30 * MINUTE);
    await remindOfDoses(worker());
    expect((await listReminders(person.ctx)).reminders).toMatchObject([
      { type: 'overdue', doseIds: [ids[0]] },
    ]);
    expect((await db.repos.doses.find(person.id, ids[1] ?? ''))?.remindAt).toEqual(at('13:00'));
  });

  it('of before, about one dose each, are still listed and marked as read', async () => {
    const person = await premium();
    const id = await dose(person.id, 0);
    const row = {
      userId: person.id,
      doseId: id,
      type: 'due' as const,
      message: 'Old.',
      discreetMessage: 'Old.',
    };
    const state = { isRead: false, isSent: true, isQuiet: false, shownAt: null };
    const times = { reminderTime: db.clock.now(), expiresAt: minutesFromNow(60) };
    await db.repos.reminders.createMissing([{ _id: `rem_old_${id}`, ...row, ...state, ...times }]);
    expect((await getBell(person.ctx)).reminders).toMatchObject([{ message: 'Old.', doseIds: [id] }]);
    await takeDose(person.ctx, id, { confirmed: [...DOSE_WARNINGS] });
    expect((await getBell(person.ctx)).unread).toBe(0);
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
    expect((await told(person)).map((line) => line.split(':')[0])).toEqual(['due']);
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
