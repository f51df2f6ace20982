// Prints how much longer the pages of the admin area take with many accounts than with few.
//   npm run bench -- admin [--million | accounts]
//   npm run bench -- admin --work [--million | accounts]      what the worker does a second with many accounts, by one and two workers
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { buildNode } from '../scripts/build-node.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const FEW = 1000;
const MANY = process.argv.includes('--million') ? 1_000_000 : Number(process.argv.at(-1)) || 100_000;
const ROUNDS = 25;
const BUSY = 500;
const LIMIT = 1.5;
const DAY = 86_400_000;

async function loadProgram() {
  const outfile = path.join(root, 'build', `bench-admin-${process.pid}.mjs`);
  await build({
    absWorkingDir: root,
    stdin: {
      resolveDir: root,
      contents: `
        export { default as mongoose } from 'mongoose';
        export { openDatabase } from '#models/index.server.ts';
        export { compose } from '#app/server/composition.server.ts';
        export { adminStats } from '#app/features/admin/overview.server.ts';
        export { recentActivity } from '#app/features/admin/overview.server.ts';
        export { listUsers } from '#app/features/admin/users/users.server.ts';
        export { listSubscriptionEvents } from '#app/features/admin/subscriptions/billing-admin.server.ts';
        export { listAudit } from '#app/features/admin/audit-trail.server.ts';
        export { parseSettings } from '#app/domain/settings/settings.ts';
        export { SILENT_LOG } from '#app/domain/log.ts';
        export { countUsers } from '#app/features/admin/users/users.server.ts';
        export { generateAllDoses } from '#app/features/schedules/dose-generation.server.ts';
        export { countAccounts } from '#app/features/admin/account-count.server.ts';
        export { remindOfStock } from '#app/features/reminders/stock-reminders.server.ts';
        export { markMissedDoses } from '#app/features/doses/dose-effects.server.ts';
        export { addressParts } from '#models/accounts/address-part.server.ts';
        export { vial } from '#tests/support/vials.ts';

      `,
    },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    external: ['#engine-background', '#engine-worker', '#engine-trial', '#threads/*'],
    logLevel: 'error',
  });
  const program = await import(pathToFileURL(outfile).href);
  rmSync(outfile);
  return program;
}

/**
 * Realistic accounts: one in four Premium, one in twenty with problems, created over two years. Even the small store fills
 * a page of each list; otherwise the benchmark would compare page lengths, not store sizes.
 */
function userAt(index, count) {
  const now = Date.now();
  const age = ((count - index) / count) * 700 * DAY;
  const domain = `mail${index % 50}.example`;
  return {
    _id: index.toString(16).padStart(24, '0'),
    email: `person${(index * 7919) % count}@${domain}`,
    emailDomain: domain,
    passwordHash: '-',
    role: index % 10_000 === 0 ? 'admin' : 'user',
    timeZone: 'UTC',
    createdAt: new Date(now - age),
    lastLogin: new Date(now - age / 2),
    lastSeenAt: new Date(now - age / 2),
    suspendedAt: index % 25 === 1 ? new Date(now - DAY) : null,
    trialStartedAt: null,
    trialEndsAt: index % 40 === 2 ? new Date(now + (index % 14) * DAY) : null,
    creditUntil: null,
    grantedAt: index % 100 === 3 ? new Date(now) : null,
    billingStatus: ['active', 'none', 'none', 'none'][index % 4],
    ...(index % 20 === 5 ? { billingStatus: index % 40 === 5 ? 'past_due' : 'canceled' } : {}),
    pastDueSince: index % 40 === 5 ? new Date(now - DAY) : null,
    stripeCustomerId: null,
    secondFactorAt: null,
    deleteAfter: null,
    adminRevision: null,
  };
}

function auditAt(index, count) {
  return {
    _id: `e${index.toString(16).padStart(23, '0')}`,
    at: new Date(Date.now() - (count - index) * 1000),
    actor: `cli:op${index % 5}`,
    action: ['user.view', 'user.suspend', 'user.upgrade'][index % 3],
    subjectId: (index % count).toString(16).padStart(24, '0'),
    before: {},
    after: {},
    reason: null,
    from: 'terminal',
  };
}

function eventAt(index, count) {
  return {
    _id: `evt_${index.toString(16).padStart(12, '0')}`,
    userId: index.toString(16).padStart(24, '0'),
    eventType: ['payment_succeeded', 'payment_failed', 'subscription_created'][index % 3],
    amountCents: index % 3 === 0 ? 500 : 0,
    status: index % 3 === 1 ? 'failed' : 'success',
    createdAt: new Date(Date.now() - ((count - index) / count) * 700 * DAY),
    details: '',
  };
}

async function seed({ addressParts }, connection, count) {
  for (let from = 0; from < count; from += 2000) {
    const indexes = Array.from({ length: Math.min(2000, count - from) }, (_, offset) => from + offset);
    const users = indexes.map((index) => userAt(index, count));
    await connection.collection('users').insertMany(users);
    await connection
      .collection('address_parts')
      .insertMany(users.flatMap(({ _id, email }) => addressParts(_id, email)));
    await connection
      .collection('stock_checks')
      .insertMany(users.map(({ _id }) => ({ _id, userId: _id, checkAt: new Date(Date.now() + 7 * DAY) })));
    await connection.collection('audit').insertMany(indexes.map((index) => auditAt(index, count)));
    const events = indexes.filter((index) => index % 4 === 0);
    await connection
      .collection('subscription_events')
      .insertMany(events.map((index) => eventAt(index, count)));
  }
}

async function open(program, count) {
  const folder = mkdtempSync(path.join(tmpdir(), 'vialbook-bench-'));
  const settings = program.parseSettings({ DATA_DIR: folder });
  const database = await program.openDatabase(settings, program.SILENT_LOG);
  const connection = program.mongoose.connections.at(-1);
  await seed(program, connection, count);
  const { contextFor } = program.compose({ settings, log: program.SILENT_LOG, database, secret: 'bench' });
  const ctx = contextFor({
    actor: { kind: 'cli', osUser: 'bench' },
    client: { address: 'terminal', userAgent: null },
  });
  const close = async () => {
    await database.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { ctx, close, connection, repos: database.repos };
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

/** Measures both alternately, so that a busy moment of the machine affects both. */
async function show(name, places, call) {
  const times = places.map(() => []);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [index, { ctx }] of places.entries()) {
      const begin = performance.now();
      await call(ctx);
      times[index].push(performance.now() - begin);
    }
  }
  const [few, many] = times.map(median);
  const ratio = many / few;
  const ok = ratio <= LIMIT;
  if (!ok) process.exitCode = 1;
  const figure = `${name}: ${few.toFixed(1)} → ${many.toFixed(1)} ms`.padEnd(64);
  console.log(`${figure} ${ratio.toFixed(2).padStart(7)}   to reach <= ${LIMIT}   ${ok ? 'ok' : 'MISSED'}`);
}

async function pages(program, places) {
  console.log(`${MANY} accounts ÷ ${FEW} accounts`);
  const lists = {
    'users, newest first': {},
    'users, by address': { sort: 'email' },
    'users, premium': { subscription: 'premium' },
    'users, free and active': { subscription: 'free', status: 'active' },
    'users, trial': { status: 'trial' },
    'users, past due': { status: 'past_due' },
    'users, suspended': { status: 'suspended' },
    'users, active in 30 days': { active: '30' },
    'search, beginning of an address': { search: 'person12' },
    'search, middle of an address': { search: 'rson12' },
    'search, in every address': { search: 'mail' },
    'search, domain': { search: '@mail7.example' },
    'search, nobody': { search: '(a+)+$' },
  };
  for (const [name, input] of Object.entries(lists))
    await show(name, places, (ctx) => program.listUsers(ctx, input));
  for (const search of ['rson12', '@mail7.example', 'mail'])
    await show(`search, how many have ${search}`, places, (ctx) => program.countUsers(ctx, { search }));
  await show('users, a page further on', places, async (ctx) => {
    const { next } = await program.listUsers(ctx, {});
    await program.listUsers(ctx, { cursor: next });
  });
  await show('audit trail', places, (ctx) => program.listAudit(ctx, {}));
  await show('audit trail, of one actor', places, (ctx) => program.listAudit(ctx, { actor: 'cli:op1' }));
  await show('overview, recent activity', places, program.recentActivity);
  await show('subscription events, the second page', places, async (ctx) => {
    const { next } = await program.listSubscriptionEvents(ctx);
    await program.listSubscriptionEvents(ctx, next);
  });
  for (const [index, count] of [FEW, MANY].entries()) {
    const begin = performance.now();
    await program.adminStats(places[index].ctx);
    console.log(`overview, figures counted once of ${count}: ${(performance.now() - begin).toFixed(0)} ms`);
    await program.countAccounts(places[index].ctx);
  }
  await show('overview, figures', places, (ctx) => program.adminStats(ctx));
}

const IS_WORK = process.argv.includes('--work');
const idAt = (index) => index.toString(16).padStart(24, '0');

/** Premium accounts that are not suspended, each once. */
const busyFrom = (first) =>
  Array.from({ length: 2 * BUSY }, (_, at) => first + 4 * at)
    .filter((index) => index % 25 !== 1)
    .slice(0, BUSY)
    .map(idAt);

function scheduleOf(userId, now) {
  return {
    ...{
      id: `sched_${userId}`,
      userId,
      name: 'BPC-157',
      compoundId: null,
      doseAmount: '250',
      doseUnit: 'mcg',
    },
    ...{ frequency: { kind: 'daily' }, times: ['08:00', '20:00'], timeZone: 'UTC', startDate: '2026-01-01' },
    ...{ endDate: null, route: null, reminderLeadMinutes: 15, notes: null, ramp: null, course: null },
    ...{
      isActive: true,
      nextDoseDate: null,
      lastDoseDate: null,
      createdAt: now,
      updatedAt: now,
      revision: 1,
    },
    ...{ madeUntil: now, claimedUntil: null, keptIn: null },
  };
}

/** Runs a job by a number of workers at once, and prints how much they did a second. */
async function rate(what, done, workers, run) {
  const begin = performance.now();
  await Promise.all(Array.from({ length: workers }, run));
  const seconds = (performance.now() - begin) / 1000;
  console.log(
    `${what}, ${workers} at work: ${(done / seconds).toFixed(0)} a second (${done} in ${seconds.toFixed(1)} s)`,
  );
}

async function timed(what, run) {
  const begin = performance.now();
  await run();
  console.log(`${what}: ${(performance.now() - begin).toFixed(1)} ms`);
}

/** What it takes to keep the overview's figures, compared with a count of all accounts. */
async function figures({ countAccounts }, { ctx, repos }) {
  const month = new Date(Date.now() - 30 * DAY);
  const changed = Math.ceil(MANY / 100);
  await timed(`figures, a count of ${MANY} without rows`, () => countAccounts(ctx));
  await repos.adminFigures.beginRecount();
  await timed(`figures, a recount of ${MANY} as once a week`, () => countAccounts(ctx));
  await timed(`figures, a query of ${MANY} as on a page of few accounts`, () =>
    repos.userCounts.count(ctx, month),
  );
  await timed(`figures, nobody of ${MANY} has changed`, () => countAccounts(ctx));
  for (let index = 0; index < MANY; index += 100) await repos.accountStandings.mark(idAt(index));
  await timed(`figures, ${changed} of ${MANY} have changed`, () => countAccounts(ctx));
}

/** What the worker has to do with many accounts of which few have changed. */
async function work(program, place) {
  const { generateAllDoses, remindOfStock, markMissedDoses, vial } = program;
  const { ctx, repos, connection } = place;
  await figures(program, place);
  const first = performance.now();
  await remindOfStock(ctx);
  console.log(`stock, nobody of ${MANY} has changed: ${(performance.now() - first).toFixed(1)} ms`);
  for (const workers of [1, 2]) {
    const users = busyFrom(workers === 1 ? 0 : 8 * BUSY);
    const now = new Date();
    for (let from = 0; from < BUSY; from += 100)
      await ctx.transaction(async () => {
        for (const userId of users.slice(from, from + 100)) {
          await repos.schedules.create(scheduleOf(userId, now));
          await repos.vials.create(vial({ id: `vial_${userId}`, userId }), null);
        }
      });
    await rate('plans made 35 days ahead', BUSY, workers, () => generateAllDoses(ctx));
    await rate('stock of accounts that have changed', BUSY, workers, () => remindOfStock(ctx));
    const due = { scheduleId: { $gte: `sched_${users[0]}`, $lte: `sched_${users.at(-1)}` } };
    const past = new Date(Date.now() - 30 * 3_600_000);
    const rows = await connection.collection('doses').find(due).project({ _id: 1 }).limit(BUSY).toArray();
    const ids = { _id: { $in: rows.map(({ _id }) => _id) } };
    await connection.collection('doses').updateMany(ids, { $set: { dueDate: past } });
    await rate('doses marked as missed', BUSY, workers, () => markMissedDoses(ctx));
  }
}

await buildNode(['engine']);
const program = await loadProgram();
const places = [];
try {
  for (const count of IS_WORK ? [MANY] : [FEW, MANY]) places.push(await open(program, count));
  if (IS_WORK) await work(program, places[0]);
  else await pages(program, places);
} finally {
  for (const { close } of places) await close();
}
