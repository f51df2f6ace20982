import type { ApiClient } from '../client.ts';
import type { Samples } from './sample.ts';

const SUPPLY = { kind: 'syringe', name: 'Syringes 0.5 ml', count: 100 };

async function supplyOf(owner: ApiClient): Promise<string> {
  const { body } = await owner.post('/api/supplies', SUPPLY);
  return (body.data?.['supply'] as { id: string }).id;
}

const of = (body?: object) => ({
  prepare: async (owner: ApiClient) => ({ params: { id: await supplyOf(owner) }, ...(body && { body }) }),
});

export const supplySamples: Samples = {
  listSupplies: { prepare: () => ({}) },
  addSupply: { prepare: () => ({ body: { ...SUPPLY, perInjection: 2 } }) },
  getSupply: of(),
  changeSupply: of({ received: 50, version: 0 }),
  deleteSupply: of(),
};
