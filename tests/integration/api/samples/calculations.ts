import type { ApiClient } from '../client.ts';
import type { Samples } from './sample.ts';

const CALCULATION = { peptideAmount: 5, waterVolume: '2', desiredDose: 0.25, peptideName: 'BPC-157' };

async function saved(owner: ApiClient) {
  const { body } = await owner.post('/api/calculations', CALCULATION);
  const { id } = body.data?.['calculation'] as { id: string };
  return { params: { id } };
}

export const calculationSamples: Samples = {
  listCalculations: { prepare: () => ({ query: { limit: '5', sort: 'date' } }) },
  saveCalculation: { prepare: () => ({ body: CALCULATION }) },
  calculate: { prepare: () => ({ body: CALCULATION }) },
  findLadder: { prepare: () => ({ body: { peptideAmount: 30, doses: [2.5, '5'], capacityMl: 3 } }) },
  getCalculation: { prepare: saved },
  deleteCalculation: { prepare: saved },
  calculationStatistics: {},
};
