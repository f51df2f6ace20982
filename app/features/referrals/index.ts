export { CreateLink, ReferralLedger, ReferralLink, ShareText } from './referrals-page.tsx';
