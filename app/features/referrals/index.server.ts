export {
  type ReferralCredit,
  endAllCredit,
  settleReferral,
  claimReferralCode,
  createReferralCode,
  fillReferralPlace,
  findReferrer,
  getReferrals,
  referralQr,
} from './referrals.server.ts';
