import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { SendMailOptions, NodemailerError, Transporter } from 'nodemailer';
import type { Log } from '#app/domain/log.ts';
import { isLoopbackHost, type Settings } from '#app/domain/settings/settings.ts';

/** One mail to one recipient. */
export interface MailMessage {
  /** A single address, without a name. */
  to: string;
  subject: string;
  text: string;
  html: string;
  /** With angle brackets. A mail that is sent again has the same id, so that it replaces the first. */
  messageId?: string;
  /** The last mail to an address that is being forgotten: sent, but never stored as a file. */
  isFarewell?: true;
}

export interface Mailer {
  /** @throws MailError when the message was not accepted; `temporary` says whether to retry */
  send(message: MailMessage): Promise<void>;
  /** Removes every stored mail to an address. With SMTP, no mails are stored. */
  forget(address: string): Promise<void>;
}

/** A mail that was not accepted. Names neither the recipient nor the server's credentials, so that it may be logged. */
export class MailError extends Error {
  /** True if a later attempt can succeed. */
  readonly temporary: boolean;

  constructor(message: string, temporary: boolean) {
    super(message);
    this.name = 'MailError';
    this.temporary = temporary;
  }
}

/** Longest address that mail can carry (RFC 5321, section 4.5.3.1.3). */
const LONGEST_ADDRESS = 254;

const ADDRESS = /^[^\s@<>"(),:;\\[\]\p{Cc}]+@[^\s@<>"(),:;\\[\]\p{Cc}]+$/u;
const MESSAGE_ID = /^<[^\s@<>\p{Cc}]+@[^\s@<>\p{Cc}]+>$/u;

/**
 * The message in nodemailer's form. The final check rejects an address that could add a second recipient or inject a
 * header, whatever was checked before.
 * @throws MailError, not temporary
 */
function toSendable(message: MailMessage, from: string): SendMailOptions {
  const { to, subject, text, html, messageId } = message;
  if (to.length > LONGEST_ADDRESS || !ADDRESS.test(to))
    throw new MailError('This is not a valid mail address.', false);
  if (messageId !== undefined && !MESSAGE_ID.test(messageId))
    throw new MailError('This is not a valid message id.', false);
  return {
    from,
    to: { name: '', address: to },
    subject: subject.replace(/\p{Cc}+/gu, ' '),
    text,
    html,
    ...(messageId === undefined ? {} : { messageId }),
    // Keeps vacation replies away (RFC 3834).
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

interface FolderOptions {
  dataDir: string;
  from: string;
  log: Log;
}

/** Names sort by time and are unique. */
function fileName(now: Date): string {
  return `${now.toISOString().replace(/[-:]/g, '')}-${randomBytes(4).toString('hex')}.eml`;
}

/** More than the headers of any mail written here. */
const HEADER_BYTES = 8192;

/** The recipient of the mail in a file; null if the file is gone. */
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
 * Writes each mail to a file, for a server without SMTP. Mails contain sign-in links, so only the owner of the data
 * directory may read them.
 */
function mailFolder({ dataDir, from, log }: FolderOptions): Mailer {
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

interface SmtpOptions {
  url: string;
  from: string;
  log: Log;
  /** Time limit for one mail, in milliseconds. */
  timeoutMs?: number;
}

/** Parameters that would print the conversation, including credentials. */
const TALKATIVE = ['logger', 'debug', 'transactionLog'];

/** The server's address, made safe against leaking its password in logs or over an unencrypted connection. */
function safeUrl(text: string): string {
  const url = new URL(text);
  for (const name of TALKATIVE) url.searchParams.delete(name);
  const openWire = url.protocol === 'smtp:' && url.password !== '' && !isLoopbackHost(url.hostname);
  if (openWire && !url.searchParams.has('requireTLS')) url.searchParams.set('requireTLS', 'true');
  return url.href;
}

/** True if the server permanently rejected the message or its recipient. */
function isFinal({ code, responseCode }: NodemailerError): boolean {
  return (code === 'EENVELOPE' || code === 'EMESSAGE') && (responseCode ?? 0) >= 500;
}

/** Includes only the failure's codes, because the server's message repeats addresses. */
function toMailError(error: unknown): MailError {
  const failure = error as NodemailerError;
  const codes = [failure.code, failure.responseCode].filter((code) => code !== undefined);
  return new MailError(
    `The mail server did not accept the message (${codes.join(' ') || 'unknown'}).`,
    !isFinal(failure),
  );
}

/** Sends each mail through an SMTP server, on its own connection and with a time limit. */
export function smtpServer({ url, from, log, timeoutMs = 30_000 }: SmtpOptions): Mailer {
  let opening: Promise<Transporter> | undefined;
  const open = async (): Promise<Transporter> => {
    const { createTransport } = await import('nodemailer');
    return createTransport({
      url: safeUrl(url),
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      socketTimeout: timeoutMs,
      dnsTimeout: timeoutMs,
    });
  };
  return {
    forget: () => Promise.resolve(),

    async send(message) {
      const sendable = toSendable(message, from);
      const transport = await (opening ??= open());
      try {
        // The limits above apply to each pause; this one covers a server that keeps answering slowly.
        const info = await transport.sendMail({ ...sendable, signal: AbortSignal.timeout(timeoutMs) });
        log.debug({ messageId: info.messageId }, 'mail sent');
      } catch (error) {
        throw toMailError(error);
      }
    },
  };
}

/**
 * Sends mails through the server at `SMTP_URL`. Without one, each mail is written to an .eml file in `DATA_DIR/mail` and its
 * path is logged. Nothing is opened before the first mail.
 */
export function createMailer(
  settings: Pick<Settings, 'SMTP_URL' | 'MAIL_FROM' | 'DATA_DIR' | 'APP_URL'>,
  log: Log,
): Mailer {
  const from = settings.MAIL_FROM ?? `Vialbook <support@${new URL(settings.APP_URL).hostname}>`;
  if (settings.SMTP_URL === undefined) return mailFolder({ dataDir: settings.DATA_DIR, from, log });
  return smtpServer({ url: settings.SMTP_URL, from, log });
}
