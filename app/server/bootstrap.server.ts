import type { Logger } from 'pino';
import { settingWarnings, type Settings } from '#app/domain/settings/settings.ts';
import { openPayments } from '#app/integrations/payments.server.ts';
import { processMetrics, type AnsweredRequest } from '#app/platform/metrics/process-metrics.server.ts';
import { withSpans } from '#app/platform/telemetry/spans.server.ts';
import { startTelemetry, type Telemetry } from '#app/platform/telemetry/telemetry.server.ts';
import { loadSessionSecret } from '#app/platform/secrets/server-secrets.server.ts';
import { startKeepingLog, setCurrentLog } from '#app/platform/log/log.server.ts';
import { warnAboutRoot } from '#app/platform/process-control.server.ts';
import { serveLocally } from '#app/platform/local/local-answers.server.ts';
import { compose, type Composition } from './composition.server.ts';
import { OPERATIONS } from './operations.server.ts';
import { localAnswers } from './local-answers.server.ts';
import { superviseWorker, jobsOf, WORKER, type Worker } from './worker.server.ts';
import { openDatabaseWaiting, type Database, type EmbeddedEngine } from '#models/index.server.ts';
import {
  resolveApiToken,
  resolveConnection,
  resolveSession,
  warmPasswords,
} from '#app/features/accounts/index.server.ts';
import { setCurrentApp } from '#app/platform/http/session.server.ts';

let database: Database | undefined;
let worker: Worker | undefined;
let composition: Composition | undefined;
let telemetry: Telemetry | undefined;
let stopLocalAnswers: (() => Promise<void>) | undefined;
let keptLog: ReturnType<typeof startKeepingLog> | undefined;

/**
 * Opens the database and puts together what every request needs.
 * @param engine the embedded engine, if already started
 */
export async function boot(settings: Settings, log: Logger, engine?: Promise<EmbeddedEngine>): Promise<void> {
  setCurrentLog(log);
  for (const doubt of settingWarnings(settings)) log.warn(doubt);
  warnAboutRoot(log);
  const warmed = warmPasswords();
  telemetry = await startTelemetry('server', process.env, { log, process: processMetrics() });
  const opened = await openDatabaseWaiting(settings, log, { engine });
  database = telemetry.hasTraces ? { ...opened, repos: withSpans(opened.repos) } : opened;
  keptLog = startKeepingLog(database.repos);
  const sessionSecret = await loadSessionSecret(settings);
  composition = compose({ settings, log, database, secret: sessionSecret });
  const { contextFor, server } = composition;
  server.start('server');
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
    findByConnection: resolveConnection,
  });
  stopLocalAnswers = await serveLocally(settings, localAnswers(composition));
}

export const apiPaths: readonly string[] = OPERATIONS.map(({ path }) => path);

/** Called by the server entry for each response. */
export function answered(request: AnsweredRequest): void {
  processMetrics().answered(request);
}

/** Sends pending mails and closes the database. Called once, after the last request has ended. */
export async function shutdown(): Promise<void> {
  setCurrentApp(undefined);
  await stopLocalAnswers?.();
  await worker?.stop();
  await composition?.mailQueue.close();
  await composition?.server.stop();
  await keptLog?.stop();
  await database?.close();
  database = undefined;
  await telemetry?.stop();
}
