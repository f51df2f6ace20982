export { ReferralLedger } from './referral-ledger.tsx';
export { MakeLink, ReferralLink, ShareText } from './referral-link.tsx';
