import type { ApiClient } from '../client.ts';
import type { Samples } from './sample.ts';

const COMPOUND = { name: 'BPC-157', concentration: 2.5, totalAmount: 5, reconstitutionDate: '2026-11-20' };

/** A free account may have three, so those of earlier samples are deleted. */
async function makeRoom(owner: ApiClient): Promise<void> {
  const { body } = await owner.get('/api/compounds', { limit: '100' });
  for (const { id } of body.data?.['compounds'] as { id: string }[])
    await owner.delete(`/api/compounds/${id}`);
}

async function added(owner: ApiClient) {
  await makeRoom(owner);
  const { body } = await owner.post('/api/compounds', COMPOUND);
  const { id } = body.data?.['compound'] as { id: string };
  return { params: { id } };
}

export const compoundSamples: Samples = {
  getStock: {},
  listCompounds: { prepare: () => ({ query: { filter: 'all', sort: 'name', search: 'b' } }) },
  addCompound: {
    async prepare(owner) {
      await makeRoom(owner);
      return { body: COMPOUND };
    },
  },
  getCompound: { prepare: added },
  getVialCard: { prepare: added },
  changeCompound: {
    prepare: async (owner) => ({ ...(await added(owner)), body: { notes: 'Second shelf', lot: null } }),
  },
  deleteCompound: { prepare: added },
  correctRemaining: {
    prepare: async (owner) => ({
      ...(await added(owner)),
      body: { remainingAmount: 4.75, reason: 'counted' },
    }),
  },
};
