import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createApiToken, resolveApiToken } from '#app/features/accounts/api-tokens.server.ts';
import {
  askForPasswordReset,
  changePassword,
  listOpenLinks,
  resetPassword,
} from '#app/features/accounts/password-change.server.ts';
import { signIn } from '#app/features/accounts/sign-in.server.ts';
import { findNtfyTopic, setNtfyTopic } from '#app/features/reminders/ntfy.server.ts';
import {
  listPushBrowsers,
  pushPublicKey,
  subscribeBrowser,
} from '#app/features/reminders/push-subscriptions.server.ts';
import {
  createWebhook,
  listWebhooks,
  rotateWebhookSecret,
  updateWebhook,
} from '#app/features/webhooks/webhooks.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { openTestDatabase, TERMINAL, type TestDatabase } from '#tests/support/database.ts';
import { codeOf } from '#tests/support/outcomes.ts';
import { ctxOfToken, newPerson, PASSWORD } from '#tests/support/people.ts';
import { newBrowser } from '#tests/support/push-host.ts';

/** Webhooks, ntfy topics and push messages take an account's data elsewhere. */
let db: TestDatabase;
beforeAll(async () => {
  db = await openTestDatabase({ env: { RATE_LIMIT_FACTOR: '100' } });
});
afterAll(() => db.dispose());
beforeEach(() => db.clock.advance(3_600_000));

const NEXT = 'green-lamp-82';
const HOOK = { url: 'http://127.0.0.1:9/hook', events: ['dose.due' as const] };
const TOPIC = { url: 'http://127.0.0.1:9/topic' };

let count = 0;
async function someone() {
  const email = `channels-${(count += 1)}@example.org`;
  const person = await newPerson(db, email, { plan: 'trial' });
  return { ...person, id: person.signedIn.user.id };
}

const subscription = (name: string) => newBrowser().target(`http://127.0.0.1:9/${name}`);
/** Everything that decides where an account's data goes. */
const settings = (ctx: Ctx, webhookId: string): Readonly<Record<string, () => Promise<unknown>>> => ({
  createWebhook: () => createWebhook(ctx, HOOK),
  updateWebhook: () => updateWebhook(ctx, webhookId, { url: 'http://127.0.0.1:9/other' }),
  rotateWebhookSecret: () => rotateWebhookSecret(ctx, webhookId),
  setNtfyTopic: () => setNtfyTopic(ctx, TOPIC),
  pushPublicKey: () => pushPublicKey(ctx),
  subscribeBrowser: () => subscribeBrowser(ctx, subscription('someone')),
});

/** The subjects of the mails to an address since the last look. */
async function subjectsTo(email: string): Promise<string[]> {
  return (await db.mails()).filter(({ to }) => to === email).map(({ subject }) => subject);
}

describe('an outgoing channel', () => {
  it('is set only in a session with a recent sign-in, not by a token', async () => {
    const { ctx, signedIn, email } = await someone();
    const { webhook } = await createWebhook(ctx, HOOK);
    const { secret } = await createApiToken(ctx, { name: 'script', scope: 'write', life: '30' });
    const resolved = await resolveApiToken(db.ctx(), secret);
    const byToken = db.ctx(resolved?.actor);
    const before = await subjectsTo(email);
    for (const [name, call] of Object.entries(settings(byToken, webhook.id)))
      expect(await codeOf(call()), name).toBe('FORBIDDEN');
    db.clock.advance(15 * 60_000);
    const late = await ctxOfToken(db, signedIn.token);
    for (const [name, call] of Object.entries(settings(late, webhook.id)))
      expect(await codeOf(call()), name).toBe('RECENT_SIGN_IN_REQUIRED');
    expect(await listWebhooks(late)).toEqual([webhook]);
    expect(await findNtfyTopic(late)).toBeNull();
    expect(await listPushBrowsers(late)).toEqual([]);
    expect(await subjectsTo(email)).toEqual(before);
  });

  it('is reported to its owner by mail, without secrets, also when the terminal sets it', async () => {
    const { ctx, email } = await someone();
    const { webhook } = await createWebhook(ctx, HOOK);
    for (const call of Object.values(settings(ctx, webhook.id)).slice(1)) await call();
    await createWebhook(db.ctx(TERMINAL), HOOK, email);
    const mails = (await db.mails()).filter(({ to }) => to === email);
    expect(mails.map(({ subject }) => subject)).toEqual([
      ...Array<string>(3).fill('A webhook was set up'),
      'An ntfy topic was set up',
      'Push notifications were turned on',
      'A webhook was set up',
    ]);
    for (const { text } of mails) {
      expect(text).toMatch(/127\.0\.0\.1:9|browser/);
      expect(text).not.toMatch(/\/hook|\/topic|\/someone|whsec_/);
    }
  });

  it('is listed before a change of password, which ends it on request, and push with its session', async () => {
    const { ctx, id, email } = await someone();
    await createWebhook(ctx, HOOK);
    await setNtfyTopic(ctx, TOPIC);
    await subscribeBrowser(ctx, subscription('this-one'));
    const { token } = await signIn(db.ctx(), { email, password: PASSWORD });
    await subscribeBrowser(await ctxOfToken(db, token), subscription('another'));
    // A session that expired, rather than was ended, leaves its browser subscribed.
    await db.repos.pushSubscriptions.put(id, {
      ...{ id: 'push_left', signInId: 'long-over', browser: 'Firefox on Linux', createdAt: db.clock.now() },
      ...subscription('left'),
    });
    const listed = await listOpenLinks(ctx);
    expect(listed).toHaveLength(3);
    expect(listed.join()).toMatch(
      /Webhook to 127\.0\.0\.1:9,ntfy topic at 127\.0\.0\.1:9,.*Firefox on Linux/,
    );
    const passwords = { currentPassword: PASSWORD, newPassword: NEXT, confirmPassword: NEXT };
    await changePassword(ctx, passwords);
    expect(await listOpenLinks(ctx)).toEqual(listed);
    const back = { currentPassword: NEXT, newPassword: PASSWORD, confirmPassword: PASSWORD };
    await changePassword(ctx, { ...back, endLinks: true });
    expect(await listOpenLinks(ctx)).toEqual([]);
    expect([await listWebhooks(ctx), await findNtfyTopic(ctx)]).toEqual([[], null]);
    expect((await db.repos.notificationChoices.find(id))?.ntfy).toBe(false);
    // Only the browser that changed the password still has a session.
    expect(await listPushBrowsers(ctx)).toHaveLength(1);
  });

  it('ends at a reset by mail', async () => {
    const { ctx, email } = await someone();
    await createWebhook(ctx, HOOK);
    await setNtfyTopic(ctx, TOPIC);
    await subscribeBrowser(ctx, subscription('this-one'));
    await askForPasswordReset(db.ctx(), { email });
    const texts = (await db.mails()).filter(({ to }) => to === email).map(({ text }) => text);
    const secret = /\/reset-password\/([A-Za-z0-9_-]+)/.exec(texts.join('\n'))?.[1] ?? '';
    await resetPassword(db.ctx(), secret, { password: NEXT, confirmPassword: NEXT });
    expect([await listWebhooks(ctx), await findNtfyTopic(ctx), await listPushBrowsers(ctx)]).toEqual([
      [],
      null,
      [],
    ]);
  });
});
