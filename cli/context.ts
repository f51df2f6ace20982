import { randomUUID } from 'node:crypto';
import { access } from 'node:fs/promises';
import { userInfo } from 'node:os';
import path from 'node:path';
import { AppError } from '#app/domain/errors.ts';
import { SILENT_LOG, type Log } from '#app/domain/log.ts';
import { parseSettings } from '#app/domain/settings/settings.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { loadSessionSecret } from '#app/platform/secrets/server-secrets.server.ts';
import { compose } from '#app/server/composition.server.ts';
import { openDatabase, openDatabaseWaiting, type Repositories } from '#models/index.server.ts';
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
  wraps?: (repos: Repositories) => Repositories;
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
 * missing data directory; `opensSecrets`: load the server's secret, to read what is stored sealed; `wraps`: sees every call to a repository
 * @throws AppError INVALID_INPUT for a wrong setting, or when the command was to work on a server; NOT_FOUND without a data directory, DATABASE_UNAVAILABLE, and what
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
    wraps = (repos) => repos,
  }: ContextOptions = {},
): Promise<T> {
  if (io.login)
    throw new AppError(
      'INVALID_INPUT',
      `You are logged in to ${io.login.url}, and this works only where the data are. Set DATA_DIR or MONGODB_URI there, or use the server’s pages.`,
    );
  const settings = parseSettings(io.env);
  if (!creates && settings.MONGODB_URI === undefined) await requireDataDirectory(settings.DATA_DIR);
  const opened = await (waits
    ? openDatabaseWaiting(settings, log)
    : openDatabase(settings, log, { migrates }));
  const database = { ...opened, repos: wraps(opened.repos) };
  // Most commands sign no cookies and open nothing that is sealed.
  const secret = opensSecrets ? await loadSessionSecret(settings) : randomUUID();
  // Read when there is a mail to store: the server opens what a command leaves behind.
  const mailSecret = () => loadSessionSecret(settings);
  const { contextFor, mailQueue } = compose({ settings, log, database, secret, mailSecret });
  try {
    const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    const ctx = contextFor({
      actor: { kind: 'cli', osUser: userInfo().username },
      client: { address: 'terminal', userAgent: null },
      timeZone,
    });
    return await work(ctx);
  } finally {
    await mailQueue.close();
    await database.close();
  }
}
