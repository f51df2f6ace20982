import { Schema } from 'mongoose';

/** A document of `renewal_shifts`: credit of somebody who pays, by which their next charge is to move. */
export interface RenewalShiftRow {
  /** The owner's id and the shift's, which is unique within the account. */
  _id: string;
  userId: string;
  /** The credit it is for, and whether that was granted or taken back. */
  shiftId: string;
  /** Below zero brings the charge nearer. */
  days: number;
  /** Worked out once, so that a second attempt asks for the same day. */
  until: Date | null;
  subscriptionId: string | null;
  triedAt: Date;
  doneAt: Date | null;
}

export const renewalShiftSchema = new Schema<RenewalShiftRow>(
  {
    _id: { type: String, required: true },
    userId: { type: String, required: true },
    shiftId: { type: String, required: true },
    days: { type: Number, required: true },
    until: { type: Date, default: null },
    subscriptionId: { type: String, default: null },
    triedAt: { type: Date, required: true },
    doneAt: { type: Date, default: null },
  },
  { collection: 'renewal_shifts' },
);

renewalShiftSchema.index({ userId: 1, doneAt: 1 });
// Found by the step that tries again.
renewalShiftSchema.index({ doneAt: 1, triedAt: 1 });
