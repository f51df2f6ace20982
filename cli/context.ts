import { randomUUID } from 'node:crypto';
import { userInfo } from 'node:os';
import { SILENT_LOG, type Log } from '#app/domain/log.ts';
import { parseSettings } from '#app/domain/settings/index.ts';
import { createMailer } from '#app/integrations/mail.server.ts';
import { contextFactory, type Ctx } from '#app/services/context.server.ts';
import { createPostbox } from '#app/services/postbox.server.ts';
import { openDatabase } from '#models/index.server.ts';
import type { Io } from './io.ts';

/** Only what a person at the terminal should know of: the commands tell the rest themselves. */
function stderrLog(io: Io): Log {
  const tell = (facts: object, message: string) => {
    const reason = 'err' in facts && facts.err instanceof Error ? `: ${facts.err.message}` : '';
    io.stderr.write(`vialbook: ${message}${reason}\n`);
  };
  return { ...SILENT_LOG, error: tell };
}

/**
 * Runs a command with the database open and whoever sits at the terminal as its actor, and closes it in any case.
 * @throws AppError INVALID_INPUT for a wrong setting, DATABASE_UNAVAILABLE, and what `work` throws
 */
export async function withContext<T>(io: Io, work: (ctx: Ctx) => Promise<T>): Promise<T> {
  const settings = parseSettings(io.env);
  const log = stderrLog(io);
  const database = await openDatabase(settings, log);
  const postbox = createPostbox(createMailer(settings, log), log);
  try {
    // Nothing that a browser keeps is signed here.
    const resources = { repos: database.repos, settings, log, secret: randomUUID(), postbox };
    const contextFor = contextFactory(resources);
    const actor = { kind: 'cli', osUser: userInfo().username } as const;
    const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    return await work(contextFor({ actor, client: { address: 'terminal', userAgent: null }, timeZone }));
  } finally {
    await postbox.close();
    await database.close();
  }
}
