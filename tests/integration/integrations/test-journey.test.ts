import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { firstPayment, liveSubscriptionIds, issuesOf } from '#app/domain/billing/billing-state.ts';
import { SILENT_LOG } from '#app/domain/log.ts';
import { stateFile } from '#app/integrations/test-stripe/state.server.ts';
import { APP_URL, buy, DAY_MS, openShop, received, type Shop } from './test-payments.ts';

let shop: Shop;
beforeEach(async () => {
  shop = await openShop();
});
afterEach(() => shop.close());

const inDays = (days: number) => new Date(shop.now().getTime() + days * DAY_MS);

describe('a purchase in test mode', () => {
  it('leads to a page of this site, where it is paid, and back', async () => {
    const customerId = await shop.payments.createCustomer({ userId: 'u1', email: 'ann@example.org' });
    const { id, url } = await shop.payments.createCheckoutSession({
      plan: 'yearly',
      userId: 'u1',
      customerId,
      firstChargeAt: null,
      successUrl: `${APP_URL}/upgrade?done={CHECKOUT_SESSION_ID}`,
      cancelUrl: `${APP_URL}/upgrade`,
      idempotencyKey: 'k1',
    });
    expect(url).toBe(`${APP_URL}/upgrade/test-checkout/${id}`);
    expect(await shop.testPages.findCheckout(id)).toEqual({
      id,
      userId: 'u1',
      plan: 'yearly',
      amountCents: 3000,
      firstChargeAt: null,
      isOpen: true,
      cancelUrl: `${APP_URL}/upgrade`,
    });
    expect(shop.events).toEqual([]);
    expect(await shop.testPages.pay(id)).toBe(`${APP_URL}/upgrade?done=${id}`);
    expect(shop.view()).toMatchObject({ billingStatus: 'active', plan: 'yearly', customerId });
    expect(shop.view().currentPeriodEnd).toEqual(new Date('2027-03-01T12:00:00Z'));
    expect(received(shop)).toBe(3000);
    expect(firstPayment(shop.state())).toBe('made');
    const meaningful = shop.events.filter(({ kind }) => kind !== 'ignored');
    expect(meaningful.map((event) => event.customerId)).toEqual(meaningful.map(() => customerId));
  });

  it('happens once, however often it is paid', async () => {
    const { subscriptionId } = await buy(shop);
    const before = shop.events.length;
    const customerId = await shop.payments.createCustomer({ userId: 'u1', email: 'u1@example.org' });
    expect(customerId).toBe(shop.view().customerId);
    const { id } = await shop.payments.createCheckoutSession({
      plan: 'monthly',
      userId: 'u1',
      customerId,
      firstChargeAt: null,
      successUrl: `${APP_URL}/upgrade?done={CHECKOUT_SESSION_ID}`,
      cancelUrl: `${APP_URL}/upgrade`,
      idempotencyKey: `checkout:u1:${shop.now().getTime()}`,
    });
    await Promise.all([shop.testPages.pay(id), shop.testPages.pay(id)]);
    expect(shop.events).toHaveLength(before);
    expect(liveSubscriptionIds(shop.state())).toEqual([subscriptionId]);
  });

  it('takes no money before trial and credit days are over, and then the price', async () => {
    await buy(shop, { firstChargeAt: inDays(10) });
    expect(shop.view()).toMatchObject({
      billingStatus: 'active',
      isFreeUntilPeriodEnd: true,
      currentPeriodEnd: inDays(10),
    });
    expect(received(shop)).toBe(0);
    expect(firstPayment(shop.state())).toBe('none');
    shop.pass(11);
    await shop.testPages.findPortal('bps_test_unknown');
    expect(received(shop)).toBe(500);
    expect(shop.view().isFreeUntilPeriodEnd).toBe(false);
  });

  it('cannot be found by another id', async () => {
    expect(await shop.testPages.findCheckout('cs_test_nothing')).toBeNull();
    expect(await shop.testPages.findPortal('bps_test_nothing')).toBeNull();
    for (const id of ['__proto__', 'constructor', 'toString']) {
      expect(await shop.testPages.findCheckout(id)).toBeNull();
      expect(await shop.testPages.findPortal(id)).toBeNull();
    }
    await expect(shop.testPages.pay('__proto__')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(shop.testPages.act('cs_test_nothing', 'refund')).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });
});

describe('a test subscription', () => {
  it('is bought, renewed, fails to renew, recovers, is cancelled and ends', async () => {
    const { portalId } = await buy(shop);
    const portal = async () => (await shop.testPages.findPortal(portalId))?.actions;

    shop.pass(31);
    expect(await portal()).toEqual([
      'cancel',
      'switch-plan',
      'card-declines',
      'card-expires',
      'end-period',
      'refund',
      'dispute',
    ]);
    expect(received(shop)).toBe(1000);

    await shop.testPages.act(portalId, 'card-declines');
    await shop.testPages.act(portalId, 'end-period');
    expect(shop.view().billingStatus).toBe('past_due');
    expect(Math.abs((shop.view().pastDueSince?.getTime() ?? 0) - shop.now().getTime())).toBeLessThan(10_000);
    expect(issuesOf(shop.state())).toMatchObject([
      { type: 'payment_failed', amountCents: 500, resolvedAt: null },
    ]);

    await shop.testPages.act(portalId, 'retry-payment');
    expect(shop.view().billingStatus).toBe('past_due');
    await shop.testPages.act(portalId, 'new-card');
    await shop.testPages.act(portalId, 'retry-payment');
    expect(shop.view().billingStatus).toBe('active');
    expect(issuesOf(shop.state())[0]?.resolvedAt).not.toBeNull();
    expect(received(shop)).toBe(1500);

    await shop.testPages.act(portalId, 'cancel');
    expect(shop.view()).toMatchObject({ billingStatus: 'active', cancelAtPeriodEnd: true });
    await shop.testPages.act(portalId, 'resume');
    expect(shop.view().cancelAtPeriodEnd).toBe(false);
    await shop.testPages.act(portalId, 'cancel');
    await expect(shop.testPages.act(portalId, 'cancel')).rejects.toMatchObject({ conflict: 'WRONG_STATE' });
    await shop.testPages.act(portalId, 'end-period');
    expect(shop.view().billingStatus).toBe('canceled');
    expect(received(shop)).toBe(1500);
    expect(await portal()).not.toContain('end-period');
  });

  it('ends automatically if a failed renewal is never paid', async () => {
    const { portalId } = await buy(shop);
    await shop.testPages.act(portalId, 'card-declines');
    shop.pass(32);
    await shop.testPages.findPortal(portalId);
    expect(shop.view().billingStatus).toBe('past_due');
    shop.pass(15);
    await shop.testPages.findPortal(portalId);
    expect(shop.view().billingStatus).toBe('canceled');
  });

  it('can be refunded, which also reverses a first payment', async () => {
    const { portalId } = await buy(shop);
    await shop.testPages.act(portalId, 'refund');
    expect(received(shop)).toBe(0);
    expect(firstPayment(shop.state())).toBe('taken-back');
    await expect(shop.testPages.act(portalId, 'refund')).rejects.toMatchObject({ conflict: 'WRONG_STATE' });
  });

  it('goes through a dispute, for whose customer Stripe is asked', async () => {
    const { portalId, customerId } = await buy(shop);
    await shop.testPages.act(portalId, 'dispute');
    expect(shop.events.at(-1)).toMatchObject({ kind: 'dispute', customerId });
    expect(firstPayment(shop.state())).toBe('taken-back');
    expect(issuesOf(shop.state())).toMatchObject([{ type: 'dispute', resolvedAt: null }]);
    expect(received(shop)).toBe(0);
    await shop.testPages.act(portalId, 'win-dispute');
    expect(received(shop)).toBe(500);
    expect(issuesOf(shop.state())[0]?.resolvedAt).not.toBeNull();
  });

  it('reports a card that is about to expire, until it is replaced', async () => {
    const { portalId } = await buy(shop);
    await shop.testPages.act(portalId, 'card-expires');
    expect(issuesOf(shop.state())).toMatchObject([{ type: 'card_expired', resolvedAt: null }]);
    await shop.testPages.act(portalId, 'card-declines');
    await shop.testPages.act(portalId, 'new-card');
    expect(issuesOf(shop.state())[0]?.resolvedAt).not.toBeNull();
  });
});

describe('test events that the webhook rejects', () => {
  it('wait and are delivered later', async () => {
    shop.isUp = false;
    await buy(shop);
    expect(shop.events).toEqual([]);
    shop.isUp = true;
    await shop.testPages.findPortal('');
    expect(shop.view().billingStatus).toBe('active');
    const ids = shop.events.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('are dropped after too many attempts', async () => {
    shop.isUp = false;
    await buy(shop);
    for (let n = 0; n < 26; n += 1) await shop.testPages.findPortal('');
    shop.isUp = true;
    await shop.testPages.findPortal('');
    expect(shop.events).toEqual([]);
  });
});

describe('a restart of the test Stripe', () => {
  it('keeps its state and its signing secret', async () => {
    const { subscriptionId, portalId } = await buy(shop);
    await shop.reopen();
    expect(await shop.payments.getSubscription(subscriptionId)).toMatchObject({ status: 'active' });
    await shop.testPages.act(portalId, 'cancel');
    expect(shop.view().cancelAtPeriodEnd).toBe(true);
  });

  it('starts over if its file cannot be read, and keeps the file', async () => {
    await buy(shop);
    const file = path.join(shop.dataDir, 'test-stripe.json');
    expect(((await stat(file)).mode & 0o777).toString(8)).toBe('600');
    await writeFile(file, '{"version":1,');
    await shop.reopen();
    expect(await shop.testPages.findPortal('')).toBeNull();
    expect(await readFile(`${file}.unreadable`, 'utf8')).toBe('{"version":1,');
    const { subscriptionId } = await buy(shop, { userId: 'u2' });
    expect(subscriptionId).not.toBe('');
  });

  it('starts over although another process has set the file aside already', async () => {
    const file = path.join(shop.dataDir, 'again', 'test-stripe.json');
    await mkdir(path.dirname(file));
    for (let round = 0; round < 20; round += 1) {
      await writeFile(file, 'unreadable');
      const stores = Array.from({ length: 4 }, () => stateFile(path.dirname(file), SILENT_LOG));
      const secrets = await Promise.all(stores.map((store) => store.change((state) => state.webhookSecret)));
      expect(secrets.every((secret) => secret.startsWith('whsec_'))).toBe(true);
    }
  });
});
