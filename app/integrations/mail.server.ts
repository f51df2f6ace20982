import type { Log } from '#app/domain/log.ts';
import type { Settings } from '#app/domain/settings/settings.ts';
import { mailFolder } from './mail/folder.server.ts';
import type { Mailer } from './mail/message.server.ts';
import { smtpServer } from './mail/smtp.server.ts';

/**
 * Sends mails by the server that `SMTP_URL` names; without one each is written as an .eml file into `DATA_DIR/mail`
 * and its path is logged. Nothing is opened before the first mail.
 */
export function createMailer(
  settings: Pick<Settings, 'SMTP_URL' | 'MAIL_FROM' | 'DATA_DIR' | 'APP_URL'>,
  log: Log,
): Mailer {
  const from = settings.MAIL_FROM ?? `Vialbook <support@${new URL(settings.APP_URL).hostname}>`;
  if (settings.SMTP_URL === undefined) return mailFolder({ dataDir: settings.DATA_DIR, from, log });
  return smtpServer({ url: settings.SMTP_URL, from, log });
}

export { MailError, type Mailer, type MailMessage } from './mail/message.server.ts';
