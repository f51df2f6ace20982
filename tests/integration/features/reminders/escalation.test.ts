import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { takeDose } from '#app/features/doses/doses.server.ts';
import { deliverReminders } from '#app/features/reminders/deliveries.server.ts';
import { remindOfDoses } from '#app/features/reminders/dose-reminders.server.ts';
import { setNtfyTopic } from '#app/features/reminders/ntfy.server.ts';
import { confirmPushShown } from '#app/features/reminders/push-proof.server.ts';
import { subscribeBrowser } from '#app/features/reminders/push-subscriptions.server.ts';
import { listReminders, markAllRemindersRead, snoozeDose } from '#app/features/reminders/reminders.server.ts';
import type { NotificationChangesInput } from '#app/domain/reminders/notification-choices.ts';
import { createMailer } from '#app/integrations/mail.server.ts';
import { updateNotificationChoices } from '#app/platform/mail/notification-choices.server.ts';
import { WORKER } from '#app/server/worker.server.ts';
import { startSmtp } from '#tests/integration/integrations/smtp-host.ts';
import { openTestDatabase, VISITOR, type TestDatabase } from '#tests/support/database.ts';
import { freshNoon, pendingDose } from '#tests/support/pending-doses.ts';
import { newPerson } from '#tests/support/people.ts';
import { newBrowser, startPushHost, type PushHost } from '#tests/support/push-host.ts';
import { reposOf } from '#tests/support/repositories.ts';
import { startWebhookHost, type WebhookHost } from '#tests/support/webhook-host.ts';

const MINUTE = 60_000;
let db: TestDatabase;
let push: PushHost;
let ntfy: WebhookHost;
let ntfyStatus: number;
let pushStatus: number;
let smtp: Awaited<ReturnType<typeof startSmtp>>;
beforeAll(async () => {
  db = await openTestDatabase({ env: { RATE_LIMIT_FACTOR: '100' } });
});
afterAll(() => db.dispose());
beforeEach(async () => {
  [pushStatus, ntfyStatus] = [201, 200];
  push = await startPushHost(() => ({ status: pushStatus }));
  ntfy = await startWebhookHost((_message, response) => void response.writeHead(ntfyStatus).end('{}'));
  smtp = await startSmtp();
  await freshNoon(db);
});
afterEach(async () => {
  await Promise.all([push.close(), ntfy.close(), smtp.close()]);
});

let people = 0;

/** A worker that sends mail to the test's own server. */
function worker() {
  const ctx = db.ctx(WORKER.actor);
  const settings = { ...db.settings, SMTP_URL: `smtp://127.0.0.1:${smtp.port}` };
  return { ...ctx, mailer: createMailer(settings, ctx.log) };
}

/** Two workers at once. */
async function work(): Promise<void> {
  await Promise.all([1, 2].map(() => remindOfDoses(worker(), undefined, { batch: 4 })));
  await Promise.all([1, 2].map(() => deliverReminders(worker())));
}

async function pass(minutes: number): Promise<void> {
  db.clock.advance(minutes * MINUTE);
  await work();
}

interface Channels {
  ntfy?: boolean;
  email?: boolean;
  doses?: number;
}

/** Somebody with push, and other channels, whose doses are due now and have been announced. */
async function announced(channels: Channels, choices: NotificationChangesInput = {}) {
  const name = `escalated-${(people += 1)}`;
  const { ctx, signedIn } = await newPerson(db, `${name}@example.org`, { plan: 'trial' });
  const browser = newBrowser();
  await subscribeBrowser(ctx, browser.target(push.endpoint(name)));
  if (channels.ntfy) await setNtfyTopic(ctx, { url: ntfy.url(`base/${name}`) });
  await updateNotificationChoices(ctx, { email: channels.email ?? false, ...choices });
  const ids = Array.from({ length: channels.doses ?? 1 }, (_, index) => `${name}_${index}`);
  const doses = ids.map((id) => pendingDose(id, db.clock.now()));
  await db.repos.doses.createMany(signedIn.user.id, doses);
  await work();
  return { ctx, browser, ids, userId: signedIn.user.id };
}

/** Pushes, mails and ntfy messages so far. */
const counts = () => [push.received.length, smtp.received.length, ntfy.received.length];
const priorities = () =>
  ntfy.received.map(({ body }) => (JSON.parse(String(body)) as { priority: number }).priority);

async function confirm(browser: ReturnType<typeof newBrowser>): Promise<void> {
  const { body } = push.received.at(-1) ?? expect.unreachable('no push');
  const { confirm: token } = JSON.parse(browser.decrypt(body)) as { confirm: string };
  await confirmPushShown(db.ctx(VISITOR), token);
}

describe('a push that is confirmed in time', () => {
  it('goes out on no other channel', async () => {
    const { browser } = await announced({ ntfy: true, email: true, doses: 6 });
    expect(counts()).toEqual([1, 1, 1]);
    await pass(9);
    await confirm(browser);
    await pass(20);
    expect(counts()).toEqual([1, 1, 1]);
  });
});

describe('a push that is lost', () => {
  it('goes out once more over ntfy with the highest priority, for six doses as for one', async () => {
    await announced({ ntfy: true, email: true, doses: 6 });
    expect(counts()).toEqual([1, 1, 1]);
    await pass(9);
    expect(counts()).toEqual([1, 1, 1]);
    await pass(1);
    expect(counts()).toEqual([1, 1, 2]);
    expect(priorities()).toEqual([3, 5]);
    await pass(19);
    expect(counts()).toEqual([1, 1, 2]);
  });

  it('goes out by mail where there is no ntfy', async () => {
    await announced({ email: true });
    await pass(10);
    await pass(19);
    expect(counts()).toEqual([1, 2, 0]);
    expect(smtp.received[1]?.raw).toContain('No device has confirmed');
  });

  it('goes out by mail when ntfy does not take it', async () => {
    await announced({ ntfy: true, email: true });
    ntfyStatus = 403;
    await pass(10);
    expect(counts()).toEqual([1, 1, 2]);
    await pass(10);
    await pass(9);
    expect(counts()).toEqual([1, 2, 2]);
  });

  it('goes out nowhere for those who have no other channel', async () => {
    await announced({});
    await pass(10);
    expect(counts()).toEqual([1, 0, 0]);
  });

  it('goes out after as many minutes as its owner chose', async () => {
    await announced({ ntfy: true }, { escalateAfterMinutes: 3 });
    await pass(3);
    expect(counts()).toEqual([1, 0, 2]);
  });

  it.each([{ escalateAfterMinutes: 0 }, { push: false }])('goes out nowhere with %j', async (choices) => {
    const { ctx } = await announced({ ntfy: true });
    await updateNotificationChoices(ctx, choices);
    await pass(15);
    expect(counts()).toEqual([1, 0, 1]);
  });

  it('goes out once for each stage', async () => {
    await announced({ ntfy: true }, { repeatOverdue: true });
    await pass(10);
    expect(counts()).toEqual([1, 0, 2]);
    await pass(20);
    expect(counts()).toEqual([2, 0, 3]);
    await pass(10);
    expect(counts()).toEqual([2, 0, 4]);
    // The stage of an overdue dose is announced again and again, and its loss once.
    await pass(20);
    await pass(10);
    expect(counts()).toEqual([3, 0, 5]);
  });

  it('goes out as well when the push service refuses it', async () => {
    pushStatus = 410;
    await announced({ ntfy: true });
    await pass(10);
    expect(counts()).toEqual([1, 0, 2]);
  });

  it('goes out once although workers are killed and pause meanwhile', async () => {
    await announced({ ntfy: true, email: true });
    db.clock.advance(10 * MINUTE);
    const cutOff = worker();
    const lost = { ...reposOf(cutOff).deliveries, finish: () => Promise.reject(new Error('killed')) };
    const ctx = { ...cutOff, repos: cutOff.repos.with({ deliveries: lost }) };
    await expect(deliverReminders(ctx, undefined, { leaseMs: MINUTE })).rejects.toThrow('killed');
    await pass(1);
    // What was sent and not recorded is sent again, and replaces the first.
    const ids = ntfy.received.map(
      ({ body }) => (JSON.parse(String(body)) as { sequence_id: string }).sequence_id,
    );
    expect([priorities(), new Set(ids).size]).toEqual([[3, 5, 5], 1]);
    await pass(15);
    expect(counts()).toEqual([1, 1, 3]);
  });

  it('waits for its confirmation when it was sent late', async () => {
    const { browser } = await announcedLate();
    expect(counts()).toEqual([1, 0, 1]);
    await confirm(browser);
    await pass(10);
    expect(counts()).toEqual([1, 0, 1]);
  });

  /** The worker paused for twelve minutes between writing the reminder and sending it. */
  async function announcedLate() {
    const name = `late-${(people += 1)}`;
    const { ctx, signedIn } = await newPerson(db, `${name}@example.org`, { plan: 'trial' });
    const browser = newBrowser();
    await subscribeBrowser(ctx, browser.target(push.endpoint(name)));
    await setNtfyTopic(ctx, { url: ntfy.url(`base/${name}`) });
    await db.repos.doses.createMany(signedIn.user.id, [pendingDose(`dose_${name}`, db.clock.now())]);
    await remindOfDoses(worker());
    db.clock.advance(12 * MINUTE);
    await deliverReminders(worker());
    return { browser };
  }
});

describe('a lost push of a reminder', () => {
  it('goes out nowhere when the doses are taken meanwhile', async () => {
    const { ctx, ids } = await announced({ ntfy: true, email: true, doses: 2 });
    for (const id of ids) await takeDose(ctx, id, { confirmed: ['NO_OPEN_VIAL', 'TOO_SOON'] });
    await pass(10);
    await pass(10);
    expect(counts()).toEqual([1, 1, 1]);
  });

  it('goes out nowhere when the reminder is read meanwhile', async () => {
    const { ctx } = await announced({ ntfy: true, email: true });
    await markAllRemindersRead(ctx);
    await pass(10);
    await pass(10);
    expect(counts()).toEqual([1, 1, 1]);
    expect((await listReminders(ctx)).reminders).toHaveLength(1);
  });

  it('goes out nowhere when the dose is snoozed meanwhile, until it is announced again', async () => {
    const { ctx, ids } = await announced({ ntfy: true });
    await snoozeDose(ctx, ids[0] ?? '', { minutes: '15' });
    await pass(10);
    expect(counts()).toEqual([1, 0, 1]);
  });

  it('goes out nowhere in quiet hours', async () => {
    await announced({ ntfy: true, email: true }, { quietFrom: '12:05', quietTo: '12:25' });
    await pass(10);
    await pass(10);
    expect(counts()).toEqual([1, 1, 1]);
  });
});
