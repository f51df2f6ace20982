import type { Logger } from 'pino';
import type { Settings } from '#app/domain/settings/index.ts';
import { createMailer } from '#app/integrations/mail.server.ts';
import { contextFactory, type Caller } from '#app/services/context.server.ts';
import { createPostbox, type Postbox } from '#app/services/postbox.server.ts';
import { startHousekeeping } from '#app/services/housekeeping.server.ts';
import { loadSessionSecret } from '#app/services/session-secret.server.ts';
import { openDatabase, type Database } from '#models/index.server.ts';
import { setCurrentApp } from './current-app.server.ts';
import { setCurrentLog } from './current-log.server.ts';

let database: Database | undefined;
let postbox: Postbox | undefined;
let stopHousekeeping: (() => void) | undefined;

/** Who does what is due without anybody asking. */
const HOUSEKEEPER: Caller = {
  actor: { kind: 'cli', osUser: 'housekeeping' },
  client: { address: 'this server', userAgent: null },
};

/** Opens the database and composes what every request is given. The one place where models and services meet. */
export async function boot(settings: Settings, log: Logger): Promise<void> {
  setCurrentLog(log);
  database = await openDatabase(settings, log);
  const sessionSecret = await loadSessionSecret(settings);
  postbox = createPostbox(createMailer(settings, log), log);
  const contextFor = contextFactory({ repos: database.repos, settings, log, secret: sessionSecret, postbox });
  stopHousekeeping = startHousekeeping(contextFor(HOUSEKEEPER));
  const { ping } = database;
  setCurrentApp({ settings, sessionSecret, contextFor, ping });
}

/** Sends what is on its way and closes the database. Called once, when no request runs any more. */
export async function shutdown(): Promise<void> {
  setCurrentApp(undefined);
  stopHousekeeping?.();
  await postbox?.close();
  await database?.close();
  database = undefined;
}
