import { expect } from 'vitest';
import type { FormFields, WebClient } from '../web-client.ts';
import type { Owned } from './owned.ts';

/** Where the plans page leads by one of its buttons. */
async function payBy(client: WebClient, form: FormFields): Promise<string> {
  const { status, location, body } = await client.post('/upgrade', form);
  expect(status, body.slice(0, 300)).toBe(302);
  return location ?? '';
}

/** The pages of the test payments, whose addresses name a checkout and a portal. */
export const OWNED_BILLING: Record<string, Owned> = {
  '/upgrade/test-checkout/:id': {
    perSession: false,
    async make(owner) {
      const at = await payBy(owner, { intent: 'checkout', plan: 'monthly' });
      const shows = 'Pay with a card that works';
      return { at, shows, isThere: async () => (await owner.get(at)).body.includes(shows) };
    },
  },
  '/upgrade/test-portal/:id': {
    perSession: false,
    async make(owner) {
      await owner.post(await payBy(owner, { intent: 'checkout', plan: 'monthly' }));
      const at = await payBy(owner, { intent: 'portal' });
      const shows = 'Cancel at the end of the period';
      const isThere = async () => (await owner.get(at)).body.includes('value="cancel"');
      return { at, shows, form: { action: 'cancel' }, isThere };
    },
  },
};
