export {
  parseReferralCode,
  REFERRAL_ALPHABET,
  REFERRAL_CODE_BYTES,
  REFERRAL_CODE_LENGTH,
  referralCode,
  referralLink,
  shareText,
} from './code.ts';
export {
  creditSpans,
  creditUntil,
  endCredit,
  grantCredit,
  REFERRAL_CREDIT_DAYS,
  reverseCredit,
  type CreditGrant,
  type CreditSpan,
} from './credit.ts';
export {
  mayRefer,
  nextStanding,
  referralTotals,
  type CreditChange,
  type Referral,
  type ReferralStanding,
} from './standing.ts';
