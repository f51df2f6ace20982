import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  contactUser,
  escalateIssue,
  EVENT_PAGE,
  getBillingIssue,
  listBillingIssues,
  listSubscriptionEvents,
  previewContact,
  resolveIssue,
} from '#app/features/admin/subscriptions/billing-admin.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import {
  subscriptionAnalytics,
  subscriptionFigures,
} from '#app/features/admin/subscriptions/subscription-figures.server.ts';
import { openTestDatabase, TERMINAL, testConnection, type TestDatabase } from '#tests/support/database.ts';
import { ctxOfToken, newPerson } from '#tests/support/people.ts';

let db: TestDatabase;
let terminal: Ctx;
let ownerId: string;
const DAY = 86_400_000;
const reason = 'a test';

beforeAll(async () => {
  db = await openTestDatabase({ env: { RATE_LIMIT_FACTOR: '100' } });
  terminal = db.ctx(TERMINAL, { address: 'terminal' });
  ownerId = (await newPerson(db, 'owner@example.org', { plan: 'trial' })).signedIn.user.id;
});
afterAll(() => db.dispose());

/** Writes subscription events the given number of days ago. */
async function record(
  ...lines: [eventType: string, amountCents: number, daysAgo: number, userId?: string][]
) {
  for (const [index, [eventType, amountCents, daysAgo, userId = ownerId]] of lines.entries()) {
    const createdAt = new Date(db.clock.now().getTime() - daysAgo * DAY);
    const status = eventType === 'payment_failed' ? 'failed' : 'success';
    const id = `evt_${createdAt.getTime()}_${index}`;
    const line = { amountCents, status, createdAt, details: 'Told by a test.' } as const;
    const event = { id, eventType: eventType as never, ...line };
    await db.repos.subscriptionEvents.record(userId, event, db.clock.now());
  }
}

const fact = (id: string, amountCents = 500) => ({
  id,
  type: 'payment_failed' as const,
  amountCents,
  description: 'A payment for the subscription failed.',
  openedAt: db.clock.now(),
  resolvedAt: null,
});

describe('subscription figures', () => {
  it('are computed from events: revenue, churn, payment success, months and trials', async () => {
    await record(
      ['subscription_created', 0, 400],
      ['subscription_created', 0, 100],
      ['payment_succeeded', 3000, 100],
      ['payment_succeeded', 500, 45],
      ['payment_succeeded', 500, 10],
      ['payment_failed', 500, 9],
      ['refunded', -500, 5],
      ['subscription_canceled', 0, 3],
      ['payment_succeeded', 500, 0],
    );
    expect(await subscriptionFigures(terminal)).toMatchObject({
      revenue: 5,
      revenueBefore: 5,
      atStart: 2,
      churn: 0.5,
      paymentSuccess: 2 / 3,
      premiumUsers: 1,
    });
    const { months } = await subscriptionAnalytics(terminal);
    expect(months).toHaveLength(12);
    expect(months.at(-1)?.month).toBe('2090-03');
    expect(months.reduce((sum, { revenue }) => sum + revenue, 0)).toBe(40);
    db.clock.advance(15 * DAY);
    await newPerson(db, 'never-paid@example.org', { plan: 'trial' });
    expect((await subscriptionAnalytics(terminal)).trials).toEqual({ ended: 1, paid: 1 });
    db.clock.advance(-15 * DAY);
  });

  it('are only for admins', async () => {
    const { ctx } = await newPerson(db, 'curious@example.org');
    for (const read of [subscriptionFigures, subscriptionAnalytics, listSubscriptionEvents])
      await expect(read(ctx)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(listBillingIssues(ctx, 'open')).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(getBillingIssue(db.ctx(), 'x')).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });
});

describe('recent subscription events', () => {
  it('are paged newest first, each once, even if many happened at the same moment', async () => {
    const events = testConnection(db).collection('subscription_events');
    await events.deleteMany({});
    const createdAt = new Date(db.clock.now().getTime() - DAY);
    const rows = Array.from({ length: EVENT_PAGE * 2 + 3 }, (_, index) => ({
      _id: `evt_${String(index).padStart(3, '0')}`,
      userId: index === 0 ? 'gone' : ownerId,
      eventType: 'payment_succeeded',
      amountCents: 500,
      status: 'success',
      createdAt,
      details: '',
    }));
    await events.insertMany(rows as never[]);
    const seen: string[] = [];
    let after: string | undefined;
    for (const size of [EVENT_PAGE, EVENT_PAGE, 3]) {
      const page = await listSubscriptionEvents(terminal, after);
      expect(page.rows).toHaveLength(size);
      seen.push(...page.rows.map(({ id }) => id));
      after = page.next ?? undefined;
      const last = page.rows.at(-1);
      expect(last?.userEmail).toBe(last?.id === 'evt_000' ? null : 'owner@example.org');
    }
    expect(after).toBeUndefined();
    expect(seen).toEqual(rows.map(({ _id }) => _id).toReversed());
    expect((await listSubscriptionEvents(terminal, '"; drop')).rows).toHaveLength(EVENT_PAGE);
  });
});

describe('a billing issue', () => {
  it('goes from open to escalated to resolved, with audit entries, and fails for a second administrator', async () => {
    await db.repos.billingIssues.record(ownerId, [fact('in_1')]);
    const id = `${ownerId}:in_1`;
    expect(await getBillingIssue(terminal, id)).toMatchObject({
      status: 'open',
      userEmail: 'owner@example.org',
    });
    const both = await Promise.allSettled([
      escalateIssue(terminal, id, { seen: 'open', reason }),
      resolveIssue(terminal, id, { seen: 'open', reason }),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const second = fact('in_2');
    await db.repos.billingIssues.record(ownerId, [second]);
    const other = `${ownerId}:in_2`;
    await escalateIssue(terminal, other, { seen: 'open', reason });
    expect((await listBillingIssues(terminal, 'escalated')).rows.map((issue) => issue.id)).toContain(other);
    await expect(escalateIssue(terminal, other, { seen: 'escalated', reason })).rejects.toMatchObject({
      conflict: 'CHANGED_MEANWHILE',
    });
    db.clock.advance(1000);
    await resolveIssue(terminal, other, { seen: 'escalated', reason });
    expect(await getBillingIssue(terminal, other)).toMatchObject({
      status: 'resolved',
      resolvedAt: db.clock.now(),
    });
    const [row] = await db.repos.audit.listAbout(ownerId, 1);
    expect(row).toMatchObject({
      action: 'billing-issue.resolve',
      before: { issue: other, status: 'escalated' },
      after: { issue: other, status: 'resolved' },
      reason,
    });
    // A repeated report from the payment provider does not change it.
    await db.repos.billingIssues.record(ownerId, [second]);
    expect((await getBillingIssue(terminal, other)).status).toBe('resolved');
  });

  it('allows a mail to its owner, which is sent exactly as previewed', async () => {
    await db.repos.billingIssues.record(ownerId, [fact('in_3', 3000)]);
    const id = `${ownerId}:in_3`;
    const input = { template: 'payment_failed', note: 'We tried twice.\nBest wishes' } as const;
    const preview = await previewContact(terminal, id, input);
    expect(preview).toMatchObject({ to: 'owner@example.org', subject: 'About your payment for Vialbook' });
    expect(preview.text).toContain('$30.00');
    expect(preview.text).toContain('We tried twice.');
    await contactUser(terminal, id, input);
    const [mail] = (await db.mails()).slice(-1);
    expect(mail).toMatchObject({ to: preview.to, subject: preview.subject, text: preview.text });
    await expect(previewContact(terminal, id, { template: 'flattery' as never })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
    await db.repos.billingIssues.record('gone', [fact('in_4')]);
    await expect(contactUser(terminal, 'gone:in_4', input)).rejects.toMatchObject({
      conflict: 'WRONG_STATE',
    });
  });

  it('can be changed only with a reason, by an admin, after a recent sign-in', async () => {
    await db.repos.billingIssues.record(ownerId, [fact('in_5')]);
    const id = `${ownerId}:in_5`;
    const { ctx, signedIn } = await newPerson(db, 'staff@example.org');
    const input = { seen: 'open', reason } as const;
    await expect(resolveIssue(ctx, id, input)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await db.repos.users.setRole(signedIn.user.id, 'admin');
    const admin = await ctxOfToken(db, signedIn.token);
    await expect(resolveIssue(admin, id, { seen: 'open', reason: '' })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      fields: { reason: [expect.any(String)] },
    });
    await expect(resolveIssue(admin, 'nobody:none', input)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    db.clock.advance(20 * 60_000);
    await expect(resolveIssue(admin, id, input)).rejects.toMatchObject({ code: 'RECENT_SIGN_IN_REQUIRED' });
    expect((await getBillingIssue(terminal, id)).status).toBe('open');
  });
});
