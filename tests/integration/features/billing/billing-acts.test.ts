import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { billingView, NO_BILLING } from '#app/domain/billing/billing-state.ts';
import { AppError } from '#app/domain/errors.ts';
import { subscriptionSnapshot } from '#app/domain/billing/normalise-event.ts';
import { withSubscription } from '#app/domain/billing/reduce-events.ts';
import { cancelClosed, endPremium, shiftRenewals } from '#app/features/billing/billing-changes.server.ts';
import { startTrial } from '#app/features/billing/billing.server.ts';
import { createReferralCode, getReferrals } from '#app/features/referrals/referrals.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { brokenAt, withConflicts } from '#tests/support/acts.ts';
import { deliver, newReports, type Reports, WEBHOOK_SECRET, withReports } from '#tests/support/billing.ts';
import { openTestDatabase, TERMINAL, testConnection, type TestDatabase } from '#tests/support/database.ts';
import { newPerson, type Person } from '#tests/support/people.ts';
import { type RealServer, startMongod } from '#tests/support/replica-set.ts';
import { isFullSize } from '#tests/support/size.ts';
import {
  DAY,
  invoiceEvent,
  openInvoiceOf,
  refundEvent,
  START,
  subscriptionEvent,
  subscriptionObjectOf,
  type RawEvent,
  type SubscriptionShape,
} from '#tests/unit/domain/billing/stripe-events.ts';

const SECRET = 'a secret for databases that are dropped afterwards';
const COLLECTIONS = [
  'billing',
  'billing_events',
  'billing_issues',
  'referral_codes',
  'referrals',
  'renewal_shifts',
  'stripe_customers',
  'subscription_events',
  'subscription_days',
  'subscription_months',
  'users',
];
const stores = ['the embedded database', ...(isFullSize ? ['a replica set'] : [])];

describe.each(stores)('billing in %s', (store) => {
  let server: RealServer | undefined;
  let db: TestDatabase;
  beforeAll(async () => {
    if (store === 'a replica set') server = await startMongod();
    const real = server && { MONGODB_URI: server.uri('billing'), SESSION_SECRET: SECRET };
    const env = { STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET, RATE_LIMIT_FACTOR: '1000', ...real };
    db = await openTestDatabase({ env });
  }, 120_000);
  afterAll(async () => {
    await db?.dispose();
    await server?.dispose();
  });

  const idOf = ({ signedIn }: Person) => signedIn.user.id;

  /** A digest of every document about money and these accounts. */
  async function everything(...people: Person[]): Promise<string> {
    const ids = people.map(idOf);
    const own = { $or: [{ userId: { $in: ids } }, { _id: { $in: ids as never[] } }] };
    const found: unknown[] = [];
    for (const name of COLLECTIONS) {
      const filter = name === 'subscription_months' || name === 'subscription_days' ? {} : own;
      found.push([name, await testConnection(db).collection(name).find(filter).sort({ _id: 1 }).toArray()]);
    }
    return createHash('sha256').update(JSON.stringify(found)).digest('hex');
  }

  let made = 0;
  let reports: Reports;
  /** What was asked of the provider. */
  let postponed: { subscriptionId: string; idempotencyKey: string }[];
  let cancelled: string[];
  let isSilent: boolean;
  beforeEach(() => {
    isSilent = false;
    reports = newReports();
    postponed = [];
    cancelled = [];
  });

  /** The same context, whose payment provider reports what the test says and notes what it is asked to do. */
  function atProvider(ctx: Ctx): Ctx {
    const told = withReports(ctx, reports);
    const payments = {
      ...told.payments,
      postponeRenewal: (request: (typeof postponed)[number]) =>
        isSilent
          ? Promise.reject(new AppError('PROVIDER_UNAVAILABLE', 'no answer'))
          : Promise.resolve(void postponed.push(request)),
      cancelNow: (id: string) => Promise.resolve(void cancelled.push(id)),
    };
    return { ...told, payments };
  }

  /** A user whose customer and subscription have this number. */
  async function customer(input?: Parameters<typeof newPerson>[2]) {
    made += 1;
    const number = made;
    const person = await newPerson(db, `customer-${number}@example.org`, input);
    await db.repos.stripeCustomers.link(`cus_${number}x`, idOf(person));
    await db.repos.users.setStripeCustomer(idOf(person), `cus_${number}x`);
    const own = <T>(object: T): T =>
      JSON.parse(
        JSON.stringify(object)
          .replaceAll('"cus_1"', `"cus_${number}x"`)
          .replaceAll('"sub_1"', `"sub_${number}x"`)
          .replaceAll(/"(evt_\d+)"/g, `"$1_${number}"`),
      ) as T;
    const is = (shape: SubscriptionShape, open: object[] = []) =>
      void reports.now.set(`sub_${number}x`, { subscription: own(subscriptionObjectOf(shape)), open });
    const receive = (event: RawEvent, ctx = db.ctx()) => deliver(db, own(event), atProvider(ctx));
    const view = async () => billingView((await db.repos.billing.find(idOf(person))).state);
    return { person, subscriptionId: `sub_${number}x`, is, receive, view };
  }

  /** Somebody with a code, and a customer who registered with it. */
  async function referredCustomer() {
    const referrer = await customer();
    const ref = (await getReferrals(referrer.person.ctx)).invitation?.code ?? expect.unreachable('no code');
    return { referrer, referred: await customer({ ref }) };
  }

  const mailsTo = async ({ email }: Person) =>
    (await db.mails())
      .filter(({ to, subject }) => to === email && subject !== 'Confirm your email address for Vialbook')
      .map(({ subject }) => subject)
      .sort();
  const seconds = () => Math.floor(db.clock.now().getTime() / 1000);

  it('an event that breaks down at any place leaves nothing, and is applied wholly when it comes again', async () => {
    const { referrer, referred } = await referredCustomer();
    const long = seconds() + 40 * DAY;
    referrer.is({ periodEnd: long });
    await referrer.receive(subscriptionEvent('created', seconds()));
    referred.is({ status: 'past_due', periodEnd: long }, [openInvoiceOf(seconds())]);
    await referred.receive(invoiceEvent('payment_failed', seconds() - 61 * DAY));
    referred.is({ periodEnd: long });
    // Of a month that is over, so that its sums change, too.
    const payment = invoiceEvent('paid', seconds() - 60 * DAY);
    const people = [referrer.person, referred.person];
    const before = await everything(...people);
    let places = 0;
    for (;;) {
      const broken = brokenAt(db.ctx(), places + 1);
      const outcome = await referred.receive(payment, broken.ctx).then(
        () => 'applied',
        () => 'cut off',
      );
      if (!broken.hasBroken()) break;
      places += 1;
      expect(outcome).toBe('cut off');
      expect(await everything(...people)).toBe(before);
      expect(postponed).toEqual([]);
    }
    expect(places).toBeGreaterThan(15);
    expect(await db.repos.users.find(idOf(referred.person))).toMatchObject({ billingStatus: 'active' });
    expect(await db.repos.billingIssues.list(idOf(referred.person))).toMatchObject([{ status: 'resolved' }]);
    for (const { person, subscriptionId } of [referrer, referred]) {
      expect(await db.repos.users.findCredit(idOf(person))).toHaveLength(1);
      expect(postponed.filter((request) => request.subscriptionId === subscriptionId)).toHaveLength(1);
      expect(await db.repos.renewalShifts.listOpen(idOf(person))).toEqual([]);
    }
    const credit = '30 days of Premium for a referral';
    expect(await mailsTo(referrer.person)).toEqual([credit, 'Premium is on']);
    expect(await mailsTo(referred.person)).toEqual([
      credit,
      'A payment for Vialbook failed',
      'Your payment went through',
    ]);
    const after = await everything(...people);
    await referred.receive(payment);
    expect(await everything(...people)).toBe(after);
  });

  it('acts that meet another change are done once', async () => {
    const { referrer, referred } = await referredCustomer();
    const ctx = withConflicts(db.ctx());
    referred.is({ periodEnd: seconds() + 40 * DAY });
    await referred.receive(subscriptionEvent('created', seconds()), ctx);
    await referred.receive(invoiceEvent('paid', seconds()), ctx);
    await referred.receive(refundEvent(seconds() + 5, { paidAt: seconds() }), ctx);
    const { ledger } = await getReferrals(referrer.person.ctx);
    expect(ledger).toMatchObject([{ standing: 'reversed' }]);
    expect(await db.repos.users.findCredit(idOf(referrer.person))).toHaveLength(1);
    expect(await db.repos.billing.find(idOf(referred.person))).toMatchObject({ version: 5 });
    expect(await referred.view()).toMatchObject({ billingStatus: 'active' });
    const sent = ['30 days of Premium for a referral', 'Premium is on'];
    expect(await mailsTo(referred.person)).toEqual(sent);
    // Once for the credit, once for its end.
    expect(postponed.map(({ idempotencyKey }) => idempotencyKey.split(':').at(-1))).toEqual([
      'granted',
      'taken-back',
    ]);

    await startTrial(withConflicts(referrer.person.ctx));
    expect(await createReferralCode(withConflicts(referrer.person.ctx))).toEqual(
      (await getReferrals(referrer.person.ctx)).invitation,
    );
    referred.is({ status: 'canceled' });
    await endPremium(atProvider(withConflicts(db.ctx(TERMINAL))), idOf(referred.person));
    expect(cancelled).toEqual([referred.subscriptionId]);
    expect(await referred.view()).toMatchObject({ billingStatus: 'canceled' });
  });

  it('the end of all Premium is whole, or nothing has ended', async () => {
    const { referred, referrer } = await referredCustomer();
    referred.is({});
    await referred.receive(invoiceEvent('paid', seconds()));
    const before = await everything(referrer.person, referred.person);
    let places = 0;
    for (;;) {
      const broken = brokenAt(db.ctx(TERMINAL), places + 1);
      const outcome = endPremium(atProvider(broken.ctx), idOf(referred.person));
      const isCut = await outcome.then(
        () => false,
        () => true,
      );
      if (!broken.hasBroken()) break;
      places += 1;
      expect(isCut).toBe(true);
      expect(await everything(referrer.person, referred.person)).toBe(before);
      expect(cancelled).toEqual([]);
    }
    expect(places).toBeGreaterThan(6);
    const user = await db.repos.users.find(idOf(referred.person));
    expect(user).toMatchObject({ billingStatus: 'none', creditUntil: db.clock.now() });
    expect(cancelled).toEqual([referred.subscriptionId]);
  });

  it('credit that is taken back before it has moved a charge never moves it', async () => {
    const { referred, referrer } = await referredCustomer();
    const open = () => db.repos.renewalShifts.listOpen(idOf(referred.person));
    for (const { is, receive } of [referrer, referred]) {
      is({ periodEnd: seconds() + 40 * DAY });
      await receive(subscriptionEvent('created', seconds()));
    }
    // The provider reports a failed renewal, and the charge cannot be moved until that is over.
    referred.is({ status: 'past_due' });
    await referred.receive(invoiceEvent('paid', seconds()));
    expect(await open()).toMatchObject([{ days: 30, until: null }]);
    await referred.receive(refundEvent(seconds() + 5, { paidAt: seconds() }));
    expect(await open()).toEqual([]);
    referred.is({ periodEnd: seconds() + 40 * DAY });
    await referred.receive(subscriptionEvent('updated', seconds()));
    await shiftRenewals(atProvider(db.ctx(TERMINAL)));
    const moves = (subscriptionId: string) =>
      postponed.filter((request) => request.subscriptionId === subscriptionId).length;
    expect([moves(referrer.subscriptionId), moves(referred.subscriptionId)]).toEqual([2, 0]);
  });

  it('a charge is moved later if the provider does not answer, always with the same key', async () => {
    const { referred } = await referredCustomer();
    referred.is({ periodEnd: seconds() + 40 * DAY });
    isSilent = true;
    await referred.receive(invoiceEvent('paid', seconds()));
    const [waiting] = await db.repos.renewalShifts.listOpen(idOf(referred.person));
    expect(waiting).toMatchObject({ days: 30, subscriptionId: referred.subscriptionId });
    isSilent = false;
    await shiftRenewals(atProvider(db.ctx(TERMINAL)));
    const until = new Date((seconds() + 70 * DAY) * 1000);
    const idempotencyKey = `credit:${idOf(referred.person)}:${waiting?.shiftId}`;
    expect(postponed).toEqual([{ subscriptionId: referred.subscriptionId, until, idempotencyKey }]);
    expect(await db.repos.renewalShifts.listOpen(idOf(referred.person))).toEqual([]);
  });

  it('a subscription that the provider has lost counts as cancelled once we have ended it', async () => {
    const { person, is, receive, subscriptionId, view } = await customer();
    is({});
    await receive(subscriptionEvent('created', seconds()));
    reports.now.delete(subscriptionId);
    await endPremium(atProvider(db.ctx(TERMINAL)), idOf(person));
    const { state } = await db.repos.billing.find(idOf(person));
    expect(state.subscriptions).toMatchObject([{ status: 'canceled' }]);
    await cancelClosed(atProvider(db.ctx()), idOf(person), state);
    expect(cancelled).toHaveLength(1);
    expect(await view()).toMatchObject({ billingStatus: 'canceled' });
    await shiftRenewals(atProvider(db.ctx(TERMINAL)));
  });

  const shape: fc.Arbitrary<SubscriptionShape> = fc.record({
    status: fc.constantFrom('incomplete', 'trialing', 'active', 'past_due', 'unpaid', 'paused', 'canceled'),
    interval: fc.constantFrom('month', 'year'),
    cancelAtPeriodEnd: fc.boolean(),
    periodEnd: fc.integer({ min: 20, max: 60 }).map((days) => START + days * DAY),
  });
  const step = fc.oneof(
    { weight: 2, arbitrary: fc.record({ does: fc.constant('change' as const), to: shape }) },
    {
      weight: 3,
      arbitrary: fc.record({ does: fc.constant('deliver' as const), which: fc.nat(), ticks: fc.nat(20) }),
    },
  );

  it('law: events out of order, twice, late and at once end in the state that the provider reports', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 14 }), async (steps) => {
        const { person, is, receive, view } = await customer();
        const events: RawEvent[] = [];
        let last: SubscriptionShape = { status: 'incomplete' };
        const change = (to: SubscriptionShape) => {
          last = to;
          is(to);
          events.push(subscriptionEvent(events.length === 0 ? 'created' : 'updated', seconds(), to));
        };
        change(last);
        const running: Promise<void>[] = [];
        const seen = new Set<string>();
        const arrive = (event: RawEvent) => {
          seen.add(event.id);
          running.push(receive(event));
        };
        for (const now of steps) {
          if (now.does === 'change') change(now.to);
          else {
            const event = events[now.which % events.length];
            // Answers take their time, so that older ones arrive after newer ones.
            reports.beforeAnswer = () => tick(now.ticks);
            if (event) arrive(event);
            await tick(now.ticks % 5);
          }
        }
        // The provider delivers until each event was accepted; the one about the last change comes after it.
        events.filter(({ id }, index) => index === events.length - 1 || !seen.has(id)).forEach(arrive);
        await Promise.all(running);
        const report = subscriptionSnapshot(subscriptionObjectOf(last));
        const expected = billingView(withSubscription(NO_BILLING, report));
        const { subscriptionId: _id, customerId: _customer, ...shown } = await view();
        expect(expected).toMatchObject(shown);
        const { billingStatus, pastDueSince } = expected;
        const user = await db.repos.users.find(idOf(person));
        expect(user).toMatchObject({ billingStatus, pastDueSince });
        const lines = testConnection(db).collection('subscription_events');
        expect(await lines.countDocuments({ userId: idOf(person) })).toBe(events.length);
      }),
      { numRuns: isFullSize ? 60 : 12 },
    );
  });
});

/** Lets others go on that many times. */
async function tick(times: number): Promise<void> {
  for (let n = 0; n < times; n += 1) await new Promise<void>((resolve) => setImmediate(resolve));
}
