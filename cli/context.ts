import { randomUUID } from 'node:crypto';
import { access } from 'node:fs/promises';
import { userInfo } from 'node:os';
import path from 'node:path';
import { AppError } from '#app/domain/errors.ts';
import { SILENT_LOG, type Log } from '#app/domain/log.ts';
import { parseSettings } from '#app/domain/settings/settings.ts';
import { createMailer } from '#app/integrations/mail.server.ts';
import { createRemoteTexts } from '#app/integrations/remote-text.server.ts';
import { createOutgoingPosts } from '#app/integrations/outgoing.server.ts';
import { openPayments } from '#app/integrations/payments.server.ts';
import { deliverHere } from '#app/features/billing/index.server.ts';
import { contextFactory, type Ctx } from '#app/platform/access/context.server.ts';
import { createServerControl } from '#app/platform/process-control.server.ts';
import { createMailQueue } from '#app/platform/mail/mail-queue.server.ts';
import { loadSessionSecret, pushSenderOf } from '#app/platform/secrets/server-secrets.server.ts';
import { openDatabase, openDatabaseWaiting } from '#models/index.server.ts';
import type { Io } from './io.ts';

/** Errors only: everything else is reported by the commands themselves. */
function stderrLog(io: Io): Log {
  const tell = (facts: object, message: string) => {
    const reason = 'err' in facts && facts.err instanceof Error ? `: ${facts.err.message}` : '';
    io.stderr.write(`vialbook: ${message}${reason}\n`);
  };
  return { ...SILENT_LOG, error: tell };
}

interface ContextOptions {
  waits?: boolean;
  log?: Log;
  migrates?: boolean;
  opensSecrets?: boolean;
  creates?: boolean;
}

/**
 * The data directory's absolute path. A command run in the wrong folder must not create an empty directory and find
 * nothing in it.
 * @throws AppError NOT_FOUND when there is none
 */
export async function requireDataDirectory(directory: string): Promise<string> {
  const dir = path.resolve(directory);
  await access(dir).catch((error: unknown) => {
    throw new AppError(
      'NOT_FOUND',
      `There is no data directory at "${dir}". Set DATA_DIR to the correct path.`,
      { cause: error },
    );
  });
  return dir;
}

/**
 * Runs a command with an open database and the terminal user as its actor, then always closes the database.
 * @param options `waits`: start even if the deployment doesn't answer yet, for long-running commands; `log`: replaces the
 * log that writes errors to stderr; `migrates: false`: leave data of an older version as they are; `creates`: create a
 * missing data directory; `opensSecrets`: load the server's secret, to read what is stored sealed
 * @throws AppError INVALID_INPUT for a wrong setting, NOT_FOUND without a data directory, DATABASE_UNAVAILABLE, and what
 * `work` throws
 */
export async function withContext<T>(
  io: Io,
  work: (ctx: Ctx) => Promise<T>,
  {
    waits = false,
    log = stderrLog(io),
    migrates = true,
    creates = waits,
    opensSecrets = false,
  }: ContextOptions = {},
): Promise<T> {
  const settings = parseSettings(io.env);
  if (!creates && settings.MONGODB_URI === undefined) await requireDataDirectory(settings.DATA_DIR);
  const database = await (waits
    ? openDatabaseWaiting(settings, log)
    : openDatabase(settings, log, { migrates }));
  const mailer = createMailer(settings, log);
  const mailQueue = createMailQueue({
    mails: database.repos.mails,
    mailer,
    log,
    // Read when there is a mail to store: the server opens what a command leaves behind.
    secret: () => loadSessionSecret(settings),
    appUrl: settings.APP_URL,
    now: () => new Date(),
  });
  try {
    const payments = openPayments(settings, { log, deliver: deliverHere(() => ctx) });
    const push = pushSenderOf(settings);
    const outgoing = createOutgoingPosts();
    const services = { mailQueue, payments, remoteTexts: createRemoteTexts(), outgoing, mailer, push };
    const server = createServerControl(database, settings);
    // Most commands sign no cookies and open nothing that is sealed.
    const secret = opensSecrets ? await loadSessionSecret(settings) : randomUUID();
    const { repos, transaction } = database;
    const resources = { repos, transaction, settings, log, secret, server, ...services };
    const actor = { kind: 'cli', osUser: userInfo().username } as const;
    const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    const client = { address: 'terminal', userAgent: null };
    const ctx: Ctx = contextFactory(resources)({ actor, client, timeZone });
    return await work(ctx);
  } finally {
    await mailQueue.close();
    await database.close();
  }
}
