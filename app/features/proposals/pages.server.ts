import { PROPOSAL_MESSAGES } from '#app/domain/proposals/proposal.ts';
import { proposalFormSchema } from '#app/domain/proposals/proposal-schema.ts';
import { shownInstant } from '#app/domain/time/zoned-time.ts';
import { STATUS, type AppError, type ErrorCode } from '#app/domain/errors.ts';
import { listApiTokens } from '#app/features/accounts/index.server.ts';
import { data } from '@remix-run/node';
import { submit, done, type LastResult } from '#app/platform/http/forms.server.ts';
import type { UserPageArgs } from '#app/platform/http/route-handlers.server.ts';
import {
  acceptProposal,
  declineAllProposals,
  declineProposal,
  listProposals,
  type Operations,
  type ProposalView,
} from './proposals.server.ts';
import { PROPOSALS_PATH } from './proposal-link.tsx';
import type { AnsweredProposal, ProposalRefusal, WaitingProposal } from './proposal-list.tsx';

/** Proposals per page. Each is compared with the current state of the record it would change. */
const PAGE_SIZE = 10;

/** How many answered proposals are listed. */
const ANSWERED = 10;

const STATE_TEXT: Readonly<Record<ProposalView['state'], string>> = {
  waiting: 'Waiting',
  accepting: 'Being carried out',
  accepted: 'Accepted',
  declined: 'Declined',
  expired: 'Expired',
  interrupted: 'Interrupted',
};

function waitingRow(proposal: ProposalView, timeZone: string, tokens: Map<string, string>): WaitingProposal {
  const { id, summary, subject, changes, questions, message, mark, source, createdAt, expiresAt } = proposal;
  return {
    id,
    summary,
    subject,
    changes,
    questions,
    problem: message,
    mark,
    source: source === 'terminal' ? 'a program at the terminal' : (tokens.get(source) ?? 'a deleted token'),
    proposedOn: shownInstant(createdAt, timeZone),
    endsOn: shownInstant(expiresAt, timeZone),
  };
}

function answeredRow({ id, summary, state, message, answeredAt, createdAt }: ProposalView, timeZone: string) {
  const row: AnsweredProposal = {
    id,
    summary,
    stateText: STATE_TEXT[state],
    message: state === 'interrupted' ? PROPOSAL_MESSAGES.interrupted : message,
    on: shownInstant(answeredAt ?? createdAt, timeZone),
  };
  return row;
}

/** The waiting proposals, and the last answered ones. */
export async function readProposalsPage({ ctx, url }: UserPageArgs, operations: Operations) {
  const page = Math.max(1, Math.min(1000, Number.parseInt(url.searchParams.get('page') ?? '1', 10) || 1));
  const [waiting, answered, tokens] = await Promise.all([
    listProposals(ctx, operations, { page, limit: PAGE_SIZE, waiting: true }),
    listProposals(ctx, operations, { page: 1, limit: ANSWERED, waiting: false }),
    listApiTokens(ctx),
  ]);
  const names = new Map(tokens.map(({ id, name }) => [id, `the token “${name}”`]));
  return {
    waiting: waiting.proposals.map((proposal) => waitingRow(proposal, ctx.timeZone, names)),
    total: waiting.total,
    answered: answered.proposals.map((proposal) => answeredRow(proposal, ctx.timeZone)),
    previous: page > 1 ? `?page=${page - 1}` : null,
    next: page * PAGE_SIZE < waiting.total ? `?page=${page + 1}` : null,
  };
}

/** The page's frame answers these: it shows why, or leads through a sign-in. Every other error is shown with its proposal. */
const ELSEWHERE: readonly string[] = ['SUSPENDED', 'UNAUTHENTICATED', 'RECENT_SIGN_IN_REQUIRED'];
const also = (Object.keys(STATUS) as ErrorCode[]).filter((code) => !ELSEWHERE.includes(code));

/** Why an answer failed. A question about an unusual amount can be confirmed. */
function refused(lastResult: LastResult, init: ResponseInit, error?: AppError) {
  const refusal: ProposalRefusal = {
    id: String(lastResult.initialValue?.['id'] ?? ''),
    messages: error?.warnings?.map(({ message }) => message) ?? [error?.message ?? 'Choose what to do.'],
    asks: error?.code === 'CONFIRM_DOSE',
  };
  return data(refusal, init);
}

/** Accepts or declines a proposal, or declines all of them. */
export function answerProposals({ request, ctx }: UserPageArgs, operations: Operations) {
  return submit(
    request,
    proposalFormSchema,
    async (input) => {
      switch (input.intent) {
        case 'decline-all':
          await declineAllProposals(ctx);
          return done(PROPOSALS_PATH, PROPOSAL_MESSAGES.allDeclined);
        case 'decline':
          await declineProposal(ctx, operations, input.id);
          return done(PROPOSALS_PATH, PROPOSAL_MESSAGES.declined);
        default:
          return done(PROPOSALS_PATH, await acceptProposal(ctx, operations, input));
      }
    },
    { also, refused },
  );
}
