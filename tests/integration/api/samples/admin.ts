import type { Samples } from './sample.ts';

export const adminSamples: Samples = {
  adminStats: {},
  adminHealth: {},
  listAdminUsers: { prepare: () => ({ query: { subscription: 'free', limit: '5' } }) },
  auditLog: { prepare: () => ({ query: { limit: '5' } }) },
  changeUserSubscription: {
    async prepare(_, world) {
      const subject = await world.free();
      const { body } = await subject.get('/api/auth/me');
      const { id } = body.data?.['user'] as { id: string };
      return { params: { id }, body: { subscription: 'premium', reason: 'apology' } };
    },
  },
  changeUserStatus: {
    async prepare(_, world) {
      const subject = await world.free();
      const { body } = await subject.get('/api/auth/me');
      const { id } = body.data?.['user'] as { id: string };
      return { params: { id }, body: { action: 'suspend', reason: 'chargeback' } };
    },
  },
};
