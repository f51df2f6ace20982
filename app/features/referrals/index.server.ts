export { type StandingCredit, endAllCredit, settleReferral } from './referral-credit.server.ts';
export { claimReferralCode, fillReferralPlace, findReferrer } from './referral-start.server.ts';
export { getReferrals, makeReferralCode, referralQr } from './referrals.server.ts';
