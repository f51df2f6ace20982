import { writeListCursor } from '#app/platform/pagination.server.ts';
import { breachReport } from '#app/features/admin/system/breach.server.ts';
import {
  announce,
  changeAnnouncement,
  dismissAnnouncement,
  endAnnouncement,
  listAnnouncements,
  shownAnnouncements,
} from '#app/features/system/announcements.server.ts';
import {
  escalateIssue,
  listBillingIssues,
  listSubscriptionEvents,
  resolveIssue,
} from '#app/features/admin/subscriptions/billing-admin.server.ts';
import {
  subscriptionAnalytics,
  subscriptionFigures,
} from '#app/features/admin/subscriptions/subscription-figures.server.ts';
import { getBackup, listBackups, pruneBackups, startBackup } from '#app/features/system/backups.server.ts';
import { listFlags, switchFlag } from '#app/platform/flags/flags.server.ts';
import { keepLogLines, leaveLogLine } from '#app/platform/log/log.server.ts';
import {
  listLogs,
  restartWorkers,
  systemReport,
  clearExpiredRows,
  trimAudit,
  trimLogs,
} from '#app/features/admin/system/system.server.ts';
import { TERMINAL, type TestDatabase } from '#tests/support/database.ts';
import { newPerson } from '#tests/support/people.ts';

/** An operator who tells users something and switches something off and on. */
export async function announceAndSwitch(db: TestDatabase): Promise<void> {
  const terminal = db.ctx(TERMINAL);
  const reader = await newPerson(db, 'reads@example.org');
  const words = { title: 'Maintenance', text: 'On Sunday', audience: 'all', isDismissible: true } as const;
  const { id } = await announce(terminal, words);
  await shownAnnouncements(reader.ctx);
  await dismissAnnouncement(reader.ctx, id);
  await listAnnouncements(terminal);
  await changeAnnouncement(terminal, id, { ...words, title: 'Another', revision: '0' });
  await endAnnouncement(terminal, id);
  await switchFlag(terminal, { name: 'import', state: 'off', reason: 'disk' });
  await switchFlag(terminal, { name: 'import', state: 'on', reason: 'disk' });
  await listFlags(terminal);
}

/** An operator who looks at what subscriptions bring, and at what went wrong with them. */
export async function workAtBillingDesk(db: TestDatabase): Promise<void> {
  const terminal = db.ctx(TERMINAL);
  const createdAt = new Date(db.clock.now().getTime() - 100 * 86_400_000);
  const line = {
    eventType: 'refunded',
    amountCents: -500,
    status: 'success',
    createdAt,
    details: '',
  } as const;
  await db.repos.subscriptionEvents.record('gone', { id: 'evt_old', ...line }, db.clock.now());
  await subscriptionFigures(terminal);
  await subscriptionAnalytics(terminal);
  await listSubscriptionEvents(terminal);
  const after = (list: string, id: string) =>
    writeListCursor({ list, backwards: false, place: { value: new Date(9_000_000_000_000), id } });
  const events = after('subscription-events', 'evt');
  await listSubscriptionEvents(terminal, events);
  await listSubscriptionEvents(terminal, undefined, 'payment_failed');
  await listSubscriptionEvents(terminal, events, 'payment_failed');
  await listBillingIssues(terminal, 'open', after('billing-issues', 'u:i'));
  const [issue] = (await listBillingIssues(terminal, 'open')).rows;
  await escalateIssue(terminal, issue?.id ?? '', { seen: 'open', reason: 'a large sum' });
  await resolveIssue(terminal, issue?.id ?? '', { seen: 'escalated', reason: 'paid by hand' });
}

/** An operator who looks after the server. */
export async function lookAfterServer(db: TestDatabase): Promise<void> {
  const terminal = db.ctx(TERMINAL);
  // By now there are trials that have ended.
  await subscriptionAnalytics(terminal);
  for (const msg of ['first', 'first', 'second'])
    leaveLogLine(JSON.stringify({ level: 50, time: new Date().toISOString(), msg }));
  await keepLogLines(db.repos);
  await listLogs(terminal, { search: 'first' });
  await db.repos.serverLogs.trim(1, 1);
  await trimLogs(terminal);
  await trimAudit(terminal, 100_000);
  await clearExpiredRows(terminal);
  await systemReport(terminal);
  await breachReport(terminal, { since: '2020-01-01' });
  await restartWorkers(terminal, { reason: 'it hangs' });
  await db.repos.processSignals.count('restart-worker');
  terminal.server.start('worker');
  await terminal.server.stop();
  const { backup, done } = await startBackup(terminal, { reason: 'before an update' });
  await done;
  await getBackup(terminal, backup.id);
  await listBackups(terminal);
  db.clock.advance(31 * 86_400_000);
  await pruneBackups(terminal);
}
