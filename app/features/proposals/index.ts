export { ProposalLink } from './proposal-link.tsx';
export { AnsweredProposals, PROPOSALS_PATH, WaitingProposals } from './proposal-list.tsx';
