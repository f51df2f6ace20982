import { isDemoAddress } from '#app/domain/accounts/account.ts';
import type { Log } from '#app/domain/log.ts';
import type { MailText } from '#app/domain/mail/letter.ts';
import { MailError, type Mailer, type MailMessage } from '#app/integrations/mail.server.ts';

/** Sends mails in the background. */
export interface MailQueue {
  /**
   * Queues a mail; sends none to demo accounts. Never fails: a mail that cannot be sent is retried twice, then logged without
   * its contents.
   */
  post(to: string, text: MailText & Pick<MailMessage, 'isFarewell'>): void;
  /** Stops retrying and resolves when no mail is being sent any more. */
  close(): Promise<void>;
}

/** Milliseconds before the second and the third attempt. */
const PAUSES = [2_000, 20_000];

/**
 * A queue in front of a mailer. Sending a mail must not delay the response, since the time of a password reset would reveal
 * who has an account.
 */
export function createMailQueue(
  mailer: Pick<Mailer, 'send'>,
  log: Log,
  pauses: readonly number[] = PAUSES,
): MailQueue {
  const running = new Set<Promise<void>>();
  const ending = new AbortController();

  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      const stop = () => {
        clearTimeout(timer);
        resolve();
      };
      if (ending.signal.aborted) stop();
      else ending.signal.addEventListener('abort', stop, { once: true });
    });

  async function send(to: string, text: Parameters<MailQueue['post']>[1], attempt = 0): Promise<void> {
    try {
      await mailer.send({ to, ...text });
    } catch (error) {
      const wait = pauses[attempt];
      const hopeless = error instanceof MailError && !error.temporary;
      if (!hopeless && wait !== undefined) await pause(wait);
      if (hopeless || wait === undefined || ending.signal.aborted)
        return log.error({ err: error, subject: text.subject }, 'mail not sent');
      return send(to, text, attempt + 1);
    }
  }

  return {
    post(to, text) {
      if (isDemoAddress(to)) return;
      const sending = new Promise<void>((resolve) => setImmediate(resolve)).then(() => send(to, text));
      running.add(sending);
      void sending.finally(() => running.delete(sending));
    },
    async close() {
      ending.abort();
      while (running.size > 0) await Promise.all(running);
    },
  };
}
