import { isDemoAddress } from '#app/domain/accounts/account.ts';
import type { Log } from '#app/domain/log.ts';
import type { MailText } from '#app/domain/mail/letter.ts';
import { nextAttemptUntil } from '#app/domain/reminders/delivery-retry.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '#app/domain/time/calendar.ts';
import { MailError, type Mailer, type MailMessage } from '#app/integrations/mail.server.ts';
import { newId } from '#app/platform/ids.server.ts';
import { workOffOutbox } from '#app/platform/jobs/outbox-rounds.server.ts';
import { decryptSecret, encryptSecret } from '#app/platform/secrets/encrypted-secret.server.ts';
import { afterCommit, type MailRecord, type Repositories } from '#models/index.server.ts';

type Letter = MailText & Pick<MailMessage, 'isFarewell'>;

/** Mails on their way to the mail server. */
export interface MailQueue {
  /**
   * Stores a mail with what the current act writes, and sends it once that is committed. Never waits for the mail server.
   * @param to null to do the same work and send nothing: the time of an answer must not reveal who has an account
   */
  post(to: string | null, letter: Letter): Promise<void>;
  /** Sends what is due, also what other processes left behind. Any number of processes may do so at once. @returns how many were processed */
  send(stopping?: AbortSignal): Promise<number>;
  /** Resolves when this process is no longer sending anything. What is left stays stored. */
  close(): Promise<void>;
}

/** How long a mail is worth sending, in ms. */
const LIFE_MS = 24 * HOUR_MS;

/** Pauses after a failure. */
const PAUSES = { firstMs: 2 * SECOND_MS, factor: 5, longestMs: HOUR_MS };

/** How long a process may take for a batch of mails, in ms; each has a time limit of half a minute. */
const ROUND = { batch: 16, width: 8, leaseMs: 5 * MINUTE_MS };

interface Sender {
  mails: Repositories['mails'];
  mailer: Pick<Mailer, 'send'>;
  log: Log;
  /** What stored mails are encrypted with; the same in every process. */
  secret: () => string | Promise<string>;
  /** Origin of this site, for the ids of messages. */
  appUrl: string;
  now: () => Date;
}

/** What is done with a mail after an attempt: tried again at a time, or removed. */
interface Result {
  again: Date | null;
}

const useOf = (id: string) => ({ purpose: 'mail', ownerId: id });

/** Sends one stored mail. The same mail always has the same message id. */
async function attempt(
  { mailer, log, secret, appUrl, now }: Sender,
  { id, sealed, attempts, expiresAt }: MailRecord,
): Promise<Result> {
  const text = decryptSecret(await secret(), useOf(id), sealed);
  if (text === null) {
    log.error({ mail: id }, 'mail not sent: it was stored with another SESSION_SECRET');
    return { again: null };
  }
  const { to, ...letter } = JSON.parse(text) as Letter & { to: string | null };
  if (to === null) return { again: null };
  try {
    await mailer.send({ to, ...letter, messageId: `<${id}@${new URL(appUrl).hostname}>` });
    return { again: null };
  } catch (error) {
    const isFinal = error instanceof MailError && !error.temporary;
    const again = isFinal
      ? null
      : nextAttemptUntil(now(), expiresAt, { attempts, requestedPauseMs: null, pauses: PAUSES });
    if (again === null) log.error({ err: error, subject: letter.subject }, 'mail not sent');
    return { again };
  }
}

/** Sends all mails that are due. @returns how many were processed */
function sendDue(sender: Sender, stopping?: AbortSignal): Promise<number> {
  const { mails, now } = sender;
  const work = {
    outbox: {
      claim: mails.claim,
      release: (mail: MailRecord) => mails.postpone(mail, now()),
    },
    prepare: () => Promise.resolve((mail: MailRecord) => attempt(sender, mail)),
    async record(outcomes: readonly { delivery: MailRecord; result: Result }[]) {
      const over = outcomes.filter(({ result }) => result.again === null);
      if (over.length > 0) await mails.delete(over.map(({ delivery }) => delivery.id));
      for (const { delivery, result } of outcomes)
        if (result.again !== null) await mails.postpone(delivery, result.again);
    },
  };
  return workOffOutbox({ now }, work, ROUND, stopping);
}

/**
 * A queue in front of a mailer: a mail is a row that is written in the same act as its cause, so that neither is there
 * without the other, and that is sent at least once.
 */
export function createMailQueue(sender: Sender): MailQueue {
  const { mails, log, secret, now } = sender;
  const running = new Set<Promise<unknown>>();

  /** Sends in the background. What fails is left for the worker's next round. */
  function sendSoon(): void {
    const sending = new Promise<void>((resolve) => setImmediate(resolve))
      .then(() => sendDue(sender))
      .catch((error: unknown) => log.warn({ err: error }, 'mails wait for the next round'));
    running.add(sending);
    void sending.finally(() => running.delete(sending));
  }

  return {
    async post(to, letter) {
      if (to !== null && isDemoAddress(to)) return;
      const at = now();
      const id = newId(at);
      const sealed = encryptSecret(await secret(), useOf(id), JSON.stringify({ to, ...letter }));
      await mails.create({ id, sealed, expiresAt: new Date(at.getTime() + LIFE_MS) }, at);
      await afterCommit(sendSoon);
    },
    send: (stopping) => sendDue(sender, stopping),
    async close() {
      while (running.size > 0) await Promise.all(running);
    },
  };
}
