import { certificate } from '#tests/support/papers.ts';
import type { ApiClient } from '../client.ts';
import type { Samples } from './sample.ts';

let count = 0;

/** An unused lot number. */
const fresh = () => `L-${(count += 1)}`;

async function lotOf(owner: ApiClient): Promise<string> {
  const { body } = await owner.post('/api/lots', { number: fresh(), product: 'BPC-157' });
  return (body.data?.['lot'] as { id: string }).id;
}

const of = (body?: object) => ({
  prepare: async (owner: ApiClient) => ({ params: { id: await lotOf(owner) }, ...(body && { body }) }),
});

const PAPER = {
  field: 'paper',
  name: 'coa.pdf',
  type: 'application/pdf',
  bytes: new Uint8Array(certificate()),
};

async function paperOf(owner: ApiClient) {
  const id = await lotOf(owner);
  const added = await owner.call('POST', `/api/lots/${id}/papers`, { file: PAPER });
  const { id: paperId } = added.body.data?.['paper'] as { id: string };
  return { params: { id, paperId } };
}

export const lotSamples: Samples = {
  listLots: { prepare: () => ({}) },
  addLot: {
    prepare: () => ({ body: { number: fresh(), product: 'BPC-157', purityPercent: 99.1, notes: 'first' } }),
  },
  getLot: of(),
  changeLot: of({ netContentMg: 5.12, reportUrl: null }),
  deleteLot: of(),
  listLotDoses: { prepare: async (owner) => ({ params: { lot: await lotOf(owner) } }) },
  addLotPaper: { prepare: async (owner) => ({ params: { id: await lotOf(owner) }, file: PAPER }) },
  getLotPaper: { prepare: paperOf },
  deleteLotPaper: { prepare: paperOf },
};
