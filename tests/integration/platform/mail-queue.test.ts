import { describe, expect, it } from 'vitest';
import { SILENT_LOG } from '#app/domain/log.ts';
import { MailError } from '#app/integrations/mail.server.ts';
import { createMailQueue } from '#app/platform/mail/mail-queue.server.ts';

const letter = { subject: 'Hello', text: 'secret text', html: '<p>secret text</p>' };

/** A mailer that fails as told, with its calls and the log. */
function failing(errors: Error[]) {
  const attempts: string[] = [];
  const lines: object[] = [];
  const mailer = {
    send: ({ to }: { to: string }) => {
      attempts.push(to);
      const error = errors.shift();
      return error ? Promise.reject(error) : Promise.resolve();
    },
  };
  const log = { ...SILENT_LOG, error: (facts: object, message: string) => lines.push({ ...facts, message }) };
  return { attempts, lines, mailer, log };
}

const settled = (until: () => boolean) => expect.poll(until, { interval: 1 }).toBe(true);

describe('the mail queue', () => {
  it('retries after a temporary failure, and then sends the mail', async () => {
    const { attempts, lines, mailer, log } = failing([
      new MailError('busy', true),
      new MailError('busy', true),
    ]);
    const mailQueue = createMailQueue(mailer, log, [1, 1]);
    mailQueue.post('a@example.org', letter);
    await settled(() => attempts.length === 3);
    await mailQueue.close();
    expect(lines).toEqual([]);
  });

  it('gives up after the last retry, or at once after a permanent failure, and logs neither text nor recipient', async () => {
    for (const temporary of [true, false]) {
      const errors = Array.from({ length: 5 }, () => new MailError('refused', temporary));
      const { attempts, lines, mailer, log } = failing(errors);
      const mailQueue = createMailQueue(mailer, log, [1, 1]);
      mailQueue.post('reader@example.org', letter);
      await settled(() => lines.length > 0);
      expect(attempts).toHaveLength(temporary ? 3 : 1);
      expect(JSON.stringify(lines)).not.toMatch(/secret text|reader@/);
      await mailQueue.close();
    }
  });

  it('finishes sending when it closes, without waiting for a retry', async () => {
    const { attempts, lines, mailer, log } = failing([new MailError('busy', true)]);
    const mailQueue = createMailQueue(mailer, log, [3_600_000]);
    mailQueue.post('a@example.org', letter);
    await settled(() => attempts.length === 1);
    await mailQueue.close();
    expect(lines).toHaveLength(1);
  });
});
