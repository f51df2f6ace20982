export {
  type ReferralCredit,
  endAllCredit,
  applyReferralPayment,
  claimReferralCode,
  createReferralCode,
  fillReferralPlace,
  findReferrer,
  getReferrals,
  referralQr,
} from './referrals.server.ts';
