import type { Connection } from 'mongoose';
import { isDuplicateKey } from './duplicate-key.server.ts';
import { modelOf } from './model-of.server.ts';
import { referralCodeSchema, type ReferralCodeRow } from './referral-code.model.server.ts';

/** Whose a referral code is. Codes are given in their stored form. */
export function createReferralCodeRepository(connection: Connection) {
  const model = modelOf<ReferralCodeRow>(connection, 'ReferralCode', referralCodeSchema);
  return {
    async findOwner(code: string): Promise<string | null> {
      const row = await model.findById(code).lean();
      return row?.userId ?? null;
    },

    /** Takes a free code. @returns false when somebody has it */
    async claim(code: string, userId: string): Promise<boolean> {
      try {
        await model.create({ _id: code, userId });
        return true;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },

    async release(code: string, userId: string): Promise<void> {
      await model.deleteOne({ _id: code, userId });
    },
  };
}

export type ReferralCodeRepository = ReturnType<typeof createReferralCodeRepository>;
