import type { Samples } from './sample.ts';

const TOKEN = { name: 'Home server', scope: 'read', life: '90' };

export const profileSamples: Samples = {
  changeProfile: { given: () => ({ body: { name: 'Ada', units: 'imperial' } }) },
  getProfile: {},
  getNotificationChoices: {},
  changeNotificationChoices: { given: () => ({ body: { discreet: true, missedAfterHours: 12 } }) },
  listApiTokens: {},
  createApiToken: { given: () => ({ body: TOKEN }), altersOwner: true },
  revokeApiToken: {
    async given(owner) {
      const { body } = await owner.post('/api/profile/tokens', TOKEN);
      return { params: { id: (body.data?.['apiToken'] as { id: string }).id } };
    },
  },
  getReferrals: {},
  makeReferralCode: { given: () => ({ body: {} }) },
};
