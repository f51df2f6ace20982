import { Schema } from 'mongoose';
import type { ReferralStanding } from '#app/domain/referrals/referral-status.ts';

/**
 * A document of `referrals`: the place that an account has as somebody's referral. It is keyed by a hash of the
 * account's id, so that it exists once and can be found after the account is gone, without naming it.
 */
export interface ReferralRow {
  _id: string;
  /** Who referred; the account itself where the place is closed, so that nobody can ever refer themselves. */
  userId: string;
  code: string;
  /** Names the credit that both get for it. */
  grantId: string;
  standing: ReferralStanding | 'closed';
  createdAt: Date;
  creditedAt: Date | null;
  reversedAt: Date | null;
  /** What the standing says has been done to both accounts. */
  isSettled: boolean;
}

export const referralSchema = new Schema<ReferralRow>(
  {
    _id: { type: String, required: true },
    userId: { type: String, required: true },
    code: { type: String, required: true },
    grantId: { type: String, required: true },
    standing: { type: String, enum: ['pending', 'credited', 'reversed', 'closed'], required: true },
    createdAt: { type: Date, required: true },
    creditedAt: { type: Date, default: null },
    reversedAt: { type: Date, default: null },
    isSettled: { type: Boolean, required: true },
  },
  { collection: 'referrals' },
);

referralSchema.index({ userId: 1, createdAt: -1, _id: 1 });
