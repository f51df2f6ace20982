import type { Logger } from 'pino';
import { settingWarnings, type Settings } from '#app/domain/settings/settings.ts';
import { createMailer } from '#app/integrations/mail.server.ts';
import { createRemoteTexts } from '#app/integrations/remote-text.server.ts';
import { createOutgoingPosts } from '#app/integrations/outgoing.server.ts';
import { openPayments } from '#app/integrations/payments.server.ts';
import { deliverHere } from '#app/features/billing/index.server.ts';
import { contextFactory, type Caller, type Ctx } from '#app/platform/access/context.server.ts';
import { processMetrics, type AnsweredRequest } from '#app/platform/metrics/process-metrics.server.ts';
import { createMailQueue, type MailQueue } from '#app/platform/mail/mail-queue.server.ts';
import { loadSessionSecret, pushSenderOf } from '#app/platform/secrets/server-secrets.server.ts';
import { startKeepingLog, setCurrentLog } from '#app/platform/log/log.server.ts';
import {
  createServerControl,
  warnAboutRoot,
  type ServerControl,
} from '#app/platform/process-control.server.ts';
import { superviseWorker, jobsOf, WORKER, type Worker } from './worker.server.ts';
import { openDatabaseWaiting, type Database, type EmbeddedEngine } from '#models/index.server.ts';
import { resolveApiToken, resolveSession, warmPasswords } from '#app/features/accounts/index.server.ts';
import { setCurrentApp } from '#app/platform/http/session.server.ts';

let database: Database | undefined;
let mailQueue: MailQueue | undefined;
let worker: Worker | undefined;
let server: ServerControl | undefined;
let keptLog: ReturnType<typeof startKeepingLog> | undefined;

/** The caller that delivers the events of the billing test mode. */
const TEST_STRIPE: Caller = {
  actor: { kind: 'visitor' },
  client: { address: 'this server', userAgent: null },
};

/**
 * Opens the database and composes what every request needs. The only place where models and services meet.
 * @param engine the embedded engine, if already started
 */
export async function boot(settings: Settings, log: Logger, engine?: Promise<EmbeddedEngine>): Promise<void> {
  setCurrentLog(log);
  for (const doubt of settingWarnings(settings)) log.warn(doubt);
  warnAboutRoot(log);
  const warmed = warmPasswords();
  processMetrics();
  database = await openDatabaseWaiting(settings, log, { engine });
  server = createServerControl(database, settings);
  server.start('server');
  keptLog = startKeepingLog(database.repos);
  const sessionSecret = await loadSessionSecret(settings);
  const payments = openPayments(settings, { log, deliver: deliverHere(() => contextFor(TEST_STRIPE)) });
  const mailer = createMailer(settings, log);
  mailQueue = createMailQueue({
    mails: database.repos.mails,
    mailer,
    log,
    secret: () => sessionSecret,
    appUrl: settings.APP_URL,
    now: () => new Date(),
  });
  const contextFor: (caller: Caller) => Ctx = contextFactory({
    repos: database.repos,
    transaction: database.transaction,
    settings,
    log,
    secret: sessionSecret,
    mailQueue,
    payments,
    remoteTexts: createRemoteTexts(),
    outgoing: createOutgoingPosts(),
    mailer,
    push: pushSenderOf(settings),
    server,
  });
  if (settings.WORKER === 'on') worker = superviseWorker(contextFor(WORKER), jobsOf(settings));
  await warmed;
  const withoutPayments = openPayments({ ...settings, BILLING: 'off' }, { log });
  const { ping } = database;
  setCurrentApp({
    settings,
    sessionSecret,
    contextFor,
    withoutPayments,
    ping,
    findBySession: resolveSession,
    findByApiToken: resolveApiToken,
  });
}

/** Called by the server entry for each response. */
export function answered(request: AnsweredRequest): void {
  processMetrics().answered(request);
}

/** Sends pending mails and closes the database. Called once, after the last request has ended. */
export async function shutdown(): Promise<void> {
  setCurrentApp(undefined);
  await worker?.stop();
  await mailQueue?.close();
  await server?.stop();
  await keptLog?.stop();
  await database?.close();
  database = undefined;
}
