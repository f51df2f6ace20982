import mongoose, { type Connection } from 'mongoose';
import { changeUser } from '#app/features/admin/users/user-changes.server.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readAccessLog } from '#app/features/accounts/access-log.server.ts';
import {
  scheduleDeletion,
  cancelDeletion,
  purgeDueAccounts,
} from '#app/features/accounts/account-deletion.server.ts';
import { DEMO_DOMAIN } from '#app/domain/accounts/account.ts';
import { createAdmin } from '#app/features/admin/users/admin-accounts.server.ts';
import { countAccounts } from '#app/features/admin/account-count.server.ts';
import { adminStats } from '#app/features/admin/overview.server.ts';
import { getAccount, changeProfile } from '#app/features/accounts/profile.server.ts';
import {
  deleteCalculation,
  getCalculation,
  saveCalculation,
  calculationStatistics,
  listCalculations,
  pageOfCalculations,
} from '#app/features/calculator/calculations.server.ts';
import { downloadData } from '#app/features/export/data-download.server.ts';
import { keepDemoInterest } from '#app/features/demo/demo.server.ts';
import { askForEmailChange, confirmEmail } from '#app/features/accounts/email-change.server.ts';
import { prepareExport } from '#app/features/export/export.server.ts';
import { updateNotificationChoices } from '#app/platform/mail/notification-choices.server.ts';
import {
  changePassword,
  askForPasswordReset,
  resetPassword,
} from '#app/features/accounts/password-change.server.ts';
import {
  clearEndedSessions,
  listSessions,
  revokeSession,
  rotateSession,
  signOut,
} from '#app/features/accounts/sessions.server.ts';
import { signIn } from '#app/features/accounts/sign-in.server.ts';
import { startTrial } from '#app/features/billing/billing.server.ts';
import {
  beProposedTo,
  comeFromElsewhere,
  protect,
  refer,
  useKey,
  useToken,
  useUnknownSecrets,
} from './walks/account.ts';
import { announceAndSwitch, lookAfterServer, workAtBillingDesk } from './walks/admin.ts';
import { pay } from './walks/billing.ts';
import { pageThrough } from './walks/pages.ts';
import { logDoses } from './walks/doses.ts';
import { administer } from './walks/admin-accounts.ts';
import { bringIn } from './walks/imports.ts';
import { repeatCalls } from './walks/repeated-calls.ts';
import { keepSchedules } from './walks/schedules.ts';
import { report } from './walks/report.ts';
import { beReminded, work } from './walks/reminders.ts';
import { keepStock } from './walks/stock.ts';
import { useSupplies } from './walks/supplies.ts';
import { useWebhooks } from './walks/webhooks.ts';
import { track } from './walks/tracking.ts';
import { buyAndLeave } from './walks/vendors.ts';
import { ROWS_AT_ONCE } from '#models/store/writes.server.ts';
import { BROADCASTS, COUNTED_BY_WORKER, INDEX_EXCEPTIONS, QUERY_EXCEPTIONS } from './query-exceptions.ts';
import { IndexUse } from './index-use.ts';
import { ActsWatch } from '#tests/support/acts-watch.ts';
import { ShardWatch } from '#tests/support/shard-watch.ts';
import { calculation, saveAll } from '#tests/support/calculations.ts';
import { openTestDatabase, TERMINAL, testConnection, type TestDatabase } from '#tests/support/database.ts';
import { ctxOfToken, newPerson, PASSWORD } from '#tests/support/people.ts';
import { textOf } from '#tests/support/streams.ts';

type Command = Record<string, unknown>;

/** The filters of a command, each with the collection it is about. */
function filtersOf(name: string, command: Command): Record<string, unknown>[] {
  const statements = (command['updates'] ?? command['deletes'] ?? []) as { q: Record<string, unknown> }[];
  if (statements.length > 0) return statements.map(({ q }) => q);
  if (name === 'aggregate') {
    const [first] = command['pipeline'] as { $match?: Record<string, unknown> }[];
    return [first?.$match ?? {}];
  }
  return [(command['filter'] ?? command['query'] ?? {}) as Record<string, unknown>];
}

const QUERIES = new Set(['find', 'update', 'delete', 'findAndModify', 'count', 'aggregate', 'distinct']);
/**
 * What queries nothing: the handshake, indexes, the database file as a whole, cursors whose query was seen, and inserts,
 * which are looked at apart.
 */
const HARMLESS = new Set([
  'hello',
  'ismaster',
  'ping',
  'compact',
  'createIndexes',
  'listIndexes',
  'serverStatus',
  'getMore',
  'killCursors',
  'endSessions',
  'commitTransaction',
  'abortTransaction',
  'insert',
  'serverStatus',
  'compact',
]);

const described = (collection: string, fields: readonly string[]) =>
  `${collection}: ${[...fields].sort().join(', ')}`;
const ALLOWED = new Set(QUERY_EXCEPTIONS.map(({ collection, fields }) => described(collection, fields)));

/**
 * Where all that match are removed by one statement, because there are never many of them: sign-ins, links and tokens of
 * one person, which are limited, the parts of an address, and the pieces of one file. Everything else is removed some rows at a time.
 */
const FEW = new Set([
  'address_parts',
  'api_tokens',
  'calendar_feeds',
  'identities',
  'papers.chunks',
  'passkeys',
  'pictures.chunks',
  'push_subscriptions',
  'sessions',
  'stripe_customers',
]);

/** True for a filter that names an owner, or a list of them. */
function namesOwner({ userId }: Command): boolean {
  const isList = typeof userId === 'object' && userId !== null && '$in' in userId;
  return typeof userId === 'string' || (isList && Array.isArray(userId.$in));
}

/** True for a filter that names some rows by their ids. */
function namesRows({ _id }: Command): boolean {
  return typeof _id === 'object' && _id !== null && '$in' in _id && (_id.$in as []).length <= ROWS_AT_ONCE;
}

let db: TestDatabase;
let connection: Connection;
const used = new Set<string>();
const offending = new Set<string>();
const unknownCommands = new Set<string>();
const ownerless = new Set<string>();
/** Commands that read rows; each has to say how long it may take. */
const READS = new Set(['find', 'count', 'aggregate', 'distinct']);
const unbounded = new Set<string>();
const acts = new ActsWatch();
const shards = new ShardWatch();
const dosesIndexes = new IndexUse('doses');
/** Collections from which one statement removed however many there were. */
const removedAtOnce = new Set<string>();
/** Commands that change or remove what is there, by the collection they are about. */
const changedCollections = new Set<string>();

beforeAll(async () => {
  db = await openTestDatabase({
    env: { RATE_LIMIT_FACTOR: '100' },
    monitorCommands: true,
    watched: (repos) => acts.watched(repos),
  });
  connection = testConnection(db);
  connection.getClient().on('commandStarted', acts.note);
  connection.getClient().on('commandStarted', shards.note);
  connection.getClient().on('commandStarted', (event) => dosesIndexes.note(event));
  connection.getClient().on('commandStarted', ({ commandName, command }) => {
    const collection = String(command[commandName]);
    if (commandName === 'insert') {
      for (const row of command['documents'] as Command[])
        if (typeof row['userId'] !== 'string') ownerless.add(collection);
    }
    if (!QUERIES.has(commandName)) {
      if (!HARMLESS.has(commandName)) unknownCommands.add(commandName);
      return;
    }
    // How many documents a whole collection has is known without reading them.
    const isKnown = commandName === 'count' && command['query'] === undefined;
    if (READS.has(commandName) && !isKnown && typeof command['maxTimeMS'] !== 'number')
      unbounded.add(`${commandName} in ${collection}`);
    for (const { q, limit } of (command['deletes'] ?? []) as { q: Command; limit: number }[])
      if (limit === 0 && !FEW.has(collection) && !namesRows(q)) removedAtOnce.add(collection);
    if (['update', 'delete', 'findAndModify'].includes(commandName)) changedCollections.add(collection);
    for (const filter of filtersOf(commandName, command)) {
      if (namesOwner(filter)) continue;
      const text = described(collection, Object.keys(filter));
      (ALLOWED.has(text) ? used : offending).add(text);
    }
  });
});
afterAll(() => db.dispose());

/** A password forgotten, set by the mailed link, and changed again. */
async function resetPasswordByMail(email: string): Promise<void> {
  await askForPasswordReset(db.ctx(), { email });
  const mail = (await db.mails()).filter(({ to }) => to === email).at(-1);
  const link = /reset-password\/([A-Za-z0-9_-]+)/.exec(mail?.text ?? '')?.[1] ?? '';
  await resetPassword(db.ctx(), link, { password: PASSWORD, confirmPassword: PASSWORD });
  const { token } = await signIn(db.ctx(), { email, password: PASSWORD });
  const [newPassword, ctx] = ['another-kettle-48', await ctxOfToken(db, token)];
  await changePassword(ctx, { currentPassword: PASSWORD, newPassword, confirmPassword: newPassword });
}

/** Another address for an account. */
async function move(): Promise<void> {
  const { ctx } = await newPerson(db, 'moves@example.org');
  await askForEmailChange(ctx, { email: 'moved@example.org' });
  const mail = (await db.mails()).filter(({ to }) => to === 'moved@example.org').at(-1);
  await confirmEmail(db.ctx(), /confirm-email\/([A-Za-z0-9_-]+)/.exec(mail?.text ?? '')?.[1] ?? '');
}

/** Somebody who reads what is kept about them, has second thoughts about leaving, and leaves. */
async function leave(): Promise<void> {
  const { ctx, email } = await newPerson(db, 'leaver@example.org');
  await scheduleDeletion(ctx, { email });
  await cancelDeletion(ctx);
  await readAccessLog(ctx);
  await readAccessLog(ctx, `1-${'0'.repeat(24)}`);
  await textOf((await downloadData(ctx)).open());
  await scheduleDeletion(ctx, { email });
  db.clock.advance(48 * 3_600_000);
  await purgeDueAccounts(db.ctx(TERMINAL));
}

/** Everything the program does, once. */
async function liveALife(): Promise<void> {
  const terminal = db.ctx(TERMINAL);
  await createAdmin(terminal, { email: 'one@example.org', password: PASSWORD });
  await createAdmin(terminal, { email: 'two@example.org', password: PASSWORD, role: 'super_admin' });
  await createAdmin(terminal, { email: 'three@example.org', password: PASSWORD });
  const person = await newPerson(db, 'person@example.org');
  const { deviceToken, token } = person.signedIn;
  await signIn(db.ctx(), { email: person.email, password: 'wrong-password' }).catch(() => undefined);
  await signIn(db.ctx(), { email: person.email, password: PASSWORD }, { deviceToken });
  db.clock.advance(3_600_000);
  const ctx = await ctxOfToken(db, token);
  const [entry] = await saveAll(ctx, [{ peptideName: 'A' }, { peptideName: 'B' }, { notes: 'x' }]);
  await saveCalculation(ctx, calculation(), { saveKey: 'key' });
  await saveCalculation(ctx, calculation(), { saveKey: 'key' });
  await getCalculation(ctx, entry?.id ?? '');
  await deleteCalculation(ctx, entry?.id ?? '');
  for (const sort of ['date', 'name', 'concentration'] as const) {
    const page = await listCalculations(ctx, { sort, limit: 1 });
    await listCalculations(ctx, { sort, limit: 1, cursor: page.next ?? '' });
    await listCalculations(ctx, { sort, search: 'a' });
    await pageThrough((asked) => pageOfCalculations(ctx, { ...asked, sort }));
  }
  await calculationStatistics(ctx);
  for (const format of ['csv', 'json', 'pdf'] as const) {
    const input = { format, types: ['calculations' as const], startDate: '2026-01-01' };
    await textOf((await prepareExport(ctx, input)).open());
    await textOf((await prepareExport(terminal, { format, types: ['calculations'] }, person.email)).open());
  }
  await startTrial(ctx);
  await calculationStatistics(ctx);
  await getAccount(ctx);
  await repeatCalls(ctx);
  await keepDemoInterest(db.ctx(), { email: 'demo@example.org' });
  await db.repos.users.countOfDomain(DEMO_DOMAIN, db.clock.now());
  await db.repos.users.listIds('', 10);
  const other = await signIn(db.ctx(), { email: person.email, password: PASSWORD });
  await listSessions(ctx);
  await revokeSession(ctx, other.session.id);
  await rotateSession(ctx, token);
  await changeProfile(ctx, { timeZone: 'UTC', doseUnit: 'mg', units: 'metric' });
  await updateNotificationChoices(ctx, { discreet: true });
  await resetPasswordByMail(person.email);
  await protect(db);
  await move();
  await useToken(db);
  await useUnknownSecrets(db);
  await beProposedTo(db);
  await useKey(db);
  await comeFromElsewhere(db);
  await refer(db);
  await pay(db);
  await announceAndSwitch(db);
  await workAtBillingDesk(db);
  await leave();
  await bringIn(db);
  await track(db);
  await buyAndLeave(db);
  await report(db);
  await logDoses(db);
  await keepSchedules(db);
  await keepStock(db);
  await useSupplies(await newPerson(db, 'supplies@example.org', { plan: 'trial' }));
  await signOut(ctx);
  await changeUser(terminal, 'suspend', { reason: 'test', email: 'two@example.org' });
  await changeUser(terminal, 'reinstate', { reason: 'test', email: 'two@example.org' });
  await changeUser(terminal, 'suspend', { reason: 'test', email: person.email });
  await db.repos.audit.listAbout(person.signedIn.user.id, 10);
  await adminStats(terminal);
  await countAccounts(terminal);
  await adminStats(terminal, 0);
  await administer(db);
  db.clock.advance(31 * 86_400_000);
  await clearEndedSessions(terminal);
  await lookAfterServer(db);
  await beReminded(db);
  await useWebhooks(db);
  await work(db);
}

/** Doses of forty schedules, each with five days behind it and five weeks ahead. */
function crowdOf(userId: string) {
  const day = (days: number) => new Date(db.clock.now().getTime() + days * 86_400_000);
  const row = (at: number) => {
    const dueDate = day((at % 40) - 5);
    const past = dueDate < db.clock.now() ? dueDate : null;
    const what = { scheduleId: `sched_${Math.floor(at / 40)}`, nameKey: `name ${Math.floor(at / 40)}` };
    const state = { status: past ? 'taken' : 'pending', takenAt: past, actedAt: past };
    const when = { dueDate, updatedAt: dueDate, missAt: past ? null : dueDate, remindAt: null };
    return { _id: `dose_crowd${userId}${at}` as never, userId, ...what, ...state, ...when };
  };
  return Array.from({ length: 1600 }, (_, at) => row(at));
}

describe('every query', () => {
  it('names the owner, or is on the list of exceptions with a reason', async () => {
    await liveALife();
    expect([...offending]).toEqual([]);
    expect([...unknownCommands]).toEqual([]);
  });

  it('of doses uses an index, and every index is used by one', async () => {
    // With one schedule, an index of all doses is as good as that of a schedule's.
    for (const userId of dosesIndexes.owners)
      await connection.collection('doses').insertMany(crowdOf(userId));
    const uses = await dosesIndexes.byIndex(connection);
    const indexes = await connection.collection('doses').indexes();
    expect([...uses.keys()].toSorted()).toEqual(indexes.map(({ name }) => name).toSorted());
  });

  it('that reads rows has a time limit', () => {
    expect([...unbounded]).toEqual([]);
  });

  it('that removes many rows removes them in batches', () => {
    expect([...removedAtOnce]).toEqual([]);
  });

  it('needs every exception on the list', () => {
    // An upgrade of a hash needs an old hash; its test is with the sign-in.
    const unseen = [...ALLOWED].filter((text) => !used.has(text) && text !== 'users: _id, passwordHash');
    expect(unseen).toEqual([]);
  });

  it('never changes or removes an audit row, even when an account is deleted', () => {
    expect([...changedCollections]).toContain('users');
    expect([...changedCollections]).not.toContain('audit');
  });

  it('stores the owner in every document of an owned collection', () => {
    const nobodys = [
      'announcements',
      'audit',
      'demo_interest',
      'feature_flags',
      'backups',
      'job_runs',
      'mails',
      'server_logs',
      'server_processes',
      'server_signals',
      'role_holders',
      'subscription_days',
      'subscription_months',
      'throttles',
      'users',
      'id_claims',
    ];
    expect([...ownerless].filter((collection) => !nobodys.includes(collection))).toEqual([]);
  });

  it('is detected when it does not (the watch itself works)', async () => {
    await connection.collection('calculations').findOne({ notes: 'mine' });
    expect([...offending]).toEqual(['calculations: notes']);
    expect([...unbounded]).toEqual(['find in calculations']);
    offending.clear();
    expect([...shards.reads]).toContain('calculations: notes');
    expect([...shards.growing]).not.toContain('calculations: notes');
    shards.reads.delete('calculations: notes');
  });
});

describe('on a cluster', () => {
  it('every collection has a shard key', () => {
    expect([...shards.unknown]).toEqual([]);
    expect(shards.counts.all).toBeGreaterThan(5000);
  });

  it('every write names its shard', () => {
    expect([...shards.writes]).toEqual([]);
  });

  it('every read names its shard, or is on the list of those that cannot', () => {
    const listed = [...BROADCASTS].map(({ collection, fields }) => described(collection, fields));
    expect([...shards.reads].filter((text) => !listed.includes(text)).toSorted()).toEqual([]);
    expect(listed.filter((text) => !shards.reads.has(text)).toSorted()).toEqual([]);
  });

  it('no read of all shards returns more with more people', () => {
    expect([...shards.growing].toSorted()).toEqual(COUNTED_BY_WORKER.toSorted());
  });
});

/** Operations that write in several steps outside of a transaction, with the reason why each step may stand alone. */
const IN_STEPS: Readonly<Record<string, string>> = {
  'remindOfStock in app/features/reminders/stock-reminders.server.ts':
    'a job: it claims accounts, and a check that is cut off is repeated, with the same keys',
  'signIn in app/features/accounts/sign-in.server.ts': 'each proof is used up before the next is asked for',
  'enterByPasskey in app/features/accounts/sign-in.server.ts':
    'each proof is used up before the session begins',
  'confirmWithPasskey in app/features/accounts/password-change.server.ts':
    'each proof is used up before the session goes on',
  'signOut in app/features/accounts/sessions.server.ts':
    'ends at once; what it leaves may be long, and a job removes what is left',
  'revokeSession in app/features/accounts/sessions.server.ts':
    'ends at once; what it leaves may be long, and a job removes what is left',
  'purgeDueAccounts in app/features/accounts/account-deletion.server.ts':
    'everything about a person may be long; the account itself goes last, with the audit entry and the mail',
  'acceptProposal in app/features/proposals/proposals.server.ts':
    'claims the proposal, so that the call it makes is made once, and notes how it ended',
  'prepareImport in app/features/import/import.server.ts':
    'a file may be long: its state says how far it has come',
  'runImport in app/features/import/import.server.ts':
    'a file may be long: its state says how far it has come',
  'recoverImports in app/features/import/import.server.ts':
    'a file may be long: its state says how far it has come',
  'heavyWork in app/platform/heavy-work.server.ts': 'undoing an import: its state says how far it has come',
  'importCatalogue in app/features/vendors/catalogue-import.server.ts':
    'one product after the other; the same file again adds what is missing',
  'subscriptionFigures in app/features/admin/subscriptions/subscription-figures.server.ts':
    'a sum is stored once it was counted, unless an event has come meanwhile',
  'carryOut in app/features/system/backups.server.ts': 'notes how far a backup has come',
  'remindOfDoses in app/features/reminders/dose-reminders.server.ts':
    'works on many accounts at once; each row has an id that makes it once, and the dose moves on last',
  'workOffOutbox in app/platform/jobs/outbox-rounds.server.ts':
    'claims a message, sends it, notes the result',
  'sendNow in app/features/webhooks/webhook-deliveries.server.ts':
    'claims a message, sends it, notes the result',
  'sendTestEvent in app/features/webhooks/webhook-deliveries.server.ts':
    'claims a message, sends it, notes the result',
};

describe('every operation', () => {
  it('writes several documents in one transaction, or is on the list with a reason', () => {
    // The worker runs all jobs, each of which claims what it works on.
    const found = [...acts.severalWrites().keys()].filter((name) => !name.endsWith('/worker.server.ts'));
    expect(found.filter((operation) => !(operation in IN_STEPS))).toEqual([]);
    expect(acts.writes.within).toBeGreaterThan(500);
  });

  it('is found when it does not (the watch itself works)', () => {
    // Others write twice only when they take long.
    const always = [
      'signIn in app/features/accounts/sign-in.server.ts',
      'runImport in app/features/import/import.server.ts',
    ];
    expect([...acts.severalWrites().keys()]).toEqual(expect.arrayContaining(always));
  });
});

describe('every index', () => {
  it('begins with the owner, or is on the list of exceptions', () => {
    const allowed = new Set(
      INDEX_EXCEPTIONS.map(({ collection, fields }) => `${collection}: ${fields.join(', ')}`),
    );
    const others = Object.values(connection.models).flatMap((model) =>
      model.schema
        .indexes()
        .map(([fields]) => Object.keys(fields))
        .filter(([first]) => first !== 'userId')
        .map((fields) => `${model.collection.collectionName}: ${fields.join(', ')}`),
    );
    expect(others.filter((text) => !allowed.has(text))).toEqual([]);
    expect([...allowed].filter((text) => !others.includes(text))).toEqual([]);
  });

  it('is never unique across owners: such values are keys of their own collections', () => {
    for (const model of Object.values(connection.models)) {
      for (const [fields, options] of model.schema.indexes()) {
        if (options?.unique) expect(Object.keys(fields)[0]).toBe('userId');
      }
    }
  });
});

describe('filters', () => {
  it('take an operator from outside for a plain value, or refuse it', async () => {
    const operator = { $gt: '' } as unknown as string;
    await expect(db.repos.addresses.findOwner(operator)).rejects.toThrow();
    await expect(db.repos.sessions.findByTokenHash(operator)).rejects.toThrow();
    await expect(db.repos.calculations.find({ userId: 'u', signInId: null }, operator)).rejects.toThrow();
    expect(mongoose.get('sanitizeFilter')).toBe(true);
    expect(mongoose.get('strictQuery')).toBe('throw');
  });
});
