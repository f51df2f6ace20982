import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { downloadData } from '#app/features/export/data-download.server.ts';
import { deliverReminders } from '#app/features/reminders/deliveries.server.ts';
import { remindOfDoses } from '#app/features/reminders/dose-reminders.server.ts';
import {
  deleteNtfyTopic,
  findNtfyTopic,
  sendNtfyTest,
  setNtfyTopic,
} from '#app/features/reminders/ntfy.server.ts';
import { openActLink } from '#app/features/reminders/reminder-links.server.ts';
import { listReminders } from '#app/features/reminders/reminders.server.ts';
import { createOutgoingPosts } from '#app/integrations/outgoing.server.ts';
import {
  getNotificationChoices,
  updateNotificationChoices,
} from '#app/platform/mail/notification-choices.server.ts';
import { WORKER } from '#app/server/worker.server.ts';
import { openTestDatabase, testConnection, type TestDatabase } from '#tests/support/database.ts';
import { codeOf } from '#tests/support/outcomes.ts';
import { freshNoon, pendingDose } from '#tests/support/pending-doses.ts';
import { newPerson } from '#tests/support/people.ts';
import { textOf } from '#tests/support/streams.ts';
import { startWebhookHost, type HookAnswer, type WebhookHost } from '#tests/support/webhook-host.ts';

const take: HookAnswer = (_message, response) => void response.writeHead(200).end('{}');
let db: TestDatabase;
let host: WebhookHost;
let answer: HookAnswer;
beforeAll(async () => {
  db = await openTestDatabase({ env: { RATE_LIMIT_FACTOR: '100' } });
});
afterAll(() => db.dispose());
beforeEach(async () => {
  answer = take;
  host = await startWebhookHost((message, response) => answer(message, response));
  await freshNoon(db);
});
afterEach(() => host.close());

let count = 0;
const worker = () => db.ctx(WORKER.actor);

/** A user with a topic and one due dose. */
async function subscribed(token?: string) {
  const name = `ntfy-${(count += 1)}`;
  const person = await newPerson(db, `${name}@example.org`, { plan: 'trial' });
  const id = person.signedIn.user.id;
  await setNtfyTopic(person.ctx, { url: host.url(`base/${name}`), ...(token !== undefined && { token }) });
  await db.repos.doses.createMany(id, [pendingDose(`dose_${name}`, db.clock.now())]);
  return { ...person, id, name, doseId: `dose_${name}` };
}

const messages = () => host.received.map(({ body }) => JSON.parse(body) as Record<string, unknown>);

describe('ntfy', () => {
  it('is off until a topic is set', async () => {
    const { ctx, signedIn } = await newPerson(db, `off-${(count += 1)}@example.org`, { plan: 'trial' });
    const { id } = signedIn.user;
    expect([await findNtfyTopic(ctx), (await getNotificationChoices(ctx, id)).ntfy]).toEqual([null, false]);
    await setNtfyTopic(ctx, { url: host.url('topic') });
    expect((await getNotificationChoices(ctx, id)).ntfy).toBe(true);
    await deleteNtfyTopic(ctx);
    expect([await findNtfyTopic(ctx), (await getNotificationChoices(ctx, id)).ntfy]).toEqual([null, false]);
    expect(await codeOf(deleteNtfyTopic(ctx))).toBe('NOT_FOUND');
    expect(await codeOf(sendNtfyTest(ctx))).toBe('NOT_FOUND');
  });

  it('sends a reminder once, with a button that opens the reminder link', async () => {
    const person = await subscribed();
    await remindOfDoses(worker());
    await Promise.all([1, 2, 3, 4].map(() => deliverReminders(worker())));
    expect(host.received.map(({ path, headers }) => [path, headers.authorization])).toEqual([
      ['/base/', undefined],
    ]);
    const [message] = messages();
    expect(message).toMatchObject({
      topic: person.name,
      title: 'Dose due',
      message: 'BPC-157, 250 mcg, is due now (12:00).',
      priority: 3,
    });
    const link = String(message?.['click']);
    expect(message?.['actions']).toEqual([
      { action: 'view', label: 'Log, skip or snooze', url: link, clear: true },
    ]);
    const { dose } = await openActLink(db.ctx(), /\/act\/([\w-]{43})$/.exec(link)?.[1] ?? '');
    expect(dose.id).toBe(person.doseId);
    expect((await listReminders(person.ctx)).reminders[0]?.isSent).toBe(true);
    db.clock.advance(30 * 60_000);
    await remindOfDoses(worker());
    await deliverReminders(worker());
    const overdue = messages()[1];
    expect(overdue).toMatchObject({
      title: 'Dose overdue',
      priority: 4,
      sequence_id: message?.['sequence_id'],
    });
  });

  it('sends no names or amounts in discreet mode', async () => {
    const person = await subscribed();
    await updateNotificationChoices(person.ctx, { discreet: true });
    await remindOfDoses(worker());
    await deliverReminders(worker());
    expect(host.received[0]?.body).not.toMatch(/BPC|250/);
    expect(messages()[0]).toMatchObject({ title: 'Vialbook' });
  });

  it('stores the token encrypted, sends it only to its own server, and never shows it', async () => {
    const person = await subscribed('tk_secret');
    expect(await findNtfyTopic(person.ctx)).toMatchObject({ hasToken: true });
    expect(await sendNtfyTest(person.ctx)).toBeNull();
    expect(host.received[0]?.headers.authorization).toBe('Bearer tk_secret');
    const stored = JSON.stringify(await testConnection(db).collection('ntfy_topics').find().toArray());
    expect(stored).not.toContain('tk_secret');
    const file = await textOf((await downloadData(person.ctx)).open());
    expect(file).toContain('ntfy_topics');
    expect(file).not.toMatch(new RegExp(`tk_secret|sealed1|base/${person.name}`));
    await setNtfyTopic(person.ctx, { url: host.url('other') });
    expect(await findNtfyTopic(person.ctx)).toMatchObject({ hasToken: true });
    const other = await startWebhookHost();
    await setNtfyTopic(person.ctx, { url: other.url('other') });
    expect(await findNtfyTopic(person.ctx)).toMatchObject({ hasToken: false });
    await other.close();
  });

  it('is retried while its server is unreachable, and given up when the server refuses', async () => {
    const person = await subscribed();
    answer = (_message, response) => void response.writeHead(503).end();
    await remindOfDoses(worker());
    await deliverReminders(worker());
    answer = take;
    db.clock.advance(60_000);
    await deliverReminders(worker());
    await deliverReminders(worker());
    expect(messages().map(({ topic }) => topic)).toEqual([person.name, person.name]);
    answer = (_message, response) => void response.writeHead(403).end();
    expect(await sendNtfyTest(person.ctx)).toBe('the address answered 403');
  });

  it.each([
    'https://10.0.0.1/topic',
    'https://localhost/topic',
    'https://ntfy.example.invalid/',
    'https://ntfy.example.invalid/a b',
    'http://ntfy.example.invalid/topic',
    'https://ntfy.example.invalid/topic?auth=x',
  ])('refuses the address %s', async (url) => {
    const { ctx } = await newPerson(db, `bad-${(count += 1)}@example.org`, { plan: 'trial' });
    const real = { ...ctx, outgoing: createOutgoingPosts() };
    expect(await codeOf(setNtfyTopic(real, { url }))).toBe('INVALID_INPUT');
  });
});
