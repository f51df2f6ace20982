import {
  changeCalendarFeed,
  findCalendarFeed,
  readCalendarFeed,
  deleteCalendarFeed,
} from '#app/features/schedules/calendar-feed.server.ts';
import { deliverReminders } from '#app/features/reminders/deliveries.server.ts';
import { remindOfDoses } from '#app/features/reminders/dose-reminders.server.ts';
import { updateNotificationChoices } from '#app/platform/mail/notification-choices.server.ts';
import { confirmPushShown, sendPushTest } from '#app/features/reminders/push-proof.server.ts';
import {
  listPushBrowsers,
  removePushBrowser,
  subscribeBrowser,
} from '#app/features/reminders/push-subscriptions.server.ts';
import {
  getBell,
  listReminders,
  markRemindersShown,
  markAllRemindersRead,
  markReminderRead,
  snoozeReminder,
  listUnshownReminders,
} from '#app/features/reminders/reminders.server.ts';
import { deleteNtfyTopic, sendNtfyTest, setNtfyTopic } from '#app/features/reminders/ntfy.server.ts';
import { remindOfStock } from '#app/features/reminders/stock-reminders.server.ts';
import { signOut } from '#app/features/accounts/sessions.server.ts';
import { startWorker, WORKER } from '#app/server/worker.server.ts';
import { getWorkerFigures } from '#app/features/system/server-status.server.ts';
import { TERMINAL, type TestDatabase } from '#tests/support/database.ts';
import { pendingDose } from '#tests/support/pending-doses.ts';
import { newPerson } from '#tests/support/people.ts';
import { newBrowser, startPushHost } from '#tests/support/push-host.ts';

/** A dose that is due, told by push and mail, put off, and read. */
export async function beReminded(db: TestDatabase): Promise<void> {
  const host = await startPushHost();
  const { ctx, signedIn } = await newPerson(db, 'reminded@example.org', { plan: 'trial' });
  const userId = signedIn.user.id;
  await updateNotificationChoices(ctx, { email: true, escalateAfterMinutes: 1 });
  await setNtfyTopic(ctx, { url: 'http://127.0.0.1:9/topic' });
  await sendNtfyTest(ctx);
  const browser = newBrowser();
  await subscribeBrowser(ctx, browser.target(host.endpoint('one')));
  const [subscribed] = await listPushBrowsers(ctx);
  await sendPushTest(ctx, subscribed?.id ?? '');
  await db.repos.doses.createMany(userId, [pendingDose('dose_reminded', db.clock.now())]);
  const worker = db.ctx(WORKER.actor);
  await remindOfDoses(worker);
  await deliverReminders(worker);
  db.clock.advance(60_000);
  await deliverReminders(worker);
  for (const { body } of host.received) {
    const { confirm } = JSON.parse(browser.decrypt(body)) as { confirm: string };
    await confirmPushShown(db.ctx(), confirm);
  }
  const [reminder] = (await listReminders(ctx)).reminders;
  await getBell(ctx);
  await markRemindersShown(ctx, { ids: (await listUnshownReminders(ctx)).map(({ id }) => id) });
  await snoozeReminder(ctx, reminder?.id ?? '', { minutes: 5 });
  await markReminderRead(ctx, reminder?.id ?? '');
  await markAllRemindersRead(ctx);
  for (const { id } of await listPushBrowsers(ctx)) await removePushBrowser(ctx, id);
  const link = await changeCalendarFeed(ctx, { intent: 'link', privacy: 'name' });
  await changeCalendarFeed(ctx, { intent: 'change', privacy: 'busy' });
  await findCalendarFeed(ctx);
  await readCalendarFeed(db.ctx(), /calendar\/([^.]+)/.exec(link ?? '')?.[1] ?? '');
  await remindOfStock(worker);
  await deleteNtfyTopic(ctx);
  await deleteCalendarFeed(ctx);
  await signOut(ctx);
  await host.close();
}

/** One round of every job of the worker. */
export async function work(db: TestDatabase): Promise<void> {
  await startWorker(db.ctx(WORKER.actor)).stop();
  await getWorkerFigures(db.ctx(TERMINAL));
}
