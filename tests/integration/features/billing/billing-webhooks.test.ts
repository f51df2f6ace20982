import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { normaliseEvent } from '#app/domain/billing/normalise-event.ts';
import { reduceBilling } from '#app/domain/billing/reduce-events.ts';
import { getAccount } from '#app/features/accounts/profile.server.ts';
import { receiveWebhook } from '#app/features/billing/webhook-pages.server.ts';
import { getBilling } from '#app/features/billing/billing.server.ts';
import { deliver, signed, WEBHOOK_SECRET } from '#tests/support/billing.ts';
import { openTestDatabase, testConnection, type TestDatabase } from '#tests/support/database.ts';
import { codeOf } from '#tests/support/outcomes.ts';
import { newPerson, type Person } from '#tests/support/people.ts';
import {
  cardEvent,
  invoiceEvent,
  rawEvent,
  refundEvent,
  subscriptionEvent,
  type RawEvent,
} from '#tests/unit/domain/billing/stripe-events.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await openTestDatabase({ env: { STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET } });
});
afterAll(() => db.dispose());

let people = 0;

/** A user with a known customer, and a way to send events about that customer and its subscription. */
async function newCustomer(): Promise<{ person: Person; userId: string; mine(event: RawEvent): RawEvent }> {
  people += 1;
  const person = await newPerson(db, `customer-${people}@example.org`);
  const userId = person.signedIn.user.id;
  const suffix = `of_${people}`;
  await db.repos.stripeCustomers.link(`cus_${suffix}`, userId);
  await db.repos.users.setStripeCustomer(userId, null, `cus_${suffix}`);
  const mine = (event: RawEvent) =>
    JSON.parse(
      JSON.stringify(event).replaceAll('"cus_1"', `"cus_${suffix}"`).replaceAll('"sub_1"', `"sub_${suffix}"`),
    ) as RawEvent;
  return { person, userId, mine };
}

const now = () => Math.floor(db.clock.now().getTime() / 1000);
const MONTH = 30 * 86_400;
const begun = (at = now()) => subscriptionEvent('created', at, { periodEnd: at + MONTH });

/** All documents of all collections, as one text. */
async function everything(): Promise<string> {
  const database = testConnection(db).db;
  const names = ((await database?.listCollections().toArray()) ?? []).map(({ name }) => name).sort();
  const rows = await Promise.all(
    names.map(async (name) => [name, await database?.collection(name).find().sort({ _id: 1 }).toArray()]),
  );
  return JSON.stringify(rows);
}

const countOf = async (collection: string, userId: string) =>
  testConnection(db).db?.collection(collection).countDocuments({ userId });

describe('14: the signature', () => {
  it.each<[string, (event: object) => { payload: string; signature: string | null }]>([
    ['missing', (event) => ({ ...signed(db, event), signature: null })],
    ['empty', (event) => ({ ...signed(db, event), signature: '' })],
    ['made up', (event) => ({ ...signed(db, event), signature: `t=${now()},v1=${'0'.repeat(64)}` })],
    ['by another secret', (event) => signed(db, event, { secret: 'whsec_somebody_else' })],
    ['older than five minutes', (event) => signed(db, event, { at: new Date((now() - 301) * 1000) })],
    [
      'of another body',
      (event) => ({ ...signed(db, event), payload: JSON.stringify({ ...event, id: 'evt_x' }) }),
    ],
  ])('that is %s gives INVALID_INPUT, and nothing is written', async (_, forge) => {
    const { person, mine } = await newCustomer();
    const before = await everything();
    const { payload, signature } = forge(mine(begun()));
    expect(await codeOf(receiveWebhook(db.ctx(), payload, signature))).toBe('INVALID_INPUT');
    expect(await everything()).toBe(before);
    expect((await getAccount(person.ctx)).subscription).toBe('free');
  });
});

describe('14: irrelevant events', () => {
  it.each<[string, () => RawEvent]>([
    ['of an unknown type', () => rawEvent('payout.reconciliation_completed', now(), { id: 'po_1' })],
    ['of a type that begins like a method', () => rawEvent('constructor', now(), { id: 'x' })],
    ['about a customer that nobody here is', () => begun()],
    [
      'without a customer',
      () => rawEvent('checkout.session.completed', now(), { id: 'cs_1', subscription: 'sub_1' }),
    ],
  ])('%s are accepted, and nothing is written', async (_, make) => {
    const before = await everything();
    await deliver(db, make());
    expect(await everything()).toBe(before);
  });

  it('make nobody premium through the account they name besides the customer', async () => {
    const { person, userId } = await newCustomer();
    await deliver(db, subscriptionEvent('created', now(), { userId }));
    expect((await getAccount(person.ctx)).subscription).toBe('free');
  });
});

describe('14: duplicate and unordered events', () => {
  it('the same body 20 times at once is one event', async () => {
    const { person, userId, mine } = await newCustomer();
    const body = signed(db, mine(begun()));
    const paid = signed(db, mine(invoiceEvent('paid', now())));
    await Promise.all(
      Array.from({ length: 20 }, () => receiveWebhook(db.ctx(), body.payload, body.signature)),
    );
    await Promise.all(
      Array.from({ length: 20 }, () => receiveWebhook(db.ctx(), paid.payload, paid.signature)),
    );
    expect((await getAccount(person.ctx)).subscription).toBe('premium');
    expect(await countOf('subscription_events', userId)).toBe(2);
    expect(await countOf('billing_events', userId)).toBe(2);
    expect(await countOf('billing', userId)).toBe(1);
    expect((await db.repos.billing.find(userId)).version).toBe(2);
    const mails = (await db.mails()).filter(({ to }) => to === person.email);
    expect(mails.map(({ subject }) => subject)).toEqual(['Premium is on']);
  });

  it('two events in the wrong order have the same result as in the right one', async () => {
    for (const turn of [(events: RawEvent[]) => events, (events: RawEvent[]) => events.toReversed()]) {
      const { person, mine } = await newCustomer();
      const start = now() - 1000;
      const events = [
        subscriptionEvent('created', start, { periodEnd: start + MONTH }),
        subscriptionEvent('deleted', start + 500, { status: 'canceled' }),
      ].map(mine);
      for (const event of turn(events)) await deliver(db, event);
      expect((await getBilling(person.ctx)).billing.billingStatus).toBe('canceled');
      expect((await getAccount(person.ctx)).subscription).toBe('free');
    }
  });

  it('all events of a subscription, sent at once in any order, give the final state', async () => {
    const start = now() - 5000;
    const life = [
      subscriptionEvent('created', start, { status: 'incomplete', periodEnd: start + MONTH }),
      invoiceEvent('paid', start + 10),
      subscriptionEvent('updated', start + 20, { periodEnd: start + MONTH }),
      invoiceEvent('payment_failed', start + 30, { id: 'in_2' }),
      subscriptionEvent('updated', start + 40, { status: 'past_due', periodEnd: start + 2 * MONTH }),
      cardEvent('payment_method.attached', start + 50),
      invoiceEvent('paid', start + 60, { id: 'in_2' }),
      subscriptionEvent('updated', start + 70, { periodEnd: start + 2 * MONTH, cancelAtPeriodEnd: true }),
    ];
    for (const order of [life, life.toReversed(), [...life.slice(4), ...life.slice(0, 4)]]) {
      const { person, userId, mine } = await newCustomer();
      const told = order.map((event) => ({ ...mine(event), id: `${event.id}_${userId}` }));
      await Promise.all([...told, ...told].map((event) => deliver(db, event)));
      const { billing, card } = await getBilling(person.ctx);
      expect(billing).toMatchObject({ billingStatus: 'active', cancelAtPeriodEnd: true, pastDueSince: null });
      expect(card).toMatchObject({ last4: '4242' });
      expect(await db.repos.billingIssues.list(userId)).toMatchObject([
        { id: 'payment_failed:in_2', status: 'resolved' },
      ]);
      expect(await countOf('subscription_events', userId)).toBe(7);
      const user = await db.repos.users.find(userId);
      expect(user).toMatchObject({ billingStatus: 'active', pastDueSince: null });
    }
  });

  it('an interrupted event is completed when it is sent again', async () => {
    const { person, userId, mine } = await newCustomer();
    const event = mine(begun());
    // The state left by a process that dies before applying the effects.
    const { state } = await db.repos.billing.find(userId);
    await db.repos.billing.replace(userId, 0, reduceBilling(state, normaliseEvent(event)), db.clock.now());
    expect((await getAccount(person.ctx)).subscription).toBe('free');
    await deliver(db, event);
    expect((await getAccount(person.ctx)).subscription).toBe('premium');
    expect(await countOf('subscription_events', userId)).toBe(1);
    expect(await countOf('billing_events', userId)).toBe(1);
  });

  it('an older state never overwrites a newer one', async () => {
    const { userId } = await newCustomer();
    const { users } = db.repos;
    await users.setBilling(userId, { billingStatus: 'canceled', pastDueSince: null, version: 7 });
    await users.setBilling(userId, { billingStatus: 'active', pastDueSince: null, version: 6 });
    expect((await users.find(userId))?.billingStatus).toBe('canceled');
  });
});

describe('an event', () => {
  it('is recorded as one line, with refunds as negative amounts', async () => {
    const { userId, mine } = await newCustomer();
    for (const event of [begun(), invoiceEvent('paid', now()), refundEvent(now() + 1)].map(mine))
      await deliver(db, event);
    const rows = await testConnection(db)
      .db?.collection('subscription_events')
      .find({ userId })
      .sort({ createdAt: 1, amountCents: 1 })
      .toArray();
    expect(rows?.map(({ eventType, amountCents, status }) => [eventType, amountCents, status])).toEqual([
      ['subscription_created', 0, 'success'],
      ['payment_succeeded', 500, 'success'],
      ['refunded', -500, 'success'],
    ]);
    for (const row of rows ?? []) expect(JSON.stringify(row)).not.toContain('@');
  });

  it('sends one mail about an expiring card', async () => {
    const { person, mine } = await newCustomer();
    const event = mine(cardEvent('customer.source.expiring', now(), { id: 'card_9' }));
    await deliver(db, event);
    await deliver(db, event);
    const mails = (await db.mails()).filter(({ to }) => to === person.email);
    expect(mails.map(({ subject }) => subject)).toEqual(['Your card is about to expire']);
  });
});
