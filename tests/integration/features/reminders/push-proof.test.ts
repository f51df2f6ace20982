import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { deliverReminders } from '#app/features/reminders/deliveries.server.ts';
import { remindOfDoses } from '#app/features/reminders/dose-reminders.server.ts';
import { confirmPushShown, sendPushTest } from '#app/features/reminders/push-proof.server.ts';
import { listPushBrowsers, subscribeBrowser } from '#app/features/reminders/push-subscriptions.server.ts';
import { listReminders } from '#app/features/reminders/reminders.server.ts';
import { signOut } from '#app/features/accounts/sessions.server.ts';
import { DAY_MS } from '#app/domain/time/calendar.ts';
import { WORKER } from '#app/server/worker.server.ts';
import { openTestDatabase, VISITOR, type TestDatabase } from '#tests/support/database.ts';
import { codeOf } from '#tests/support/outcomes.ts';
import { freshNoon, pendingDose } from '#tests/support/pending-doses.ts';
import { newPerson } from '#tests/support/people.ts';
import { newBrowser, startPushHost, type PushHost } from '#tests/support/push-host.ts';

let db: TestDatabase;
let host: PushHost;
let status: number;
beforeAll(async () => {
  db = await openTestDatabase({ env: { RATE_LIMIT_FACTOR: '10' } });
});
afterAll(() => db.dispose());
beforeEach(async () => {
  status = 201;
  host = await startPushHost(() => ({ status }));
  await freshNoon(db);
});
afterEach(() => host.close());

let people = 0;
const worker = () => db.ctx(WORKER.actor);
const visitor = () => db.ctx(VISITOR);

async function withBrowser() {
  const name = `proof-${(people += 1)}`;
  const person = await newPerson(db, `${name}@example.org`, { plan: 'trial' });
  const browser = newBrowser();
  await subscribeBrowser(person.ctx, browser.target(host.endpoint(name)));
  return { ...person, name, browser, userId: person.signedIn.user.id };
}

type Somebody = Awaited<ReturnType<typeof withBrowser>>;

/** The token in the latest push, as the service worker reads it. */
const tokenOf = ({ browser }: Somebody) => {
  const { body } = host.received.at(-1) ?? expect.unreachable('no push');
  return (JSON.parse(browser.decrypt(body)) as { confirm: string }).confirm;
};

const provenAt = async ({ ctx }: Somebody) => (await listPushBrowsers(ctx)).map((one) => one.provenAt);
async function shownAt({ ctx, userId }: Somebody) {
  const [reminder] = (await listReminders(ctx)).reminders;
  return (await db.repos.deliveries.list(userId, reminder?.id ?? '')).map((one) => one.shownAt ?? null);
}

async function reminded() {
  const somebody = await withBrowser();
  await db.repos.doses.createMany(somebody.userId, [pendingDose(`dose_${somebody.name}`, db.clock.now())]);
  await remindOfDoses(worker());
  await deliverReminders(worker());
  return somebody;
}

describe('a push that the browser has shown', () => {
  it('is confirmed once, by its token alone, and proves the browser', async () => {
    const somebody = await reminded();
    const token = tokenOf(somebody);
    expect(await provenAt(somebody)).toEqual([null]);
    db.clock.advance(1000);
    await confirmPushShown(visitor(), token);
    expect(await provenAt(somebody)).toEqual([db.clock.now()]);
    expect(await shownAt(somebody)).toEqual([db.clock.now()]);
    const at = db.clock.now();
    db.clock.advance(1000);
    expect(await codeOf(confirmPushShown(visitor(), token))).toBe('NOT_FOUND');
    expect(await provenAt(somebody)).toEqual([at]);
  });

  it('is confirmed at the same time only once', async () => {
    const somebody = await reminded();
    const token = tokenOf(somebody);
    const codes = await Promise.all([1, 2, 3].map(() => codeOf(confirmPushShown(visitor(), token))));
    expect(codes.filter((code) => code === 'NOT_FOUND')).toHaveLength(2);
  });

  it('is confirmed after the session has ended, without bringing the browser back', async () => {
    const somebody = await reminded();
    const token = tokenOf(somebody);
    await signOut(somebody.ctx);
    await confirmPushShown(visitor(), token);
    expect(await db.repos.pushSubscriptions.list(somebody.userId)).toEqual([]);
  });

  it.each([
    ['an invented token', 'A'.repeat(43)],
    ['no token', ''],
    ['something else', '{"$gt":""}'],
  ])('cannot be confirmed with %s', async (_name, token) => {
    const somebody = await reminded();
    expect(await codeOf(confirmPushShown(visitor(), token))).toBe('NOT_FOUND');
    expect([await provenAt(somebody), await shownAt(somebody)]).toEqual([[null], [null]]);
  });

  it('cannot be confirmed with the link of the reminder, nor with the token of somebody else’s push', async () => {
    const other = await reminded();
    const others = tokenOf(other);
    const somebody = await reminded();
    const { body } = host.received.at(-1) ?? expect.unreachable('no push');
    const { url } = JSON.parse(somebody.browser.decrypt(body)) as { url: string };
    expect(await codeOf(confirmPushShown(visitor(), url.replace('/act/', '')))).toBe('NOT_FOUND');
    await confirmPushShown(somebody.ctx, others);
    expect([await provenAt(somebody), await shownAt(somebody)]).toEqual([[null], [null]]);
    expect(await provenAt(other)).toEqual([db.clock.now()]);
  });

  it('cannot be confirmed after a day', async () => {
    const somebody = await reminded();
    const token = tokenOf(somebody);
    db.clock.advance(DAY_MS);
    expect(await codeOf(confirmPushShown(visitor(), token))).toBe('NOT_FOUND');
  });
});

describe('a test of a browser', () => {
  const idOf = async ({ ctx }: Somebody) => (await listPushBrowsers(ctx))[0]?.id ?? '';

  it('is a real push, whose confirmation proves the browser', async () => {
    const somebody = await withBrowser();
    expect(await sendPushTest(somebody.ctx, await idOf(somebody))).toBeNull();
    expect(host.received).toHaveLength(1);
    await confirmPushShown(visitor(), tokenOf(somebody));
    expect(await provenAt(somebody)).toEqual([db.clock.now()]);
  });

  it('says why the push service did not take it', async () => {
    const somebody = await withBrowser();
    status = 403;
    expect(await sendPushTest(somebody.ctx, await idOf(somebody))).toBe('the push service answered 403');
    expect(await provenAt(somebody)).toEqual([null]);
  });

  it('is for one’s own browsers', async () => {
    const [somebody, other] = [await withBrowser(), await withBrowser()];
    expect(await codeOf(sendPushTest(somebody.ctx, await idOf(other)))).toBe('NOT_FOUND');
    expect(await codeOf(sendPushTest(visitor(), await idOf(other)))).toBe('UNAUTHENTICATED');
    expect(host.received).toEqual([]);
  });
});
