import { Schema, trusted, type Connection } from 'mongoose';
import { insertUnlessTaken } from './duplicate-key.server.ts';
import { modelOf } from './model-of.server.ts';

/** A document of `renewal_shifts`: credit of somebody who pays, by which their next charge is to move. */
interface RenewalShiftRow {
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

const renewalShiftSchema = new Schema<RenewalShiftRow>(
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

export type RenewalShiftRecord = Omit<RenewalShiftRow, '_id' | 'userId'>;

function toRecord({ _id, userId: _owner, ...rest }: RenewalShiftRow): RenewalShiftRecord {
  return rest;
}

/** By what credit the charges of paying accounts are to move, and whether they were. */
export function createRenewalShiftRepository(connection: Connection) {
  const model = modelOf<RenewalShiftRow>(connection, 'RenewalShift', renewalShiftSchema);
  return {
    /** Asks for a shift. A second time changes nothing. */
    async ask(userId: string, shift: { shiftId: string; days: number }, at: Date): Promise<void> {
      await insertUnlessTaken(model, { _id: `${userId}:${shift.shiftId}`, userId, ...shift, triedAt: at });
    },

    /** The shifts of an account that were not made yet. */
    async listOpen(userId: string): Promise<RenewalShiftRecord[]> {
      return (await model.find({ userId, doneAt: null }).sort({ _id: 1 }).lean()).map(toRecord);
    },

    async find(userId: string, shiftId: string): Promise<RenewalShiftRecord | null> {
      const row = await model.findOne({ _id: `${userId}:${shiftId}`, userId }).lean();
      return row === null ? null : toRecord(row);
    },

    /** Writes down where the charge is to move, unless it was. @returns the shift as it is then */
    async plan(
      userId: string,
      shiftId: string,
      { subscriptionId, until }: { subscriptionId: string; until: Date },
    ): Promise<RenewalShiftRecord | null> {
      const _id = `${userId}:${shiftId}`;
      await model.updateOne({ _id, userId, until: null }, { $set: { subscriptionId, until } });
      const row = await model.findOne({ _id, userId }).lean();
      return row === null ? null : toRecord(row);
    },

    async markTried(userId: string, shiftId: string, at: Date): Promise<void> {
      await model.updateOne({ _id: `${userId}:${shiftId}`, userId }, { $set: { triedAt: at } });
    },

    async markDone(userId: string, shiftId: string, at: Date): Promise<void> {
      await model.updateOne({ _id: `${userId}:${shiftId}`, userId }, { $set: { doneAt: at } });
    },

    /** Accounts of anybody with an open shift, the longest untried first. */
    async findOwnersOfOpen(before: Date, limit: number): Promise<string[]> {
      const rows = await model
        .find({ doneAt: null, triedAt: trusted({ $lte: before }) }, { userId: 1 })
        .sort({ triedAt: 1 })
        .limit(limit)
        .lean();
      return [...new Set(rows.map(({ userId }) => userId))];
    },
  };
}
