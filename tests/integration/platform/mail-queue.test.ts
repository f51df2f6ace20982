import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SILENT_LOG } from '#app/domain/log.ts';
import { MailError, type MailMessage } from '#app/integrations/mail.server.ts';
import { createMailQueue } from '#app/platform/mail/mail-queue.server.ts';
import { openTestDatabase, testConnection, type TestDatabase } from '#tests/support/database.ts';

const letter = { subject: 'Hello', text: 'secret text', html: '<p>secret text</p>' };
const SECRET = 'a secret that only this test uses, long enough';

let db: TestDatabase;

beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.dispose());
beforeEach(async () => {
  await testConnection(db).collection('mails').deleteMany({});
});

const stored = () => testConnection(db).collection('mails').find().toArray();

/** A process's queue; its mailer fails with these errors first. */
function queueOf(errors: Error[] = [], secret = SECRET) {
  const sent: MailMessage[] = [];
  const attempts: MailMessage[] = [];
  const lines: object[] = [];
  const mailer = {
    send(mail: MailMessage) {
      attempts.push(mail);
      const error = errors.shift();
      if (error) return Promise.reject(error);
      sent.push(mail);
      return Promise.resolve();
    },
  };
  const note = (facts: object, message: string) => lines.push({ ...facts, message });
  const queue = createMailQueue({
    mails: db.repos.mails,
    mailer,
    log: { ...SILENT_LOG, error: note, warn: note },
    secret: () => secret,
    appUrl: 'https://vialbook.example',
    now: db.clock.now,
  });
  return { queue, sent, attempts, lines };
}

const busy = () => new MailError('busy', true);

describe('the mail queue', () => {
  it('sends a mail once and keeps nothing of it', async () => {
    const { queue, sent } = queueOf();
    await queue.post('a@example.org', letter);
    await queue.close();
    expect(sent).toEqual([expect.objectContaining({ to: 'a@example.org', text: 'secret text' })]);
    expect(await stored()).toEqual([]);
    expect(await queue.send()).toBe(0);
  });

  it('stores neither recipient nor text in the clear', async () => {
    const { queue } = queueOf([busy()]);
    await queue.post('reader@example.org', letter);
    await queue.close();
    const rows = await stored();
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toMatch(/secret text|reader@|Hello/);
  });

  it('tries again after growing pauses, with the same message id, also in another process', async () => {
    const first = queueOf([busy()]);
    await first.queue.post('a@example.org', letter);
    await first.queue.close();
    expect(await first.queue.send()).toBe(0);
    db.clock.advance(2_000);
    const second = queueOf([busy()]);
    expect(await second.queue.send()).toBe(1);
    db.clock.advance(2_000);
    expect(await second.queue.send()).toBe(0);
    db.clock.advance(8_000);
    expect(await second.queue.send()).toBe(1);
    expect(second.sent).toHaveLength(1);
    const ids = [...first.attempts, ...second.attempts].map(({ messageId }) => messageId);
    expect(new Set(ids).size).toBe(1);
    expect(ids[0]).toMatch(/^<.+@vialbook\.example>$/);
    expect([...first.lines, ...second.lines]).toEqual([]);
    expect(await stored()).toEqual([]);
  });

  it('sends what a process left behind that ended while sending', async () => {
    const { queue, sent } = queueOf();
    await db.repos.mails.claim(db.clock.now(), db.clock.now(), 'nobody', 1);
    await db.ctx().transaction(async () => {
      await queue.post('a@example.org', letter);
      // As a process does that ends before its mail is accepted.
      const until = new Date(db.clock.now().getTime() + 300_000);
      await db.repos.mails.claim(db.clock.now(), until, 'ended', 1);
    });
    await queue.close();
    expect(sent).toEqual([]);
    db.clock.advance(300_000);
    expect(await queue.send()).toBe(1);
    expect(sent).toHaveLength(1);
  });

  it('gives up after a day, or at once after a permanent failure, and logs neither text nor recipient', async () => {
    for (const temporary of [true, false]) {
      const { queue, attempts, lines } = queueOf(
        Array.from({ length: 50 }, () => new MailError('refused', temporary)),
      );
      await queue.post('reader@example.org', letter);
      await queue.close();
      for (let hours = 0; hours < 26; hours += 1) {
        db.clock.advance(3_600_000);
        await queue.send();
      }
      expect(attempts.length > 1).toBe(temporary);
      expect(lines).toEqual([expect.objectContaining({ message: 'mail not sent' })]);
      expect(JSON.stringify(lines)).not.toMatch(/secret text|reader@/);
      expect(await stored()).toEqual([]);
    }
  });

  it('belongs to the act: one that comes to nothing sends nothing', async () => {
    const { queue, sent } = queueOf();
    const act = db.ctx().transaction(async () => {
      await queue.post('a@example.org', letter);
      throw new Error('refused');
    });
    await expect(act).rejects.toThrow('refused');
    await queue.close();
    expect(await queue.send()).toBe(0);
    expect(sent).toEqual([]);
  });

  it('does the same work for nobody, and sends nothing to a demo', async () => {
    const { queue, attempts } = queueOf();
    await queue.post(null, letter);
    expect(await stored()).toHaveLength(1);
    await queue.close();
    await queue.post('demo-1@demo.invalid', letter);
    await queue.close();
    expect(attempts.filter(({ to }) => to === null)).toEqual([]);
    expect(await stored()).toEqual([]);
  });

  it('says so when a mail was stored with another secret', async () => {
    await queueOf([busy()]).queue.post('a@example.org', letter);
    const other = queueOf([], 'another secret, which opens nothing of the first');
    const later = () => {
      db.clock.advance(60_000);
      return other.queue.send();
    };
    await expect.poll(later).toBe(1);
    expect(other.sent).toEqual([]);
    expect(JSON.stringify(other.lines)).toContain('another SESSION_SECRET');
  });
});
