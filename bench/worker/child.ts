// What the processes of the worker's benchmark and of its kill rounds do: one prepares doses that are due, others work
// until they are stopped, one looks at what came of it. Run by rounds.mjs, bundled.
import { SILENT_LOG } from '#app/domain/log.ts';
import { parseSettings } from '#app/domain/settings/settings.ts';
import { createPushSender } from '#app/integrations/push.server.ts';
import { createRemoteTexts } from '#app/integrations/remote-text.server.ts';
import { openPayments } from '#app/integrations/payments.server.ts';
import { register } from '#app/features/accounts/registration.server.ts';
import { contextFactory, type Actor, type Ctx } from '#app/platform/access/context.server.ts';
import { deliverReminders } from '#app/features/reminders/deliveries.server.ts';
import { remindOfDoses } from '#app/features/reminders/dose-reminders.server.ts';
import { createMailQueue } from '#app/platform/mail/mail-queue.server.ts';
import { subscribeBrowser } from '#app/features/reminders/push-subscriptions.server.ts';
import { resolveSession } from '#app/features/accounts/sessions.server.ts';
import { createServerControl } from '#app/platform/process-control.server.ts';
import { loadVapidKeys } from '#app/platform/secrets/vapid-keys.server.ts';
import { WORKER } from '#app/server/worker.server.ts';
import { openDatabase } from '#models/index.server.ts';
import { pendingDose } from '#tests/support/pending-doses.ts';
import { newBrowser } from '#tests/support/push-host.ts';
import { registration } from '#tests/support/people.ts';

/** Doses of one account; a person has a handful a day. */
const DOSES_EACH = 50;

const [role = '', dir = '', port = '', amount = '0', leaseMs = '60000'] = process.argv.slice(2);
const settings = parseSettings({ DATA_DIR: dir, RATE_LIMIT_FACTOR: '100000' });
const database = await openDatabase(settings, SILENT_LOG);
const server = createServerControl(database, settings);
const noMail = { send: () => Promise.resolve(), forget: () => Promise.resolve() };
const contextFor = contextFactory({
  repos: database.repos,
  settings,
  log: SILENT_LOG,
  secret: 'a secret that only the benchmark uses',
  mailQueue: createMailQueue(noMail, SILENT_LOG),
  mailer: noMail,
  payments: openPayments(settings, { log: SILENT_LOG, deliver: () => Promise.resolve(undefined as never) }),
  remoteTexts: createRemoteTexts(),
  server,
  push: createPushSender({
    keys: () => loadVapidKeys(settings),
    subject: 'mailto:bench@example.org',
    // The push service of the benchmark is this machine's own.
    rule: { protocols: ['http:'], isAllowed: (address) => address === '127.0.0.1' },
  }),
});
const ctxOf = (actor: Actor): Ctx => contextFor({ actor, client: WORKER.client });

async function somebody(name: string): Promise<string> {
  const visitor = ctxOf({ kind: 'visitor' });
  const { token, user } = await register(visitor, registration(`${name}@example.org`, { plan: 'trial' }));
  const session = await resolveSession(visitor, token);
  if (session === null) throw new Error('no session');
  await subscribeBrowser(ctxOf(session.actor), newBrowser().target(`http://127.0.0.1:${port}/${name}`));
  return user.id;
}

async function prepare(): Promise<void> {
  const dueDate = new Date();
  for (let made = 0; made < Number(amount); made += DOSES_EACH) {
    const userId = await somebody(`person-${process.pid}-${made}`);
    const count = Math.min(DOSES_EACH, Number(amount) - made);
    const doses = Array.from({ length: count }, (_, index) =>
      pendingDose(`dose_${userId}_${index}`, dueDate),
    );
    await database.repos.doses.createMany(userId, doses);
  }
}

/** Works until it is told to stop. */
async function work(): Promise<void> {
  const stopping = new AbortController();
  process.once('SIGTERM', () => stopping.abort());
  process.stdout.write('ready\n');
  await new Promise((resolve) => process.stdin.once('data', resolve));
  process.stdin.destroy();
  const ctx = ctxOf(WORKER.actor);
  const lease = { leaseMs: Number(leaseMs) };
  while (!stopping.signal.aborted) {
    await remindOfDoses(ctx, stopping.signal, lease);
    await deliverReminders(ctx, stopping.signal, lease);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** How much is left to do, and how often what was made. */
async function inspect(): Promise<void> {
  const now = new Date();
  // What is leased by a worker that was killed is not due yet, and not done either.
  const later = new Date(now.getTime() + 3_600_000);
  const deliveries = await database.repos.deliveries.backlog(later);
  const reminders = await database.repos.doseReminding.backlog(now);
  process.stdout.write(`${JSON.stringify({ left: deliveries.waiting + reminders.waiting })}\n`);
}

const roles: Record<string, () => Promise<void>> = { prepare, work, inspect };
await roles[role]?.();
await database.close();
