import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Log } from '#app/domain/log.ts';
import { MailError, toSendable, type Mailer } from './message.server.ts';

interface FolderOptions {
  dataDir: string;
  from: string;
  log: Log;
}

/** Sorts by time, and no two are the same. */
function fileName(now: Date): string {
  return `${now.toISOString().replace(/[-:]/g, '')}-${randomBytes(4).toString('hex')}.eml`;
}

/** Longer than the headers of any mail that is written here. */
const HEADER_BYTES = 8192;

/** Whom the mail in a file is to; null when it is gone. */
async function readerOf(file: string): Promise<string | null> {
  const handle = await open(file).catch(() => null);
  if (handle === null) return null;
  try {
    const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(HEADER_BYTES) });
    const [headers = ''] = buffer.toString('utf8', 0, bytesRead).split('\r\n\r\n', 1);
    return /^To:\s*<?([^\s<>]+)>?\s*$/im.exec(headers)?.[1] ?? null;
  } finally {
    await handle.close();
  }
}

/**
 * Writes each mail as a file, for a server without SMTP. Mails hold links that sign in: nobody but the owner of the
 * data directory may read them.
 */
export function mailFolder({ dataDir, from, log }: FolderOptions): Mailer {
  const folder = path.resolve(dataDir, 'mail');
  return {
    async send(message) {
      if (message.isFarewell) return;
      const sendable = toSendable(message, from);
      const { createTransport } = await import('nodemailer');
      const info = await createTransport({
        streamTransport: true,
        buffer: true,
        newline: 'windows',
      }).sendMail(sendable);
      const file = path.join(folder, fileName(new Date()));
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await writeFile(file, info.message, { mode: 0o600, flag: 'wx' });
      } catch (error) {
        const reason = (error as NodeJS.ErrnoException).code ?? 'unknown';
        throw new MailError(`The mail could not be written to ${folder} (${reason}).`, true);
      }
      log.info({ path: file }, 'mail written to a file, because SMTP_URL is not set');
    },

    async forget(address) {
      const names = await readdir(folder).catch(() => []);
      for (const name of names.filter((each) => each.endsWith('.eml'))) {
        const file = path.join(folder, name);
        const reader = await readerOf(file);
        if (reader?.toLowerCase() === address.toLowerCase()) await rm(file, { force: true });
      }
    },
  };
}
