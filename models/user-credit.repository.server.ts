import type { Connection } from 'mongoose';
import type { CreditGrant } from '#app/domain/referrals/referral-credit.ts';
import { modelOf } from './model-of.server.ts';
import { userSchema, type UserRow } from './user.model.server.ts';

/** The credit of an account as it was read. */
export interface CreditRecord {
  grants: CreditGrant[];
  /** Moves with every change. */
  revision: number | null;
}

/** Referral codes and credit of accounts. Each change is one atomic update of the account it names. */
export function createUserCreditRepository(connection: Connection) {
  const model = modelOf<UserRow>(connection, 'User', userSchema);
  return {
    /** @returns null when there is no such account */
    async findCredit(id: string): Promise<CreditRecord | null> {
      const row = await model.findById(id, { creditGrants: 1, creditRevision: 1 }).lean();
      if (row === null) return null;
      return { grants: row.creditGrants ?? [], revision: row.creditRevision ?? null };
    },

    /** Replaces the grants and with them the end of the credit, but only what was read. @returns whether it did */
    async replaceCredit(
      id: string,
      known: CreditRecord,
      next: { grants: CreditGrant[]; until: Date | null },
    ): Promise<boolean> {
      const revision = (known.revision ?? 0) + 1;
      const result = await model.updateOne(
        { _id: id, creditRevision: known.revision },
        { $set: { creditGrants: next.grants, creditUntil: next.until, creditRevision: revision } },
      );
      return result.modifiedCount === 1;
    },

    /** Gives an account its code, unless it has one. @returns whether it did */
    async setReferralCode(id: string, code: string): Promise<boolean> {
      const result = await model.updateOne({ _id: id, referralCode: null }, { $set: { referralCode: code } });
      return result.modifiedCount === 1;
    },
  };
}
