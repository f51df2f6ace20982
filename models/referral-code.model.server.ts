import { Schema } from 'mongoose';

/** A document of `referral_codes`: whose code it is. Keyed by the code, so that it can exist only once. */
export interface ReferralCodeRow {
  _id: string;
  userId: string;
}

export const referralCodeSchema = new Schema<ReferralCodeRow>(
  { _id: { type: String, required: true }, userId: { type: String, required: true } },
  { collection: 'referral_codes' },
);

// Found when an account is deleted.
referralCodeSchema.index({ userId: 1 });
