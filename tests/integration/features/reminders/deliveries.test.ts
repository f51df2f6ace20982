import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createMailer } from '#app/integrations/mail.server.ts';
import { deliverReminders } from '#app/features/reminders/deliveries.server.ts';
import { remindOfDoses } from '#app/features/reminders/dose-reminders.server.ts';
import { updateNotificationChoices } from '#app/platform/mail/notification-choices.server.ts';
import { listPushBrowsers, subscribeBrowser } from '#app/features/reminders/push-subscriptions.server.ts';
import { listReminders } from '#app/features/reminders/reminders.server.ts';
import { signOut } from '#app/features/accounts/sessions.server.ts';
import { WORKER } from '#app/server/worker.server.ts';
import { headersOf, startSmtp } from '#tests/integration/integrations/smtp-host.ts';
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { codeOf } from '#tests/support/outcomes.ts';
import { freshNoon, pendingDose } from '#tests/support/pending-doses.ts';
import { newPerson, type Person } from '#tests/support/people.ts';
import { newBrowser, startPushHost, type PushHost, type ReceivedPush } from '#tests/support/push-host.ts';
import { reposOf } from '#tests/support/repositories.ts';

const MINUTE = 60_000;
let db: TestDatabase;
let host: PushHost;
let answer: (message: ReceivedPush) => { status: number; headers?: Record<string, string> };
beforeAll(async () => {
  db = await openTestDatabase({ env: { RATE_LIMIT_FACTOR: '10' } });
});
afterAll(() => db.dispose());
beforeEach(async () => {
  answer = () => ({ status: 201 });
  host = await startPushHost((message) => answer(message));
  await freshNoon(db);
});
afterEach(() => host.close());

let count = 0;
const worker = () => db.ctx(WORKER.actor);

/** A user with a subscribed browser and one due dose. */
async function reminded(choices: Parameters<typeof updateNotificationChoices>[1] = {}) {
  const name = `someone-${count++}`;
  const person = await newPerson(db, `${name}@example.org`, { plan: 'trial' });
  const id = person.signedIn.user.id;
  await updateNotificationChoices(person.ctx, choices);
  const browser = newBrowser();
  await subscribeBrowser(person.ctx, browser.target(host.endpoint(name)));
  await db.repos.doses.createMany(id, [pendingDose(`dose_${name}`, db.clock.now())]);
  await remindOfDoses(worker());
  return { ...person, id, doseId: `dose_${name}`, browser };
}

const reminderOf = async ({ ctx }: Person) => (await listReminders(ctx)).reminders[0];
async function statesOf(person: Person & { id: string }) {
  const { id = '' } = (await reminderOf(person)) ?? {};
  return (await db.repos.deliveries.list(person.id, id)).map(({ channel, state, reason }) => ({
    channel,
    state,
    reason,
  }));
}
interface Shown {
  title: string;
  body: string;
  tag: string;
  url: string;
  requireInteraction: boolean;
}
const shown = (browser: ReturnType<typeof newBrowser>, message: ReceivedPush | undefined) =>
  JSON.parse(browser.decrypt(message?.body ?? Buffer.alloc(0))) as Shown;

describe('a push reminder', () => {
  it('is sent once, and only its browser can decrypt it', async () => {
    const person = await reminded();
    await deliverReminders(worker());
    await deliverReminders(worker());
    expect(host.received).toHaveLength(1);
    const message = shown(person.browser, host.received[0]);
    expect(message).toMatchObject({
      title: 'Dose due',
      body: 'BPC-157, 250 mcg, is due now (12:00).',
      tag: (await reminderOf(person))?.id,
      requireInteraction: false,
    });
    expect(message.url).toMatch(/^\/act\/[A-Za-z0-9_-]{43}$/);
    expect((await reminderOf(person))?.isSent).toBe(true);
    expect(await statesOf(person)).toEqual([{ channel: 'push', state: 'sent', reason: null }]);
  });

  it('contains no names in discreet mode', async () => {
    const person = await reminded({ discreet: true });
    await deliverReminders(worker());
    const { title, body } = shown(person.browser, host.received[0]);
    expect([title, body]).toEqual(['Vialbook', 'An entry in your notebook is due now (12:00).']);
  });

  it.each([404, 410])('to an ended subscription (%i) removes the subscription', async (status) => {
    answer = () => ({ status });
    const person = await reminded();
    await deliverReminders(worker());
    expect(await listPushBrowsers(person.ctx)).toEqual([]);
    expect(await statesOf(person)).toEqual([
      { channel: 'push', state: 'dropped', reason: 'the push subscription has ended' },
    ]);
  });

  it('is retried with the same topic after as long as a busy service asks', async () => {
    answer = () => ({ status: 429, headers: { 'Retry-After': '300' } });
    const person = await reminded();
    await deliverReminders(worker());
    db.clock.advance(299_000);
    await deliverReminders(worker());
    expect(host.received).toHaveLength(1);
    answer = () => ({ status: 201 });
    db.clock.advance(1000);
    await deliverReminders(worker());
    expect(host.received).toHaveLength(2);
    const [first, second] = host.received;
    expect(second?.headers.topic).toBe(first?.headers.topic);
    expect(shown(person.browser, second).tag).toBe(shown(person.browser, first).tag);
    expect(await statesOf(person)).toEqual([{ channel: 'push', state: 'sent', reason: null }]);
  });

  it('is given up after some hours of failures', async () => {
    answer = () => ({ status: 500 });
    const person = await reminded();
    for (let minute = 0; minute < 7 * 60; minute += 5) {
      await deliverReminders(worker());
      db.clock.advance(5 * MINUTE);
    }
    expect(await statesOf(person)).toEqual([
      { channel: 'push', state: 'failed', reason: 'the push service answered 500' },
    ]);
    expect(host.received.length).toBeLessThanOrEqual(8);
  });

  it('is not sent once the dose is taken or the session has ended', async () => {
    const taker = await reminded();
    await db.repos.doses.change(taker.id, taker.doseId, { status: 'taken', remindAt: null });
    const leaver = await reminded();
    await signOut(leaver.ctx);
    await deliverReminders(worker());
    expect(host.received).toEqual([]);
    expect((await statesOf(taker))[0]).toMatchObject({ state: 'dropped' });
  });
});

describe('a reminder mail', () => {
  it('arrives at a real mail server with text, HTML and an id derived from the reminder', async () => {
    const smtp = await startSmtp();
    const settings = { ...db.settings, SMTP_URL: `smtp://127.0.0.1:${smtp.port}` };
    const ctx = { ...worker(), mailer: createMailer(settings, worker().log) };
    const person = await reminded({ email: true, push: false });
    await deliverReminders(ctx);
    await smtp.close();
    expect(host.received).toEqual([]);
    const [mail] = smtp.received;
    expect(mail?.to).toEqual([person.email]);
    const { id = '' } = (await reminderOf(person)) ?? {};
    const [delivery] = await db.repos.deliveries.list(person.id, id);
    expect(headersOf(mail?.raw ?? '')).toContain(`Message-ID: <${delivery?.id}@localhost>`);
    expect(headersOf(mail?.raw ?? '')).toContain('Subject: Dose due');
    expect(mail?.raw).toContain('BPC-157, 250 mcg, is due now (12:00).');
    expect(mail?.raw).toMatch(/text\/html/);
    expect(delivery?.state).toBe('sent');
  });

  it('contains no names in discreet mode', async () => {
    await reminded({ email: true, push: false, discreet: true });
    await deliverReminders(worker());
    const mail = (await db.mails()).at(-1);
    expect(mail?.subject).toBe('A reminder from Vialbook');
    expect(`${mail?.text}${mail?.html}`).not.toMatch(/BPC|250/);
    expect(mail?.text).toContain('An entry in your notebook is due now (12:00).');
  });
});

/** Doses of as many time slots, all to be announced now. */
const inManySlots = (prefix: string, length: number) =>
  Array.from({ length }, (_, index) => {
    const leadMinutes = 15 * (index + 1);
    const due = new Date(db.clock.now().getTime() + leadMinutes * MINUTE);
    return pendingDose(`${prefix}_${index}`, due, { leadMinutes });
  });

describe('several workers', () => {
  it('send each delivery once', async () => {
    const person = await reminded({ email: true });
    await db.repos.doses.createMany(person.id, inManySlots('dose_many', 60));
    await remindOfDoses(worker());
    const before = (await db.mails()).length;
    await Promise.all([1, 2, 3, 4].map(() => deliverReminders(worker(), undefined, { batch: 8, width: 4 })));
    const tags = host.received.map((message) => shown(person.browser, message).tag);
    expect(new Set(tags).size).toBe(61);
    expect(tags).toHaveLength(61);
    const ids = (await db.mails()).slice(before).map(({ messageId }) => messageId);
    expect(new Set(ids).size).toBe(61);
    expect(ids).toHaveLength(61);
  });

  it('send a delivery again, with the same id, if it was sent but not recorded', async () => {
    const person = await reminded({ email: true, escalateAfterMinutes: 0 });
    const cutOff = worker();
    const lost = { ...reposOf(cutOff).deliveries, finish: () => Promise.reject(new Error('killed')) };
    const ctx = { ...cutOff, repos: cutOff.repos.with({ deliveries: lost }) };
    await expect(deliverReminders(ctx, undefined, { leaseMs: MINUTE })).rejects.toThrow('killed');
    const [sentPushes, sentMails] = [host.received.length, (await db.mails()).length];
    await deliverReminders(worker());
    expect(host.received).toHaveLength(sentPushes);
    db.clock.advance(MINUTE);
    await deliverReminders(worker());
    const mails = (await db.mails()).slice(sentMails - 1);
    expect(mails).toHaveLength(2);
    expect(mails[1]?.messageId).toBe(mails[0]?.messageId);
    expect(host.received.map(({ headers }) => headers.topic)).toEqual([
      host.received[0]?.headers.topic,
      host.received[0]?.headers.topic,
    ]);
    expect((await statesOf(person)).map(({ state }) => state)).toEqual(['sent', 'sent']);
  });

  it('release unsent deliveries immediately when stopped', async () => {
    const person = await reminded();
    await db.repos.doses.createMany(person.id, inManySlots('dose_stop', 20));
    await remindOfDoses(worker());
    const stopping = new AbortController();
    answer = () => {
      stopping.abort();
      return { status: 201 };
    };
    await deliverReminders(worker(), stopping.signal, { batch: 32, width: 2 });
    expect(host.received.length).toBeLessThanOrEqual(2);
    expect((await db.repos.deliveries.backlog(db.clock.now())).waiting).toBe(21 - host.received.length);
    await deliverReminders(worker());
    expect(host.received).toHaveLength(21);
  });
});

describe('a push subscription', () => {
  const bad = { endpoint: 'http://127.0.0.1/x', p256dh: 'x'.repeat(87), auth: 'y'.repeat(22) };
  it.each([
    ['a private address', { ...bad, endpoint: 'http://10.0.0.1/x' }],
    ['no address', { ...bad, endpoint: 'x' }],
    ['another scheme', { ...bad, endpoint: 'javascript:alert(1)' }],
    ['a short key', { ...bad, p256dh: 'x'.repeat(86) }],
    ['a secret of other signs', { ...bad, auth: `${'y'.repeat(21)}!` }],
    ['a secret that is an object', { ...bad, auth: { $gt: '' } as unknown as string }],
  ])('with %s is refused', async (_name, input) => {
    const { ctx } = await newPerson(db, `bad-${count++}@example.org`, { plan: 'trial' });
    expect(await codeOf(subscribeBrowser(ctx, input))).toBe('INVALID_INPUT');
    expect(await listPushBrowsers(ctx)).toEqual([]);
  });

  it('belongs to the account that subscribed last; each account keeps at most ten', async () => {
    const one = await newPerson(db, `shared-${count++}@example.org`, { plan: 'trial' });
    const two = await newPerson(db, `shared-${count++}@example.org`, { plan: 'trial' });
    const target = newBrowser().target(host.endpoint('shared'));
    await subscribeBrowser(one.ctx, target);
    await subscribeBrowser(two.ctx, target);
    expect(await listPushBrowsers(one.ctx)).toEqual([]);
    for (let index = 0; index < 12; index += 1) {
      db.clock.advance(1000);
      await subscribeBrowser(two.ctx, newBrowser().target(host.endpoint(`more-${index}`)));
    }
    expect(await listPushBrowsers(two.ctx)).toHaveLength(10);
  });

  it('is refused for free accounts', async () => {
    const { ctx } = await newPerson(db, `free-${count++}@example.org`);
    expect(await codeOf(subscribeBrowser(ctx, newBrowser().target(host.endpoint('free'))))).toBe(
      'PREMIUM_REQUIRED',
    );
  });
});
