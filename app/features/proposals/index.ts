export { ProposalLink, AnsweredProposals, PROPOSALS_PATH, WaitingProposals } from './proposal-list.tsx';
