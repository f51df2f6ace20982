import type { SendMailOptions } from 'nodemailer';

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
export function toSendable(message: MailMessage, from: string): SendMailOptions {
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
