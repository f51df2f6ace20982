import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { deliverReminders } from '#app/features/reminders/deliveries.server.ts';
import { remindOfDoses } from '#app/features/reminders/dose-reminders.server.ts';
import { subscribeBrowser } from '#app/features/reminders/push-subscriptions.server.ts';
import { listReminders, listUnshownReminders } from '#app/features/reminders/reminders.server.ts';
import type { NotificationChangesInput } from '#app/domain/reminders/notification-choices.ts';
import {
  getNotificationChoices,
  updateNotificationChoices,
} from '#app/platform/mail/notification-choices.server.ts';
import { WORKER } from '#app/server/worker.server.ts';
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { freshNoon, pendingDose } from '#tests/support/pending-doses.ts';
import { newPerson } from '#tests/support/people.ts';
import { newBrowser, startPushHost, type PushHost } from '#tests/support/push-host.ts';

const MINUTE = 60_000;
let db: TestDatabase;
let host: PushHost;
beforeAll(async () => {
  db = await openTestDatabase({ env: { RATE_LIMIT_FACTOR: '10' } });
});
afterAll(() => db.dispose());
beforeEach(async () => {
  host = await startPushHost();
  await freshNoon(db);
});
afterEach(() => host.close());

let people = 0;
const worker = () => db.ctx(WORKER.actor);

/** Somebody with push and mail whose dose is due at noon, in UTC. */
async function dueAtNoon(choices: NotificationChangesInput) {
  const name = `quiet-${(people += 1)}`;
  const { ctx, signedIn } = await newPerson(db, `${name}@example.org`, { plan: 'trial' });
  await subscribeBrowser(ctx, newBrowser().target(host.endpoint(name)));
  await updateNotificationChoices(ctx, { email: true, ...choices });
  await db.repos.doses.createMany(signedIn.user.id, [pendingDose(`dose_${name}`, db.clock.now())]);
  return ctx;
}

async function work(): Promise<{ pushes: number; mails: number }> {
  const [pushes, mails] = [host.received.length, (await db.mails()).length];
  await remindOfDoses(worker());
  await deliverReminders(worker());
  return { pushes: host.received.length - pushes, mails: (await db.mails()).length - mails };
}

const NOTHING = { pushes: 0, mails: 0 };

describe('in quiet hours', () => {
  it('a reminder is only listed in the bell, and not sent afterwards; an overdue one after the end is', async () => {
    const ctx = await dueAtNoon({ quietFrom: '11:30', quietTo: '12:20' });
    expect(await work()).toEqual(NOTHING);
    expect((await listReminders(ctx)).reminders).toMatchObject([
      { type: 'due', isRead: false, isSent: false },
    ]);
    expect(await listUnshownReminders(ctx)).toEqual([]);
    db.clock.advance(21 * MINUTE);
    expect(await work()).toEqual(NOTHING);
    db.clock.advance(9 * MINUTE);
    expect(await work()).toEqual({ pushes: 1, mails: 1 });
  });

  it('an overdue dose is sent by those who find it urgent', async () => {
    await dueAtNoon({ quietFrom: '11:30', quietTo: '13:00', urgentOverdue: true });
    expect(await work()).toEqual(NOTHING);
    db.clock.advance(30 * MINUTE);
    expect(await work()).toEqual({ pushes: 1, mails: 1 });
  });
});

describe('muting today', () => {
  it('holds back what would be sent before midnight, and is undone', async () => {
    const ctx = await dueAtNoon({ muted: true });
    expect(await work()).toEqual(NOTHING);
    expect((await listReminders(ctx)).reminders).toHaveLength(1);
    await updateNotificationChoices(ctx, { muted: false });
    db.clock.advance(30 * MINUTE);
    expect(await work()).toEqual({ pushes: 1, mails: 1 });
  });

  it('keeps the settings, which keep it', async () => {
    const ctx = await dueAtNoon({ muted: true });
    const { mutedUntil, email } = await updateNotificationChoices(ctx, { discreet: true });
    expect([mutedUntil?.toISOString().slice(11), email]).toEqual(['00:00:00.000Z', true]);
    const { user } = ctx.actor.kind === 'user' ? { user: ctx.actor } : expect.unreachable('not signed in');
    expect((await getNotificationChoices(ctx, user.id)).discreet).toBe(true);
  });
});
