export {
  acceptProposal,
  countWaitingProposals,
  declineAllProposals,
  declineProposal,
  getProposal,
  listProposals,
  propose,
  type Operations,
} from './proposals.server.ts';
