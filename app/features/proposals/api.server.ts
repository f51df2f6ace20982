import * as z from 'zod';
import { PROPOSAL_MESSAGES, PROPOSAL_STATES } from '#app/domain/proposals/proposal.ts';
import { operation, Reply, type Operation } from '#app/platform/api/operation.ts';
import {
  idParams,
  instant,
  named,
  pageQuery,
  cursorPageShape,
  yesOrNo,
  cursorQuery,
} from '#app/platform/api/shapes.ts';
import {
  declineProposal,
  getProposal,
  listProposals,
  type Operations,
  type ProposalView,
} from './proposals.server.ts';

const proposalShape = named(
  'Proposal',
  z.object({
    id: z.string(),
    operation: z.string().describe('`operationId` of the call it would make'),
    summary: z.string().describe('What the call does'),
    state: z
      .enum(PROPOSAL_STATES)
      .describe('`interrupted`: it was cut off while being carried out and is not retried'),
    subject: z.string().nullable().describe('What it would change; null if unknown'),
    changes: z
      .array(
        z.object({
          label: z.string(),
          before: z.string().nullable().describe('Null if unknown'),
          after: z.string(),
        }),
      )
      .describe('In words, as the owner sees them'),
    questions: z.array(z.string()).describe('What its owner is asked about: unusual amounts'),
    message: z.string().nullable().describe('What came of it, or why it could not be carried out so far'),
    source: z.string().describe('Id of the personal token that proposed it, or `terminal`'),
    createdAt: instant,
    expiresAt: instant,
    answeredAt: instant.nullable(),
  }),
);

const toResponse = ({ mark: _, ...proposal }: ProposalView): z.input<typeof proposalShape> => proposal;

const EXAMPLE = {
  id: 'prop_69218f2a0c1d2e3f4a5b6c7d',
  operation: 'takeDose',
  summary: 'Mark a dose as taken',
  state: 'waiting' as const,
  subject: 'BPC-157, due date 22 Nov 2026, 08:00 UTC',
  changes: [{ label: 'Actual dose', before: 'none', after: '250' }],
  questions: [],
  message: null,
  source: '6920f1a29c1b2d3e4f506172',
  createdAt: '2026-11-22T08:00:00.000Z',
  expiresAt: '2026-11-29T08:00:00.000Z',
  answeredAt: null,
};

const tag = 'Proposals';
const one = z.object({ proposal: proposalShape });

/** The calls about proposals. None accepts one: only the owner can, on the page. @param operations every call */
export function proposalOperations(operations: Operations): Operation[] {
  const list = operation({
    id: 'listProposals',
    method: 'GET',
    path: '/api/proposals',
    tag,
    summary: 'Changes that programs propose',
    description:
      'What programs have proposed through MCP, newest first. Nothing changes until the account’s owner accepts a ' +
      'proposal at /dashboard/proposals; a token cannot accept one.',
    access: 'user',
    isList: true,
    query: z.object({
      waiting: yesOrNo.optional().describe('Only waiting proposals, or only the others'),
      ...pageQuery(),
      ...cursorQuery,
    }),
    response: z.object({ proposals: z.array(proposalShape), ...cursorPageShape }),
    example: {
      query: { waiting: 'true' },
      data: { proposals: [EXAMPLE], page: 1, limit: 20, total: 1, next: null },
    },
    async run(ctx, { query: { waiting, ...request } }) {
      const chosen = { ...request, ...(waiting !== undefined && { waiting }) };
      const { proposals, ...paging } = await listProposals(ctx, operations, chosen);
      return { proposals: proposals.map(toResponse), ...paging };
    },
  });
  const get = operation({
    id: 'getProposal',
    method: 'GET',
    path: '/api/proposals/{id}',
    tag,
    summary: 'One proposal',
    description: 'What it would change as of now, and its state.',
    access: 'user',
    params: idParams,
    response: one,
    example: { params: { id: EXAMPLE.id }, data: { proposal: EXAMPLE } },
    run: async (ctx, { params }) => ({ proposal: toResponse(await getProposal(ctx, operations, params.id)) }),
  });
  const decline = operation({
    id: 'declineProposal',
    method: 'POST',
    path: '/api/proposals/{id}/decline',
    tag,
    summary: 'Decline a proposal',
    description: 'The change is not made. Declining it again has no effect.',
    access: 'user',
    params: idParams,
    response: one,
    errors: ['WRONG_STATE', 'ALREADY_RUNNING'],
    noTool: 'only the owner answers a proposal',
    example: { params: { id: EXAMPLE.id }, data: { proposal: { ...EXAMPLE, state: 'declined' } } },
    async run(ctx, { params }) {
      const proposal = toResponse(await declineProposal(ctx, operations, params.id));
      return new Reply({ proposal }, { message: PROPOSAL_MESSAGES.declined });
    },
  });
  return [list, get, decline];
}
