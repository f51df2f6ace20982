// The processes of the worker's benchmark and kill rounds: one prepares due doses, others work
// until they are stopped, one inspects the result. Bundled and run by worker-rounds.mjs.
import { appendFileSync } from 'node:fs';
import path from 'node:path';
import { SILENT_LOG } from '#app/domain/log.ts';
import { parseSettings } from '#app/domain/settings/settings.ts';
import { createPushSender } from '#app/integrations/push.server.ts';
import { createOutgoingPosts, type OutgoingPosts } from '#app/integrations/outgoing.server.ts';
import type { Resolve } from '#app/integrations/name-lookup.server.ts';
import { register } from '#app/features/accounts/registration.server.ts';
import type { Actor, Ctx } from '#app/platform/access/context.server.ts';
import { isAppError } from '#app/domain/errors.ts';
import { moveKey } from '#app/domain/schedules/plan-changes.ts';
import { occurrenceOf, occurrences, plannedKey } from '#app/domain/schedules/occurrences.ts';
import { markMissedDoses } from '#app/features/doses/dose-effects.server.ts';
import { takeDose, undoDose } from '#app/features/doses/doses.server.ts';
import { generateAllDoses, keyOfDose } from '#app/features/schedules/dose-generation.server.ts';
import { moveDose } from '#app/features/schedules/plan-changes.server.ts';
import { createSchedule } from '#app/features/schedules/schedules.server.ts';
import { addVial } from '#app/features/vials/vials.server.ts';
import { deliverReminders } from '#app/features/reminders/deliveries.server.ts';
import { remindOfDoses } from '#app/features/reminders/dose-reminders.server.ts';
import { updateNotificationChoices } from '#app/platform/mail/notification-choices.server.ts';
import { setNtfyTopic } from '#app/features/reminders/ntfy.server.ts';
import { subscribeBrowser } from '#app/features/reminders/push-subscriptions.server.ts';
import { deliverWebhooks } from '#app/features/webhooks/webhook-deliveries.server.ts';
import { createWebhook } from '#app/features/webhooks/webhooks.server.ts';
import { resolveSession } from '#app/features/accounts/sessions.server.ts';
import { loadVapidKeys } from '#app/platform/secrets/server-secrets.server.ts';
import { compose } from '#app/server/composition.server.ts';
import { WORKER } from '#app/server/worker.server.ts';
import { openDatabase } from '#models/index.server.ts';
import { pendingDose } from '#tests/support/pending-doses.ts';
import { newBrowser } from '#tests/support/push-host.ts';
import { registration } from '#tests/support/people.ts';

/** What webhook receivers do with the first attempt of each event; see worker-rounds.mjs. */
const RECEIVERS = ['takes', 'fails', 'hangs', 'redirects', 'moves'] as const;
/** Speed-up of the clock for webhooks, whose pauses take hours. */
const HURRY = 60;

/** `amount` is of doses, people, steps or looks, depending on the role. */
const [
  role = '',
  dir = '',
  port = '',
  amount = '0',
  leaseMs = '60000',
  reach = 'push',
  base = '0',
  began = '',
] = process.argv.slice(2);
/**
 * Doses per account, unless that leaves a receiver without one. Each has a time slot and so a message of its own, and all are
 * overdue for less than the two hours after which a reminder is only listed.
 */
const DOSES_EACH = Math.min(7, Math.ceil(Number(amount) / RECEIVERS.length));
const overdueBy = (index: number): number => (35 + 15 * index) * 60_000;
/** Number of lookups per process that resolve a moving name to the private address. */
const MOVED = Math.floor(DOSES_EACH / 2);
/** Speed-up of time in the rounds with people, from their start; until then it stands still. */
const LIVES_HURRY = 300;
let beganAt = began === '' ? null : Number(began);
const livesNow = (): Date =>
  new Date(Number(base) + (beganAt === null ? 0 : (Date.now() - beganAt) * LIVES_HURRY));

/** Waits for the start message, which says since when time runs. */
async function untilTold(): Promise<void> {
  process.stdout.write('ready\n');
  const word: unknown = await new Promise((resolve) => process.stdin.once('data', resolve));
  process.stdin.destroy();
  beganAt = Number(String(word).replace('go', '')) || null;
}
/** The benchmark's receivers are on this machine. The address 127.0.0.2 represents a private network. */
const LOOPBACK = { protocols: ['http:'], isAllowed: (address: string) => address === '127.0.0.1' };
let lookups = 0;
const resolve: Resolve = (_name, _options, done) => {
  const isMoved = role === 'work' && reach !== 'lives' && (lookups += 1) <= MOVED;
  if (isMoved) appendFileSync(path.join(dir, 'moved'), '.');
  done(null, [{ address: isMoved ? '127.0.0.2' : '127.0.0.1', family: 4 }]);
};
const patient = createOutgoingPosts({ rule: { ...LOOPBACK, resolve } });
const impatient = createOutgoingPosts({ rule: LOOPBACK, timeoutMs: 500 });
const outgoing: OutgoingPosts = {
  check: (account, address) => patient.check(account, address),
  post: (message) => (message.endpoint.includes('/hangs/') ? impatient : patient).post(message),
};
const settings = parseSettings({ DATA_DIR: dir, RATE_LIMIT_FACTOR: '100000' });
const database = await openDatabase(settings, SILENT_LOG);
const { contextFor } = compose({
  settings,
  log: SILENT_LOG,
  database,
  secret: 'a secret that only the benchmark uses',
  mailer: { send: () => Promise.resolve(), forget: () => Promise.resolve() },
  outgoing,
  push: createPushSender({
    keys: () => loadVapidKeys(settings),
    subject: 'mailto:bench@example.org',
    rule: LOOPBACK,
  }),
});
const ctxOf = (actor: Actor): Ctx => {
  const ctx = contextFor({ actor, client: WORKER.client });
  return reach === 'lives' ? { ...ctx, now: livesNow } : ctx;
};

async function somebody(name: string, receiver: string): Promise<string> {
  const visitor = ctxOf({ kind: 'visitor' });
  const { token, user } = await register(visitor, registration(`${name}@example.org`, { plan: 'trial' }));
  const session = await resolveSession(visitor, token);
  if (session === null) throw new Error('no session');
  const ctx = ctxOf(session.actor);
  await subscribeBrowser(ctx, newBrowser().target(`http://127.0.0.1:${port}/push/${name}`));
  // No browser confirms here, and what would follow minutes later is not part of a round.
  await updateNotificationChoices(ctx, { escalateAfterMinutes: 0 });
  if (reach === 'everywhere') {
    const host = receiver === 'moves' ? 'moves.example' : '127.0.0.1';
    const url = `http://${host}:${port}/hooks/${receiver}/${name}`;
    await createWebhook(ctx, { url, events: ['dose.due'] });
    await setNtfyTopic(ctx, { url: `http://127.0.0.1:${port}/ntfy/${name}` });
  }
  return user.id;
}

async function prepare(): Promise<void> {
  const now = Date.now();
  for (let made = 0; made < Number(amount); made += DOSES_EACH) {
    const receiver = RECEIVERS[(made / DOSES_EACH) % RECEIVERS.length] ?? '';
    const userId = await somebody(`person-${process.pid}-${made}`, receiver);
    const count = Math.min(DOSES_EACH, Number(amount) - made);
    const doses = Array.from({ length: count }, (_, index) =>
      pendingDose(`dose_${userId}_${index}`, new Date(now - overdueBy(index))),
    );
    await database.repos.doses.createMany(userId, doses);
  }
}

/** Pause after a job found nothing to do, because checking again at once would slow down the others. */
const PAUSE_MS = 200;

/** Works until it is told to stop. */
async function work(): Promise<void> {
  const stopping = new AbortController();
  process.once('SIGTERM', () => stopping.abort());
  await untilTold();
  const ctx = ctxOf(WORKER.actor);
  const began = Date.now();
  const hurried = { ...ctx, now: () => new Date(began + (Date.now() - began) * HURRY) };
  const lease = { leaseMs: Number(leaseMs) * (reach === 'lives' ? LIVES_HURRY : 1) };
  const hurriedLease = { leaseMs: lease.leaseMs * HURRY };
  const jobs = [
    () => remindOfDoses(ctx, stopping.signal, lease),
    () => deliverReminders(ctx, stopping.signal, lease),
    ...(reach === 'lives'
      ? [
          () => deliverWebhooks(ctx, stopping.signal, lease),
          () => markMissedDoses(ctx),
          () => generateAllDoses(ctx, stopping.signal),
        ]
      : []),
    ...(reach === 'everywhere' ? [() => deliverWebhooks(hurried, stopping.signal, hurriedLease)] : []),
  ];
  await Promise.all(
    jobs.map(async (job) => {
      while (!stopping.signal.aborted) {
        await job();
        await new Promise((next) => setTimeout(next, PAUSE_MS));
      }
    }),
  );
}

/** Reports how much is left to do, and how often each item was created. */
async function inspect(): Promise<void> {
  const now = new Date();
  // What is leased by a worker that was killed is not due yet, and not done either.
  const later = new Date(now.getTime() + 7 * 86_400_000);
  const outboxes = [database.repos.deliveries, database.repos.webhookDeliveries];
  const waiting = await Promise.all(outboxes.map((outbox) => outbox.backlog(later)));
  const reminders = await database.repos.doseReminding.backlog(now);
  const left = waiting.reduce((sum, one) => sum + one.waiting, reminders.waiting);
  process.stdout.write(`${JSON.stringify({ left })}\n`);
}

/** Creates accounts with a plan of 24 doses in the next two hours, five minutes apart. */
async function settle(): Promise<void> {
  for (let made = 0; made < Number(amount); made += 1) {
    const visitor = ctxOf({ kind: 'visitor' });
    const { token } = await register(visitor, registration(`life-${made}@example.org`, { plan: 'trial' }));
    const session = await resolveSession(visitor, token);
    if (session === null) throw new Error('no session');
    const ctx = ctxOf(session.actor);
    await setNtfyTopic(ctx, { url: `http://127.0.0.1:${port}/ntfy/life-${made}` });
    await createWebhook(ctx, {
      url: `http://127.0.0.1:${port}/hooks/takes/life-${made}`,
      events: ['dose.due'],
    });
    const { id: compoundId } = await addVial(ctx, {
      name: 'BPC-157',
      totalAmount: '100',
      concentration: '10',
    });
    const now = livesNow().getTime();
    const day = (days: number) => new Date(now + days * 86_400_000).toISOString().slice(0, 10);
    await createSchedule(ctx, {
      ...{ name: 'BPC-157', compoundId, endsWithVial: true, doseAmount: '0.25', doseUnit: 'mg' },
      ...{ frequency: { kind: 'daily' }, timeZone: 'UTC', startDate: day(0), endDate: day(1) },
      ...{ reminderLeadMinutes: 0 },
      times: Array.from({ length: 24 }, (_, index) =>
        new Date(now + (index + 2) * 300_000).toISOString().slice(11, 16),
      ),
    });
  }
}

const EVERYBODY = 10_000;
const accounts = async (): Promise<{ id: string; email: string }[]> => {
  const ids = await database.repos.users.listIds('', EVERYBODY);
  const found = await Promise.all(ids.map((id) => database.repos.users.find(id)));
  return found.flatMap((user) => (user === null ? [] : [{ id: user.id, email: user.email }]));
};

const ACTS = ['take', 'undo', 'move', 'take'] as const;

/** Takes, undoes and moves doses of all accounts a given number of times; skips what is not possible. */
async function live(): Promise<void> {
  const people = await accounts();
  await untilTold();
  const did = { take: 0, undo: 0, move: 0 };
  const pick = <T>(all: readonly T[]): T | undefined => all[Math.floor(Math.random() * all.length)];
  for (let step = 0; step < Number(amount); step += 1) {
    const owner = pick(people);
    if (owner === undefined) throw new Error('nobody lives here');
    const now = livesNow().getTime();
    const near = { from: new Date(now - 3_600_000), before: new Date(now + 3_600_000) };
    const doses = await database.repos.doses.list(owner.id, near);
    // In turn, and where it is possible: left to chance, a slow machine undoes none before the plan is over.
    const act = ACTS[step % ACTS.length] ?? 'take';
    const dose = pick(doses.filter(({ status }) => (status === 'taken') === (act === 'undo'))) ?? pick(doses);
    if (dose === undefined) continue;
    const ctx = ctxOf(WORKER.actor);
    try {
      if (act === 'take')
        await takeDose(ctx, dose.id, { confirmed: ['TOO_SOON', 'OVER_DRAWN', 'PAST_DATE'] }, owner.email);
      else if (act === 'undo') await undoDose(ctx, dose.id, owner.email);
      else {
        const dueDate = new Date(now + 120_000 + Math.floor(Math.random() * 1_800_000)).toISOString();
        await moveDose(ctx, dose.id, { dueDate, scope: step % 3 === 0 ? 'following' : 'this' }, owner.email);
      }
      did[act] += 1;
    } catch (error) {
      if (!isAppError(error)) throw error;
    }
  }
  process.stdout.write(JSON.stringify(did));
}

/** The problems of one account's doses: each planned dose must exist once, and be drawn once while taken. */
async function problemsOf(userId: string): Promise<string[]> {
  const [schedule] = await database.repos.schedules.list(userId, 0, 1);
  const [vial] = await database.repos.vials.listActive(userId);
  if (schedule === undefined || vial === undefined) return [`${userId}: no plan or no vial`];
  const doses = await database.repos.doses.list(userId, { scheduleId: schedule.id });
  const range = { from: schedule.createdAt, to: new Date(schedule.createdAt.getTime() + 3 * 86_400_000) };
  const planned = occurrences({ ...schedule, moves: null }, range).map((dose) => moveKey(plannedKey(dose)));
  const there = doses.map((dose) => moveKey(keyOfDose(dose)));
  const problems: string[] = [];
  for (const key of planned) {
    const count = there.filter((one) => one === key).length;
    if (count !== 1) problems.push(`${userId}: ${key} is there ${count} times`);
  }
  if (there.length !== planned.length) problems.push(`${userId}: ${there.length} doses of ${planned.length}`);
  const now = livesNow();
  for (const dose of doses.filter(({ status, dueDate }) => status === 'pending' && dueDate > now)) {
    const due = occurrenceOf(schedule, keyOfDose(dose))?.dueDate.toISOString();
    if (due !== dose.dueDate.toISOString())
      problems.push(`${dose.id}: due ${dose.dueDate.toISOString()}, planned ${due ?? 'never'}`);
  }
  const taken = doses.filter(({ status }) => status === 'taken').length;
  if (Number(vial.remaining) !== 100 - taken * 0.25)
    problems.push(`${userId}: ${taken} taken, ${vial.remaining} mg left`);
  return problems;
}

async function leftToDo(): Promise<number> {
  // What is leased by a worker that was killed is not due yet, and not done either.
  const later = new Date(livesNow().getTime() + 86_400_000);
  const waiting = await Promise.all(
    [database.repos.deliveries, database.repos.webhookDeliveries].map((outbox) => outbox.backlog(later)),
  );
  return waiting.reduce((sum, one) => sum + one.waiting, 0);
}

/** Pause between two looks at what is left, in ms. */
const LOOKS_APART_MS = 1_000;

/** Looks until nothing is left to do, or so many times. Reports what is left, and problems with the doses. */
async function tally(): Promise<void> {
  let left = await leftToDo();
  for (let looks = 1; looks < Number(amount) && left > 0; looks += 1) {
    await new Promise((next) => setTimeout(next, LOOKS_APART_MS));
    left = await leftToDo();
  }
  const problems = (await Promise.all((await accounts()).map(({ id }) => problemsOf(id)))).flat();
  process.stdout.write(`${JSON.stringify({ left, problems })}\n`);
}

const roles: Record<string, () => Promise<void>> = { prepare, work, inspect, settle, live, tally };
await roles[role]?.();
await database.close();
