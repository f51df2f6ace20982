import { Schema, type Connection, trusted } from 'mongoose';
import type { ReferralStatus } from '#app/domain/referrals/referral.ts';
import { insertUnlessTaken } from '../store/writes.server.ts';
import { modelOf } from '../store/model-of.server.ts';
import { readPart } from '../store/queries.server.ts';
import type { ListPart } from '../store/owned-rows.server.ts';

/**
 * A document of `referrals`: an account's one place as someone's referral. It is keyed by a hash of the
 * account's id, so that it exists only once and can be found after the account is deleted, without naming it.
 */
interface ReferralRow {
  _id: string;
  /** The referrer; the account itself if the place is closed, so that people cannot refer themselves. */
  userId: string;
  code: string;
  /** Identifies the credit that both accounts get. */
  grantId: string;
  standing: ReferralStatus | 'closed';
  createdAt: Date;
  creditedAt: Date | null;
  reversedAt: Date | null;
}

const referralSchema = new Schema<ReferralRow>(
  {
    _id: { type: String, required: true },
    userId: { type: String, required: true },
    code: { type: String, required: true },
    grantId: { type: String, required: true },
    standing: { type: String, enum: ['pending', 'credited', 'reversed', 'closed'], required: true },
    createdAt: { type: Date, required: true },
    creditedAt: { type: Date, default: null },
    reversedAt: { type: Date, default: null },
  },
  { collection: 'referrals' },
);

referralSchema.index({ userId: 1, createdAt: -1, _id: 1 });

/** A document of `referral_codes`: a code's owner. Keyed by the code, so that it exists only once. */
interface ReferralCodeRow {
  _id: string;
  userId: string;
}

const referralCodeSchema = new Schema<ReferralCodeRow>(
  { _id: { type: String, required: true }, userId: { type: String, required: true } },
  { collection: 'referral_codes' },
);

// For deleting an account.
referralCodeSchema.index({ userId: 1 });

/** The owners of referral codes. Codes are passed in their stored form. */
export function createReferralCodeRepository(connection: Connection) {
  const model = modelOf<ReferralCodeRow>(connection, 'ReferralCode', referralCodeSchema);
  return {
    async findOwner(code: string): Promise<string | null> {
      const row = await model.findById(code).lean();
      return row?.userId ?? null;
    },

    /** Claims a free code. @returns false when it is taken */
    async claim(code: string, userId: string): Promise<boolean> {
      return insertUnlessTaken(model, { _id: code, userId });
    },
  };
}

/** A referral; `place` is the hash of the referred account's id, `userId` the referrer. */
export interface ReferralRecord extends Omit<ReferralRow, '_id' | 'standing'> {
  place: string;
  status: ReferralStatus;
}

type OpenRow = Omit<ReferralRow, 'standing'> & { standing: ReferralStatus };

function toRecord({ _id, standing, ...rest }: OpenRow): ReferralRecord {
  return { place: _id, status: standing, ...rest };
}

/** Who referred whom. The status is stored as `standing`. */
export function createReferralRepository(connection: Connection) {
  const model = modelOf<ReferralRow>(connection, 'Referral', referralSchema);
  const real = { standing: trusted({ $ne: 'closed' as const }) };

  async function take(row: ReferralRow): Promise<boolean> {
    return insertUnlessTaken(model, row);
  }

  return {
    /** Fills an account's place. @returns false when it is filled or closed, since nobody can be referred twice */
    begin(place: string, referral: Pick<ReferralRow, 'userId' | 'code' | 'grantId' | 'createdAt'>) {
      const open = { standing: 'pending', creditedAt: null, reversedAt: null } as const;
      return take({ _id: place, ...referral, ...open });
    },

    /** Closes an account's place when it gets a code of its own, unless the place is filled. */
    async close(place: string, own: Pick<ReferralRow, 'userId' | 'code' | 'createdAt'>): Promise<void> {
      const closed = { standing: 'closed', creditedAt: null, reversedAt: null } as const;
      await take({ _id: place, grantId: place, ...own, ...closed });
    },

    async findByPlace(place: string): Promise<ReferralRecord | null> {
      const row = await model.findOne({ _id: place, ...real }).lean();
      return row === null ? null : toRecord(row as OpenRow);
    },

    /** Changes the status, in the transaction that credits both accounts. */
    async changeStatus(
      { place, userId }: ReferralRecord,
      standing: ReferralStatus,
      at: { creditedAt: Date } | { reversedAt: Date },
    ): Promise<void> {
      await model.updateOne({ _id: place, userId }, { $set: { standing, ...at } });
    },

    /** One referrer's referrals, newest first. */
    async list(userId: string, part: ListPart): Promise<ReferralRecord[]> {
      const rows = await readPart(model, { userId, ...real }, { sort: { createdAt: -1, _id: 1 }, ...part });
      return rows.map((row) => toRecord(row as OpenRow));
    },

    /** How many referrals one referrer has in each status. */
    async countByStatus(userId: string): Promise<Record<ReferralStatus, number>> {
      const count = (standing: ReferralStatus) => model.countDocuments({ userId, standing });
      const [pending, credited, reversed] = await Promise.all([
        count('pending'),
        count('credited'),
        count('reversed'),
      ]);
      return { pending, credited, reversed };
    },
  };
}
