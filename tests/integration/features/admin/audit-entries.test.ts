import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { USER_CHANGES } from '#app/domain/admin/user-changes.ts';
import { changeUser } from '#app/features/admin/users/user-changes.server.ts';
import { switchFlag } from '#app/platform/flags/flags.server.ts';
import {
  contactUser,
  escalateIssue,
  resolveIssue,
} from '#app/features/admin/subscriptions/billing-admin.server.ts';
import { openBackup, recordRestore, startBackup, streamBackup } from '#app/features/system/backups.server.ts';
import { clearCaches, restartWorkers, systemReport } from '#app/features/admin/system/system.server.ts';
import { createAdmin } from '#app/features/admin/users/admin-accounts.server.ts';
import { viewUser } from '#app/features/admin/users/user-detail.server.ts';
import { prepareUsersFile } from '#app/features/admin/users/users.server.ts';
import { announce, changeAnnouncement, endAnnouncement } from '#app/features/system/announcements.server.ts';
import { listSessions } from '#app/features/accounts/index.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { openTestDatabase, TERMINAL, testConnection, type TestDatabase } from '#tests/support/database.ts';
import { newPerson, PASSWORD, type Person } from '#tests/support/people.ts';
import { newAdmin } from './admin-people.ts';

let db: TestDatabase;
let boss: Ctx;
let person: Person;
/** Commands that changed or removed rows of the audit trail. */
const edits: string[] = [];
beforeAll(async () => {
  db = await openTestDatabase({ ownEngine: true, monitorCommands: true, env: { RATE_LIMIT_FACTOR: '1000' } });
  boss = await newAdmin(db, 'boss@example.org', 'super_admin');
  person = await newPerson(db, 'somebody@example.org');
  testConnection(db)
    .getClient()
    .on('commandStarted', ({ commandName, command }) => {
      const isAudit = (command as Record<string, unknown>)[commandName] === 'audit';
      if (isAudit && /^(update|delete|findAndModify)$/.test(commandName)) edits.push(commandName);
    });
});
afterAll(() => db.dispose());

const reason = 'asked by mail';
const who = () => ({ email: person.email, reason });
const idOfPerson = () => person.signedIn.user.id;
const server = () => 'server';
const words = { title: 'Maintenance', text: 'On Sunday', audience: 'all', isDismissible: true } as const;

/** Opens a billing issue of the person. @returns its id */
async function issue(name: string): Promise<string> {
  const openedAt = db.clock.now();
  const fact = { type: 'payment_failed', amountCents: 500, description: 'A payment failed.' } as const;
  await db.repos.billingIssues.record(idOfPerson(), [{ id: name, ...fact, openedAt, resolvedAt: null }]);
  const found = await db.repos.billingAdmin.listIssues('open', 10);
  return found.find(({ id }) => id.endsWith(name))?.id ?? expect.unreachable('the issue is not there');
}

interface Operation {
  /** Its name in the audit trail. */
  action: string;
  /** Calls it, after creating what it needs with other operations. @returns the expected subject of the entry */
  call: (ctx: Ctx) => Promise<unknown>;
  about?: () => string;
  /** Possible only at the terminal. */
  byTerminal?: boolean;
  /** It needs no reason. */
  withoutReason?: boolean;
}

let backupId = '';
let announcementId = '';

/**
 * Every administrator operation that writes an audit entry, by its name and change. The order matters: each finds what it
 * needs.
 */
const OPERATIONS: Record<string, Operation> = {
  viewUser: { action: 'user.view', call: (ctx) => viewUser(ctx, idOfPerson()), withoutReason: true },
  'changeUser end-session': {
    action: 'user.end-session',
    async call(ctx) {
      const [session] = await listSessions(person.ctx);
      await changeUser(ctx, 'end-session', { ...who(), session: session?.id });
    },
  },
  'changeUser suspend': { action: 'user.suspend', call: (ctx) => changeUser(ctx, 'suspend', who()) },
  'changeUser reinstate': { action: 'user.reinstate', call: (ctx) => changeUser(ctx, 'reinstate', who()) },
  'changeUser upgrade': { action: 'user.upgrade', call: (ctx) => changeUser(ctx, 'upgrade', who()) },
  'changeUser downgrade': { action: 'user.downgrade', call: (ctx) => changeUser(ctx, 'downgrade', who()) },
  'changeUser promote': { action: 'user.change-role', call: (ctx) => changeUser(ctx, 'promote', who()) },
  'changeUser demote': { action: 'user.change-role', call: (ctx) => changeUser(ctx, 'demote', who()) },
  'changeUser role': {
    action: 'user.change-role',
    call: (ctx) => changeUser(ctx, 'role', { ...who(), role: 'admin' }),
  },
  'changeUser sign-out': { action: 'user.sign-out', call: (ctx) => changeUser(ctx, 'sign-out', who()) },
  'changeUser reset-second-factor': {
    action: 'user.reset-second-factor',
    async call(ctx) {
      await db.repos.users.setSecondFactor(idOfPerson(), db.clock.now());
      await changeUser(ctx, 'reset-second-factor', who());
    },
  },
  escalateIssue: {
    action: 'billing-issue.escalate',
    call: async (ctx) => escalateIssue(ctx, await issue('in_1'), { seen: 'open', reason }),
  },
  resolveIssue: {
    action: 'billing-issue.resolve',
    call: async (ctx) => resolveIssue(ctx, await issue('in_2'), { seen: 'open', reason }),
  },
  contactUser: {
    action: 'billing-issue.contact',
    call: async (ctx) => contactUser(ctx, await issue('in_3'), { template: 'payment_failed' }),
    withoutReason: true,
  },
  announce: {
    action: 'announcement.make',
    call: async (ctx) => (announcementId = (await announce(ctx, words)).id),
    about: () => announcementId,
    withoutReason: true,
  },
  changeAnnouncement: {
    action: 'announcement.change',
    call: (ctx) => changeAnnouncement(ctx, announcementId, { ...words, title: 'Later', revision: '0' }),
    about: () => announcementId,
    withoutReason: true,
  },
  endAnnouncement: {
    action: 'announcement.end',
    call: (ctx) => endAnnouncement(ctx, announcementId),
    about: () => announcementId,
    withoutReason: true,
  },
  switchFlag: {
    action: 'flag.switch',
    call: (ctx) => switchFlag(ctx, { name: 'import', state: 'off', reason }),
    about: () => 'switch:import',
  },
  clearCaches: { action: 'system.clear-cache', call: (ctx) => clearCaches(ctx, { reason }), about: server },
  restartWorkers: {
    action: 'system.restart-worker',
    call: (ctx) => restartWorkers(ctx, { reason }),
    about: server,
  },
  systemReport: { action: 'system.report', call: systemReport, about: server, withoutReason: true },
  startBackup: {
    action: 'system.backup',
    async call(ctx) {
      const { backup, done } = await startBackup(ctx, { reason });
      backupId = backup.id;
      await done;
    },
    about: server,
  },
  openBackup: {
    action: 'system.download-backup',
    call: (ctx) => openBackup(ctx, backupId),
    about: server,
    withoutReason: true,
  },
  streamBackup: {
    action: 'system.backup',
    call: async (ctx) => (await streamBackup(ctx)).destroy(),
    about: server,
    byTerminal: true,
    withoutReason: true,
  },
  recordRestore: {
    action: 'system.restore',
    call: (ctx) => recordRestore(ctx, { collections: 1, documents: 2 }),
    about: server,
    byTerminal: true,
    withoutReason: true,
  },
  prepareUsersFile: {
    action: 'users.export',
    call: (ctx) => prepareUsersFile(ctx, {}),
    about: () => idOf(boss),
    withoutReason: true,
  },
  createAdmin: {
    action: 'admin.create',
    call: (ctx) => createAdmin(ctx, { email: 'new@example.org', password: PASSWORD, role: 'admin' }),
    about: () => expect.any(String) as string,
    byTerminal: true,
    withoutReason: true,
  },
  'changeUser delete': {
    action: 'user.delete',
    call: (ctx) => changeUser(ctx, 'delete', { ...who(), confirmEmail: person.email }),
  },
};

/** First words of read-only operations. */
const LOOKS = /^(get|find|is|list|count|preview|shown|show)([A-Z]|$)/;

/**
 * Operations that are not administrator changes: shared steps of the operations above, figures, user operations, and jobs
 * of the worker.
 */
const OTHERS = [
  'adminStats',
  'backUpWhenDue',
  'breachReport',
  'dismissAnnouncement',
  'openUserChange',
  'pruneBackups',
  'recentActivity',
  'requireSwitchedOn',
  'submitUserChange',
  'subscriptionAnalytics',
  'subscriptionFigures',
  'systemHealth',
  'clearExpiredRows',
  'trimAudit',
  'trimLogs',
  'userWalk',
  'walkUsers',
  'withNames',
];

const idOf = ({ actor }: Ctx) => (actor.kind === 'user' ? actor.id : '');

it('every administrator operation is tested below, is read-only, or is part of another one', () => {
  const modules = import.meta.glob<Record<string, unknown>>(
    [
      '/app/features/admin/**/*.server.ts',
      '/app/features/system/announcements.server.ts',
      '/app/features/system/backups.server.ts',
      '/app/platform/flags/flags.server.ts',
    ],
    { eager: true },
  );
  const names = Object.values(modules)
    .flatMap((exports) => Object.entries(exports))
    .filter(([, value]) => typeof value === 'function' && /^[^(]*\(\s*ctx\b/.test(String(value)))
    .map(([name]) => name);
  const open = new Set(names.filter((name) => !LOOKS.test(name) && !OTHERS.includes(name)));
  const called = Object.keys(OPERATIONS).map((operation) => operation.split(' '));
  expect([...open].toSorted()).toEqual([...new Set(called.map(([name]) => name))].toSorted());
  const changes = called.flatMap(([name, change]) => (name === 'changeUser' ? [change] : []));
  expect(changes.toSorted()).toEqual(Object.keys(USER_CHANGES).toSorted());
});

describe.each(Object.entries(OPERATIONS))('%s', (_, { action, call, about, byTerminal, withoutReason }) => {
  it(`writes one audit entry "${action}" with actor, account and reason`, async () => {
    const ctx = byTerminal === true ? db.ctx(TERMINAL, { address: 'terminal' }) : boss;
    const audit = testConnection(db).collection('audit');
    const known = (await audit.find({}).toArray()).map(({ _id }) => _id);
    await call(ctx);
    const entries = await audit.find({ _id: { $nin: known } }).toArray();
    expect(entries).toHaveLength(1);
    expect(entries[0]).toMatchObject({
      action,
      actor: byTerminal === true ? 'cli:operator' : idOf(boss),
      subjectId: (about ?? idOfPerson)(),
      from: byTerminal === true ? 'terminal' : '192.0.2.1',
      before: expect.any(Object) as object,
      after: expect.any(Object) as object,
      reason: withoutReason === true ? null : reason,
    });
    expect(JSON.stringify(entries[0])).not.toContain('example.org');
    expect(edits).toEqual([]);
  });
});
