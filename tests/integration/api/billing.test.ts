import { describe, expect, it } from 'vitest';
import { buyPremium } from './samples/billing.ts';
import { useApi } from './world.ts';

const world = useApi();

describe('buying by the API', () => {
  it('returns the payment page, and gives Premium once paid', async () => {
    const person = await world.free();
    const { status, body } = await person.post('/api/stripe/create-checkout-session', { plan: 'yearly' });
    expect(status).toBe(200);
    expect(body.data?.['url']).toMatch(/^http:\/\/localhost:\d+\/upgrade\/test-checkout\/cs_test_/);
    expect((await person.get('/api/auth/me')).body.data?.['user']).toMatchObject({ subscription: 'free' });
    await buyPremium(person, world);
    expect((await person.get('/api/auth/me')).body.data?.['user']).toMatchObject({
      subscription: 'premium',
      subscriptionStatus: 'active',
    });
    const again = await person.post('/api/stripe/create-checkout-session', { plan: 'monthly' });
    expect([again.status, again.body.error]).toEqual([409, 'ALREADY_SUBSCRIBED']);
    const portal = await person.post('/api/stripe/create-portal-session');
    expect(portal.body.data?.['url']).toMatch(/\/upgrade\/test-portal\/bps_test_/);
  });

  it.each([
    {},
    { plan: 'weekly' },
    { plan: ['monthly'] },
    { plan: { $gt: '' } },
    { plan: 'monthly', userId: 'x' },
  ])('refuses %j with 400', async (body) => {
    const person = await world.free();
    const answer = await person.post('/api/stripe/create-checkout-session', body);
    expect([answer.status, answer.body.error]).toEqual([400, 'INVALID_INPUT']);
  });

  it('opens only one checkout for a repeated Idempotency-Key', async () => {
    const person = await world.free();
    const send = () =>
      person.call('POST', '/api/stripe/create-checkout-session', {
        body: { plan: 'monthly' },
        headers: { 'idempotency-key': 'one-purchase' },
      });
    const [first, second] = [await send(), await send()];
    expect(second.body.data).toEqual(first.body.data);
  });
});
