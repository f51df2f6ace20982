import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { SendMailOptions, NodemailerError, Transporter } from 'nodemailer';
import type { Log } from '#app/domain/log.ts';
import { isLoopbackHost, type Settings } from '#app/domain/settings/settings.ts';

/** One mail to one reader. */
export interface MailMessage {
  /** A single address, without a name. */
  to: string;
  subject: string;
  text: string;
  html: string;
  /** With angle brackets. The same for a mail that is sent again, so that it replaces the first. */
  messageId?: string;
  /** The last one to an address that is forgotten: sent, but never kept as a file. */
  isFarewell?: true;
}

/** Sends mails. */
export interface Mailer {
  /** @throws MailError when the message was not taken; `temporary` says whether to try again */
  send(message: MailMessage): Promise<void>;
  /** Removes every mail to an address that is kept here. Where mails are sent, none is. */
  forget(address: string): Promise<void>;
}

/** A mail that was not taken. Names neither the reader nor the server's credentials, so that it may be logged. */
export class MailError extends Error {
  /** True when a later attempt can work. */
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
 * The message as nodemailer takes it. An address that could name a second reader or begin a header of its own is
 * refused here, whatever was checked before: this is the last door.
 * @throws MailError, not temporary
 */
function toSendable(message: MailMessage, from: string): SendMailOptions {
  const { to, subject, text, html, messageId } = message;
  if (to.length > LONGEST_ADDRESS || !ADDRESS.test(to))
    throw new MailError('This is no address to write to.', false);
  if (messageId !== undefined && !MESSAGE_ID.test(messageId))
    throw new MailError('This is no message id.', false);
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
  /** Longest time for one mail, in milliseconds. */
  timeoutMs?: number;
}

/** Parameters that would print the conversation, credentials included. */
const TALKATIVE = ['logger', 'debug', 'transactionLog'];

/** The server's address, without what would leak its password: to the terminal, or over an open wire. */
function safeUrl(text: string): string {
  const url = new URL(text);
  for (const name of TALKATIVE) url.searchParams.delete(name);
  const openWire = url.protocol === 'smtp:' && url.password !== '' && !isLoopbackHost(url.hostname);
  if (openWire && !url.searchParams.has('requireTLS')) url.searchParams.set('requireTLS', 'true');
  return url.href;
}

/** Refused for good: the server has read the message or its receiver and does not want it. */
function isFinal({ code, responseCode }: NodemailerError): boolean {
  return (code === 'EENVELOPE' || code === 'EMESSAGE') && (responseCode ?? 0) >= 500;
}

/** What may be told of a failure: the codes, not the server's words, which repeat addresses. */
function toMailError(error: unknown): MailError {
  const failure = error as NodemailerError;
  const codes = [failure.code, failure.responseCode].filter((code) => code !== undefined);
  return new MailError(
    `The mail server did not take the message (${codes.join(' ') || 'unknown'}).`,
    !isFinal(failure),
  );
}

/** Sends each mail by an SMTP server, on a connection of its own, and gives up in time. */
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
        // The limits above are for each silence; this one is for a server that answers a word at a time.
        const info = await transport.sendMail({ ...sendable, signal: AbortSignal.timeout(timeoutMs) });
        log.debug({ messageId: info.messageId }, 'mail sent');
      } catch (error) {
        throw toMailError(error);
      }
    },
  };
}

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
