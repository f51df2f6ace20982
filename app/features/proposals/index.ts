export { ProposalLink, PROPOSALS_PATH } from './proposal-link.tsx';
export { AnsweredProposals, WaitingProposals } from './proposal-list.tsx';
