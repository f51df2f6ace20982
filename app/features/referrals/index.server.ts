export { type ReferralCredit, endAllCredit, settleReferral } from './referral-credit.server.ts';
export {
  claimReferralCode,
  createReferralCode,
  fillReferralPlace,
  findReferrer,
  getReferrals,
  referralQr,
} from './referrals.server.ts';
