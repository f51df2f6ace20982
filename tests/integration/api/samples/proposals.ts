import type { ApiClient } from '../client.ts';
import type { World } from '../world.ts';
import type { Samples } from './sample.ts';

let asked = 0;

/** A proposal for a user, created with their personal token. */
async function proposed(owner: ApiClient, world: World) {
  const token = await world.tokenOf(owner, 'write');
  const { body } = await token.post('/mcp', {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'setCeiling', arguments: { name: `Compound ${(asked += 1)}`, perDose: 5 } },
  });
  const { result } = body as unknown as {
    result: { structuredContent: { data: { proposal: { id: string } } } };
  };
  return { params: { id: result.structuredContent.data.proposal.id } };
}

export const proposalSamples: Samples = {
  listProposals: { prepare: () => ({ query: { waiting: 'true' } }) },
  getProposal: { prepare: proposed },
  declineProposal: { prepare: proposed },
};
