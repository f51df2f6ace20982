import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '#app/domain/errors.ts';
import { getBilling } from '#app/features/billing/billing.server.ts';
import { getReferrals } from '#app/features/referrals/referrals.server.ts';
import { askForShifts, carryOutShifts, shiftRenewals } from '#app/features/billing/billing-changes.server.ts';
import { buyPlan } from '#tests/support/billing.ts';
import { openTestDatabase, TERMINAL, type TestDatabase } from '#tests/support/database.ts';
import { newPerson, type Person } from '#tests/support/people.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.dispose());

const DAY = 86_400_000;
const periodEnd = async ({ ctx }: Person) => (await getBilling(ctx)).billing.currentPeriodEnd?.getTime() ?? 0;

/** A user with a code, and one who registered with it. */
async function pair(name: string): Promise<[referrer: Person, referred: Person]> {
  const referrer = await newPerson(db, `${name}-one@example.org`);
  const ref = (await getReferrals(referrer.ctx)).invitation?.code ?? expect.unreachable('no code');
  return [referrer, await newPerson(db, `${name}-two@example.org`, { ref })];
}

describe('referral credit of paying accounts', () => {
  it('moves the next charge of both by 30 days, and back when the payment is refunded', async () => {
    const [referrer, referred] = await pair('both');
    await buyPlan(referrer, 'yearly');
    const before = await periodEnd(referrer);
    const month = new Date('2090-04-10T12:00:00Z').getTime();
    const { act } = await buyPlan(referred);
    expect((await periodEnd(referrer)) - before).toBe(30 * DAY);
    expect(await periodEnd(referred)).toBe(month + 30 * DAY);
    await act('refund');
    expect(await periodEnd(referrer)).toBe(before);
    expect(await periodEnd(referred)).toBe(month);
  });

  it('moves no charge of a referrer who does not pay', async () => {
    const [referrer, referred] = await pair('free');
    await buyPlan(referred);
    const { entitlement, billing } = await getBilling(referrer.ctx);
    expect([entitlement.source, billing.billingStatus]).toEqual(['credit', 'none']);
    expect(await db.repos.renewalShifts.listOpen(referrer.signedIn.user.id)).toEqual([]);
  });

  it('moves the charge later, once, if the provider did not answer', async () => {
    const person = await newPerson(db, 'unanswered@example.org');
    await buyPlan(person);
    const before = await periodEnd(person);
    const userId = person.signedIn.user.id;
    const ctx = db.ctx(TERMINAL);
    const refuse = () => Promise.reject(new AppError('PROVIDER_UNAVAILABLE', 'no answer'));
    const deaf = { ...ctx, payments: { ...ctx.payments, postponeRenewal: refuse } };
    const credit = { userId, change: 'granted', grantId: 'g1', creditUntil: null } as const;
    await askForShifts(deaf, [credit, credit]);
    await carryOutShifts(deaf, userId);
    expect(await periodEnd(person)).toBe(before);
    await Promise.all([shiftRenewals(ctx), shiftRenewals(ctx), carryOutShifts(ctx, userId)]);
    await shiftRenewals(ctx);
    expect((await periodEnd(person)) - before).toBe(30 * DAY);
    await expect(shiftRenewals(person.ctx)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });
});
