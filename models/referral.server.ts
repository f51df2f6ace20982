import { trusted, type Connection } from 'mongoose';
import type { ReferralStanding } from '#app/domain/referrals/referral-status.ts';
import { isDuplicateKey } from './duplicate-key.server.ts';
import { modelOf } from './model-of.server.ts';
import { referralSchema, type ReferralRow } from './referral.model.server.ts';

/** A referral; `place` is the hash of the referred account's id, `userId` who referred. */
export interface ReferralRecord extends Omit<ReferralRow, '_id' | 'standing'> {
  place: string;
  standing: ReferralStanding;
}

type StoredRow = Omit<ReferralRow, 'standing'> & { standing: ReferralStanding };

function toRecord({ _id, ...rest }: StoredRow): ReferralRecord {
  return { place: _id, ...rest };
}

/** Who referred whom. Each change is one atomic update of one referral. */
export function createReferralRepository(connection: Connection) {
  const model = modelOf<ReferralRow>(connection, 'Referral', referralSchema);
  const real = { standing: trusted({ $ne: 'closed' as const }) };

  async function take(row: ReferralRow): Promise<boolean> {
    try {
      await model.create(row);
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }

  return {
    /** Fills an account's place. @returns false when it is filled or closed: nobody is referred twice */
    begin(place: string, referral: Pick<ReferralRow, 'userId' | 'code' | 'grantId' | 'createdAt'>) {
      const open = { standing: 'pending', creditedAt: null, reversedAt: null, isSettled: true } as const;
      return take({ _id: place, ...referral, ...open });
    },

    /** Closes the place of an account that gets a code of its own, unless it is filled. */
    async close(place: string, own: Pick<ReferralRow, 'userId' | 'code' | 'createdAt'>): Promise<void> {
      const closed = { standing: 'closed', creditedAt: null, reversedAt: null, isSettled: true } as const;
      await take({ _id: place, grantId: place, ...own, ...closed });
    },

    async findByPlace(place: string): Promise<ReferralRecord | null> {
      const row = await model.findOne({ _id: place, ...real }).lean();
      return row === null ? null : toRecord(row as StoredRow);
    },

    /** Moves the standing, but only the one that was read. What follows from it is to be settled then. */
    async move(
      { place, userId, standing }: ReferralRecord,
      next: { standing: ReferralStanding } & ({ creditedAt: Date } | { reversedAt: Date }),
    ): Promise<void> {
      await model.updateOne({ _id: place, userId, standing }, { $set: { ...next, isSettled: false } });
    },

    /** Marks what follows from a standing as done. @returns false when the standing moved on meanwhile */
    async settle({ place, userId, standing }: ReferralRecord): Promise<boolean> {
      const result = await model.updateOne({ _id: place, userId, standing }, { $set: { isSettled: true } });
      return result.matchedCount === 1;
    },

    /** Those of one referrer, the newest first. */
    async list(userId: string, limit: number): Promise<ReferralRecord[]> {
      const rows = await model
        .find({ userId, ...real })
        .sort({ createdAt: -1, _id: 1 })
        .limit(limit)
        .lean();
      return rows.map((row) => toRecord(row as StoredRow));
    },

    /** How many referrals of one referrer stand where. */
    async countByStanding(userId: string): Promise<Record<ReferralStanding, number>> {
      const count = (standing: ReferralStanding) => model.countDocuments({ userId, standing });
      const [pending, credited, reversed] = await Promise.all([
        count('pending'),
        count('credited'),
        count('reversed'),
      ]);
      return { pending, credited, reversed };
    },
  };
}

export type ReferralRepository = ReturnType<typeof createReferralRepository>;
