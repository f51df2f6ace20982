import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { setCeiling } from '#app/features/amounts/index.server.ts';
import { getDose, takeDose } from '#app/features/doses/doses.server.ts';
import { deliverReminders } from '#app/features/reminders/deliveries.server.ts';
import { remindOfDoses } from '#app/features/reminders/dose-reminders.server.ts';
import { setNtfyTopic } from '#app/features/reminders/ntfy.server.ts';
import { subscribeBrowser } from '#app/features/reminders/push-subscriptions.server.ts';
import { actOnLink, openActLink } from '#app/features/reminders/reminder-links.server.ts';
import { listReminders } from '#app/features/reminders/reminders.server.ts';
import { createMailer } from '#app/integrations/mail.server.ts';
import { updateNotificationChoices } from '#app/platform/mail/notification-choices.server.ts';
import { WORKER } from '#app/server/worker.server.ts';
import { startSmtp } from '#tests/integration/integrations/smtp-host.ts';
import { openTestDatabase, VISITOR, type TestDatabase } from '#tests/support/database.ts';
import { codeOf } from '#tests/support/outcomes.ts';
import { freshNoon, pendingDose } from '#tests/support/pending-doses.ts';
import { newPerson, type Person } from '#tests/support/people.ts';
import { newBrowser, startPushHost, type PushHost } from '#tests/support/push-host.ts';
import { startWebhookHost, type WebhookHost } from '#tests/support/webhook-host.ts';

const MINUTE = 60_000;
let db: TestDatabase;
let push: PushHost;
let ntfy: WebhookHost;
let smtp: Awaited<ReturnType<typeof startSmtp>>;
beforeAll(async () => {
  db = await openTestDatabase({ env: { RATE_LIMIT_FACTOR: '100' } });
});
afterAll(() => db.dispose());
beforeEach(async () => {
  push = await startPushHost(() => ({ status: 201 }));
  ntfy = await startWebhookHost((_message, response) => void response.writeHead(200).end('{}'));
  smtp = await startSmtp();
  await freshNoon(db);
});
afterEach(async () => {
  await Promise.all([push.close(), ntfy.close(), smtp.close()]);
});

let people = 0;
const NAMES = ['BPC-157', 'TB-500', 'Ipamorelin', 'Semaglutide', 'CJC-1295', 'PT-141'];

/** A worker that sends mail to the test's own server. */
function worker() {
  const ctx = db.ctx(WORKER.actor);
  const settings = { ...db.settings, SMTP_URL: `smtp://127.0.0.1:${smtp.port}` };
  return { ...ctx, mailer: createMailer(settings, ctx.log) };
}

/** Somebody with every channel and six doses that are due now, with notice a quarter of an hour before. */
async function sixDoses() {
  const name = `six-${(people += 1)}`;
  const person = await newPerson(db, `${name}@example.org`, { plan: 'trial' });
  const browser = newBrowser();
  await updateNotificationChoices(person.ctx, { email: true });
  await subscribeBrowser(person.ctx, browser.target(push.endpoint(name)));
  await setNtfyTopic(person.ctx, { url: ntfy.url(`base/${name}`) });
  const due = new Date(db.clock.now().getTime() + 15 * MINUTE);
  const ids = NAMES.map((dose) => `${name}_${dose}`);
  const doses = NAMES.map((dose, index) =>
    pendingDose(ids[index] ?? '', due, { name: dose, leadMinutes: 15 }),
  );
  await db.repos.doses.createMany(person.signedIn.user.id, doses);
  return { person, ids, browser };
}

async function work(): Promise<void> {
  await Promise.all([1, 2].map(() => remindOfDoses(worker(), undefined, { batch: 4 })));
  await Promise.all([1, 2].map(() => deliverReminders(worker())));
}

const pushes = (browser: ReturnType<typeof newBrowser>) =>
  push.received.map(
    ({ body }) =>
      JSON.parse(browser.decrypt(body)) as { title: string; body: string; tag: string; url: string },
  );
const tokenIn = (url = '') => url.replace('/act/', '');
const statuses = (person: Person, ids: readonly string[]) =>
  Promise.all(ids.map(async (id) => (await getDose(person.ctx, id)).status));

describe('six doses at one time', () => {
  it('are one message a channel and one row in the bell, before and again when they are due', async () => {
    const { person, ids, browser } = await sixDoses();
    await work();
    expect([push.received.length, smtp.received.length, ntfy.received.length]).toEqual([1, 1, 1]);
    const [before] = pushes(browser);
    expect(before).toMatchObject({
      title: 'Doses coming up',
      body: expect.stringMatching(/^6 doses are due at 12:15: .*BPC-157, 250 mcg/) as string,
    });
    db.clock.advance(15 * MINUTE);
    await work();
    expect([push.received.length, smtp.received.length, ntfy.received.length]).toEqual([2, 2, 2]);
    const [, due] = pushes(browser);
    expect(due).toMatchObject({ title: 'Doses due', tag: before?.tag });
    expect(push.received[1]?.headers.topic).toBe(push.received[0]?.headers.topic);
    const { reminders } = await listReminders(person.ctx);
    expect(reminders).toMatchObject([{ type: 'due', isRead: false, reminderTime: db.clock.now() }]);
    expect(new Set(reminders[0]?.doseIds)).toEqual(new Set(ids));
    for (const { body } of ntfy.received) expect(body).toContain('Take all');
  });

  it('are not announced when all of them are logged before the message is sent', async () => {
    const { person, ids } = await sixDoses();
    await remindOfDoses(worker());
    for (const id of ids) await takeDose(person.ctx, id, { confirmed: ['NO_OPEN_VIAL', 'TOO_SOON'] });
    await deliverReminders(worker());
    expect([push.received.length, smtp.received.length, ntfy.received.length]).toEqual([0, 0, 0]);
  });
});

describe('the link of such a message', () => {
  async function linked() {
    const six = await sixDoses();
    await work();
    return { ...six, token: tokenIn(pushes(six.browser)[0]?.url), visitor: db.ctx(VISITOR) };
  }

  it('opens all of them, takes the ticked ones once, and then works no longer', async () => {
    const { person, ids, token, visitor } = await linked();
    const { rows } = await openActLink(visitor, token);
    expect(new Set(rows.map(({ id }) => id))).toEqual(new Set(ids));
    const chosen = ids.slice(1);
    expect(await actOnLink(visitor, token, { action: 'taken', ids: chosen })).toEqual({ did: 'together' });
    expect(await statuses(person, ids)).toEqual(['pending', ...chosen.map(() => 'taken')]);
    expect(await codeOf(actOnLink(visitor, token, { action: 'taken' }))).toBe('NOT_FOUND');
  });

  it('asks about an unusual dose with nothing saved, and still works for the answer', async () => {
    const { person, ids, token, visitor } = await linked();
    await setCeiling(person.ctx, { name: 'TB-500', unit: 'mcg', perDose: '200' });
    const asked = await actOnLink(visitor, token, { action: 'taken' });
    expect(asked).toMatchObject({ questions: [{ id: ids[1] }] });
    expect(new Set(await statuses(person, ids))).toEqual(new Set(['pending']));
    const answers = 'questions' in asked ? asked.questions.map(({ key }) => key) : [];
    expect(await actOnLink(visitor, token, { action: 'taken', answers })).toEqual({ did: 'together' });
    expect(new Set(await statuses(person, ids))).toEqual(new Set(['taken']));
  });

  it('takes no dose that it is not about', async () => {
    const { person, token, visitor } = await linked();
    await db.repos.doses.createMany(person.signedIn.user.id, [pendingDose('not_linked', db.clock.now())]);
    expect(await codeOf(actOnLink(visitor, token, { action: 'taken', ids: ['not_linked'] }))).toBe(
      'NOT_FOUND',
    );
    expect(await statuses(person, ['not_linked'])).toEqual(['pending']);
  });

  it('snoozes all of them', async () => {
    const { ids, person, token, visitor } = await linked();
    expect(await actOnLink(visitor, token, { action: 'snooze', minutes: '30' })).toEqual({ did: 'snooze' });
    const { id } = person.signedIn.user;
    const doses = await Promise.all(ids.map((dose) => db.repos.doses.find(id, dose)));
    const later = new Date(db.clock.now().getTime() + 30 * MINUTE);
    expect(new Set(doses.map((dose) => dose?.remindAt?.getTime()))).toEqual(new Set([later.getTime()]));
    expect(await codeOf(openActLink(visitor, token))).toBe('NOT_FOUND');
  });
});
