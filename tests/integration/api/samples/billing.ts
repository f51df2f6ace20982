import { expect } from 'vitest';
import { PASSWORD } from '#tests/support/people.ts';
import type { ApiClient } from '../client.ts';
import type { World } from '../world.ts';
import type { Samples } from './sample.ts';

/** Buys Premium: opens the payment page and pays there, as a browser does. */
export async function buyPremium(owner: ApiClient, { web }: World): Promise<void> {
  const { status, body } = await owner.post('/api/stripe/create-checkout-session', { plan: 'monthly' });
  // This user has already bought it.
  if (status === 409) return;
  const browser = web.visitor();
  await browser.post('/login', { email: owner.email, password: PASSWORD });
  const paid = await browser.post(new URL(String(body.data?.['url'])).pathname);
  expect([paid.status, paid.location]).toEqual([302, '/upgrade/return']);
}

const buyFirst = async (owner: ApiClient, world: World) => {
  await buyPremium(owner, world);
  return { body: {} };
};

export const billingSamples: Samples = {
  createCheckoutSession: { prepare: () => ({ body: { plan: 'monthly' } }), altersOwner: true },
  // The others have not.
  createPortalSession: { prepare: buyFirst, altersOwner: true, expect: { other: 409 } },
};
