import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
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

/**
 * Writes each mail as a file, for a server without SMTP. Mails hold links that sign in: nobody but the owner of the
 * data directory may read them.
 */
export function mailFolder({ dataDir, from, log }: FolderOptions): Mailer {
  const folder = path.resolve(dataDir, 'mail');
  return {
    async send(message) {
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
  };
}
