import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { markMissedDoses } from '#app/features/doses/dose-effects.server.ts';
import { getDose, skipDose, takeDose, undoDose } from '#app/features/doses/doses.server.ts';
import { updateNotificationChoices } from '#app/platform/mail/notification-choices.server.ts';
import type { ScheduleRecord } from '#models/index.server.ts';
import { openTestDatabase, TERMINAL, type TestDatabase } from '#tests/support/database.ts';
import { storedDose, storedSchedule } from '#tests/support/doses.ts';
import { newPerson, type Person } from '#tests/support/people.ts';

let db: TestDatabase;
let ada: Person;
let schedule: ScheduleRecord;
let people = 0;

beforeAll(async () => {
  db = await openTestDatabase({ env: { RATE_LIMIT_FACTOR: '100' } });
});
beforeEach(async () => {
  people += 1;
  ada = await newPerson(db, `ada${people}@example.org`, { plan: 'trial' });
  schedule = await storedSchedule(db, ada);
});
afterAll(() => db.dispose());

const HOUR = 3_600_000;
const worker = () => db.ctx(TERMINAL);
const dueIn = (hours: number) => storedDose(db, schedule, new Date(db.clock.now().getTime() + hours * HOUR));
const statusOf = async (id: string) => (await getDose(ada.ctx, id)).status;

describe('a dose that is not logged', () => {
  it('becomes missed 24 hours after it was due, not a minute earlier, and has no reminders left', async () => {
    const { id } = await dueIn(-23.99);
    const later = await dueIn(-1);
    await markMissedDoses(worker());
    expect(await statusOf(id)).toBe('pending');
    db.clock.advance(0.01 * HOUR);
    await markMissedDoses(worker());
    expect(await getDose(ada.ctx, id)).toMatchObject({ status: 'missed', remindAt: null });
    expect(await statusOf(later.id)).toBe('pending');
  });

  it('becomes missed after the hours its owner chose, even if it was already pending then', async () => {
    const { id } = await dueIn(-3);
    await markMissedDoses(worker());
    expect(await statusOf(id)).toBe('pending');
    await updateNotificationChoices(ada.ctx, { missedAfterHours: 2 });
    await markMissedDoses(worker());
    expect(await statusOf(id)).toBe('missed');
    await updateNotificationChoices(ada.ctx, { missedAfterHours: 168 });
    const patient = await dueIn(-100);
    await markMissedDoses(worker());
    expect(await statusOf(patient.id)).toBe('pending');
  });

  it('never becomes missed after its owner changed it, and can still be taken when it was missed', async () => {
    const [skipped, missed] = [await dueIn(-40), await dueIn(-30)];
    await skipDose(ada.ctx, skipped.id);
    await Promise.all([markMissedDoses(worker()), markMissedDoses(worker()), markMissedDoses(worker())]);
    expect(await statusOf(skipped.id)).toBe('skipped');
    expect(await statusOf(missed.id)).toBe('missed');
    await takeDose(ada.ctx, missed.id);
    await undoDose(ada.ctx, missed.id);
    expect(await statusOf(missed.id)).toBe('missed');
  });

  it('is marked as missed in one round, however many batches there are', async () => {
    const start = db.clock.now().getTime() - 300 * HOUR;
    for (let hour = 0; hour < 230; hour += 1) await storedDose(db, schedule, new Date(start + hour * HOUR));
    expect(await markMissedDoses(worker())).toBe(230);
    expect(await markMissedDoses(worker())).toBe(0);
  });

  it('is one of those that several workers share, and becomes missed once', async () => {
    const start = db.clock.now().getTime() - 900 * HOUR;
    for (let hour = 0; hour < 800; hour += 1) await storedDose(db, schedule, new Date(start + hour * HOUR));
    const made = await Promise.all([1, 2, 3].map(() => markMissedDoses(worker())));
    expect(made.reduce((sum, one) => sum + one, 0)).toBe(800);
    for (const one of made) expect(one).toBeGreaterThan(80);
  });

  it('waits for the next worker when this one is asked to stop', async () => {
    const { id } = await dueIn(-30);
    expect(await markMissedDoses(worker(), AbortSignal.abort())).toBe(0);
    expect(await statusOf(id)).toBe('pending');
    expect(await markMissedDoses(worker())).toBe(1);
  });
});

it('the job on doses can be run only by the worker', async () => {
  await expect(markMissedDoses(ada.ctx)).rejects.toMatchObject({ code: 'FORBIDDEN' });
});
