import type { Logger } from 'pino';
import type { Settings } from '#app/domain/settings/index.ts';
import { contextFactory } from '#app/services/context.server.ts';
import { loadSessionSecret } from '#app/services/session-secret.server.ts';
import { openDatabase, type Database } from '#models/index.server.ts';
import { setCurrentApp } from './current-app.server.ts';
import { setCurrentLog } from './current-log.server.ts';

let database: Database | undefined;

/** Opens the database and composes what every request is given. The one place where models and services meet. */
export async function boot(settings: Settings, log: Logger): Promise<void> {
  setCurrentLog(log);
  database = await openDatabase(settings, log);
  const sessionSecret = await loadSessionSecret(settings);
  const contextFor = contextFactory({ repos: database.repos, settings, log, secret: sessionSecret });
  const { ping } = database;
  setCurrentApp({ settings, sessionSecret, contextFor, ping });
}

/** Closes the database. Called once, when no request runs any more. */
export async function shutdown(): Promise<void> {
  setCurrentApp(undefined);
  await database?.close();
  database = undefined;
}
