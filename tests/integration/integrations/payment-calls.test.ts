import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { APP_URL, buy, DAY_MS, openShop, received, type Shop } from './test-payments.ts';

let shop: Shop;
beforeEach(async () => {
  shop = await openShop();
});
afterEach(() => shop.close());

const inDays = (days: number) => new Date(shop.now().getTime() + days * DAY_MS);

describe('the Stripe adapter', () => {
  it('ends a subscription immediately; a second call changes nothing', async () => {
    const { subscriptionId } = await buy(shop);
    for (const _again of [false, true]) {
      await shop.payments.cancelNow(subscriptionId);
      expect(await shop.payments.getSubscription(subscriptionId)).toMatchObject({ status: 'canceled' });
    }
    await shop.testPages.findPortal('');
    expect(shop.view().billingStatus).toBe('canceled');
  });

  it('ends all subscriptions of a deleted customer, known or not', async () => {
    const { customerId } = await buy(shop);
    await shop.payments.deleteCustomer(customerId);
    await shop.payments.deleteCustomer(customerId);
    await shop.testPages.findPortal('');
    expect(shop.view().billingStatus).toBe('canceled');
    await expect(shop.payments.createPortalSession({ customerId, returnUrl: APP_URL })).rejects.toMatchObject(
      {
        code: 'NOT_FOUND',
      },
    );
  });

  it('postpones a renewal by credit days without charging for them', async () => {
    const { subscriptionId } = await buy(shop);
    const until = inDays(61);
    const request = { subscriptionId, until, idempotencyKey: 'credit:1' };
    await shop.payments.postponeRenewal(request);
    expect((await shop.payments.getSubscription(subscriptionId)).currentPeriodEnd).toEqual(until);
    await shop.payments.postponeRenewal(request);
    await shop.testPages.findPortal('');
    expect(shop.view()).toMatchObject({ billingStatus: 'active', currentPeriodEnd: until });
    shop.pass(40);
    await shop.testPages.findPortal('');
    expect(received(shop)).toBe(500);
    shop.pass(22);
    await shop.testPages.findPortal('');
    expect(received(shop)).toBe(1000);
  });

  it('charges for a plan change exactly what the preview said', async () => {
    const { subscriptionId } = await buy(shop);
    shop.pass(15.5);
    const preview = await shop.payments.previewPlanChange(subscriptionId, 'yearly');
    // Half of March's 5 dollars is left.
    expect(preview).toMatchObject({ dueNowCents: 2750, creditCents: 0 });
    expect(preview.nextChargeAt).toEqual(new Date('2027-03-17T00:00:00Z'));
    shop.pass(0.01);
    await shop.payments.changePlan(subscriptionId, preview);
    const changed = await shop.payments.getSubscription(subscriptionId);
    expect(changed).toMatchObject({ plan: 'yearly', currentPeriodEnd: preview.nextChargeAt });
    await shop.payments.changePlan(subscriptionId, preview);
    await shop.testPages.findPortal('');
    expect(received(shop)).toBe(500 + 2750);
    expect(shop.view().plan).toBe('yearly');
  });

  it('keeps what is left over from a more expensive plan, and deducts it from later charges', async () => {
    const { subscriptionId } = await buy(shop, { plan: 'yearly' });
    const preview = await shop.payments.previewPlanChange(subscriptionId, 'monthly');
    expect(preview).toMatchObject({ dueNowCents: 0, creditCents: 2500 });
    await shop.payments.changePlan(subscriptionId, preview);
    expect(await shop.payments.nextCharge(subscriptionId)).toMatchObject({ amountCents: 0 });
    shop.pass(160);
    expect(await shop.payments.nextCharge(subscriptionId)).toMatchObject({ amountCents: 500 });
    await shop.testPages.findPortal('');
    expect(received(shop)).toBe(3000);
  });

  it('leaves the plan unchanged if the card is declined', async () => {
    const { subscriptionId, portalId } = await buy(shop);
    await shop.testPages.act(portalId, 'card-declines');
    const preview = await shop.payments.previewPlanChange(subscriptionId, 'yearly');
    await expect(shop.payments.changePlan(subscriptionId, preview)).rejects.toMatchObject({
      conflict: 'PAYMENT_REFUSED',
      message: 'The card was declined.',
    });
    expect((await shop.payments.getSubscription(subscriptionId)).plan).toBe('monthly');
  });

  it('returns the next charge, and none after a cancellation', async () => {
    const { subscriptionId, portalId } = await buy(shop);
    expect(await shop.payments.nextCharge(subscriptionId)).toEqual({
      amountCents: 500,
      at: new Date('2026-04-01T12:00:00Z'),
    });
    await shop.testPages.act(portalId, 'cancel');
    expect(await shop.payments.nextCharge(subscriptionId)).toBeNull();
  });

  it('describes a subscription with its open bills while it is unpaid', async () => {
    const { subscriptionId, portalId } = await buy(shop);
    const told = () => shop.payments.getSubscription(subscriptionId);
    expect(await told()).toMatchObject({ status: 'active', unpaid: null, createdAt: shop.now() });
    await shop.testPages.act(portalId, 'card-declines');
    shop.pass(10);
    await shop.testPages.act(portalId, 'end-period');
    const unpaid = { since: shop.now(), amountCents: 500 };
    expect(await told()).toMatchObject({ status: 'past_due', unpaid });
    shop.pass(3);
    await shop.testPages.act(portalId, 'retry-payment');
    expect(await told()).toMatchObject({ status: 'past_due', unpaid });
    await shop.testPages.act(portalId, 'new-card');
    await shop.testPages.act(portalId, 'retry-payment');
    expect(await told()).toMatchObject({ status: 'active', unpaid: null });
  });

  it.each([
    ['a subscription that is not there', () => shop.payments.getSubscription('sub_nothing')],
    [
      'a customer that is not there',
      () => shop.payments.createPortalSession({ customerId: 'x', returnUrl: APP_URL }),
    ],
  ])('says NOT_FOUND for %s', async (_name, call) => {
    await expect(call()).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
