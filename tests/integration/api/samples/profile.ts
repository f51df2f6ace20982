import type { Samples } from './sample.ts';

const TOKEN = { name: 'Home server', scope: 'read', life: '90' };

export const profileSamples: Samples = {
  changeProfile: { prepare: () => ({ body: { name: 'Ada', units: 'imperial' } }) },
  getProfile: {},
  getNotificationChoices: {},
  changeNotificationChoices: { prepare: () => ({ body: { discreet: true, missedAfterHours: 12 } }) },
  listApiTokens: {},
  createApiToken: { prepare: () => ({ body: TOKEN }), altersOwner: true },
  revokeApiToken: {
    async prepare(owner) {
      const { body } = await owner.post('/api/profile/tokens', TOKEN);
      return { params: { id: (body.data?.['apiToken'] as { id: string }).id } };
    },
  },
  getReferrals: {},
  makeReferralCode: { prepare: () => ({ body: {} }) },
};
