import type { NodemailerError, Transporter } from 'nodemailer';
import type { Log } from '#app/domain/log.ts';
import { isLoopbackHost } from '#app/domain/settings/settings.ts';
import { MailError, toSendable, type Mailer } from './message.server.ts';

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
