import { Schema, trusted, type Connection } from 'mongoose';
import { modelOf } from '../store/model-of.server.ts';
import { secretOwners } from '../store/secret-owners.server.ts';

/** A document of `sessions`, keyed by the hash of the secret that the browser holds. */
interface SessionRow {
  _id: string;
  userId: string;
  /** Identifies the sign-in; stays the same when the secret is rotated. */
  signInId: string;
  createdAt: Date;
  lastUsedAt: Date;
  /** When the password was last entered during this session. */
  authenticatedAt: Date;
  /** When it ends if it is not used before. */
  expiresAt: Date;
  /** When it ends even if it is used. */
  endsAt: Date;
  remember: boolean;
  /** Set before cleaning up when a session is ended, so that it is refused in the meantime. */
  endedAt: Date | null;
  address: string;
  userAgent: string | null;
}

const sessionSchema = new Schema<SessionRow>(
  {
    _id: { type: String, required: true },
    userId: { type: String, required: true },
    signInId: { type: String, required: true },
    createdAt: { type: Date, required: true },
    lastUsedAt: { type: Date, required: true },
    authenticatedAt: { type: Date, required: true },
    expiresAt: { type: Date, required: true },
    endsAt: { type: Date, required: true },
    remember: { type: Boolean, required: true },
    endedAt: { type: Date, default: null },
    address: { type: String, default: '' },
    userAgent: { type: String, default: null },
  },
  { collection: 'sessions' },
);

sessionSchema.index({ userId: 1, signInId: 1 });
// For the step that removes ended sessions.
sessionSchema.index({ expiresAt: 1 });

/** A session; `tokenHash` is the hash of its secret. */
export interface SessionRecord extends Omit<SessionRow, '_id'> {
  tokenHash: string;
}

function toRecord(row: SessionRow): SessionRecord {
  const { _id, ...rest } = row;
  // Sessions from before this was stored were opened with the password.
  return { ...rest, tokenHash: _id, authenticatedAt: rest.authenticatedAt ?? rest.createdAt };
}

/** Sign-in sessions, looked up by the hash of their secret. All other calls name the owner. */
export function createSessionRepository(connection: Connection) {
  const model = modelOf<SessionRow>(connection, 'Session', sessionSchema);
  const owners = secretOwners(connection);
  return {
    async create(session: SessionRecord): Promise<void> {
      const { tokenHash, ...rest } = session;
      await owners.put(tokenHash, rest.userId, rest.endsAt);
      await model.create({ _id: tokenHash, ...rest });
    },

    async findByTokenHash(tokenHash: string): Promise<SessionRecord | null> {
      const row = await owners.findRow<SessionRow>(model, tokenHash);
      return row === null ? null : toRecord(row);
    },

    /** Records a use, unless one was recorded after `unlessAfter`. */
    async touch(
      { userId, tokenHash }: Pick<SessionRecord, 'userId' | 'tokenHash'>,
      use: { at: Date; expiresAt: Date; unlessAfter: Date },
    ): Promise<void> {
      await model.updateOne(
        { userId, _id: tokenHash, endedAt: null, lastUsedAt: trusted({ $lte: use.unlessAfter }) },
        { $set: { lastUsedAt: use.at, expiresAt: use.expiresAt } },
      );
    },

    /** The owner's active sessions, most recently used first. */
    async list(userId: string, now: Date): Promise<SessionRecord[]> {
      const rows = await model.find({ userId, endedAt: null, expiresAt: trusted({ $gt: now }) }).lean();
      return rows.map(toRecord).sort((a, b) => b.lastUsedAt.getTime() - a.lastUsedAt.getTime());
    },

    /** Whether one of the owner's sign-ins is still active. */
    async isRunning(userId: string, signInId: string, now: Date): Promise<boolean> {
      const filter = { userId, signInId, endedAt: null, expiresAt: trusted({ $gt: now }) };
      return (await model.exists(filter)) !== null;
    },

    /** Revokes a sign-in. */
    async markEnded(userId: string, signInId: string, at: Date): Promise<void> {
      await model.updateMany({ userId, signInId }, { $set: { endedAt: at, expiresAt: at } });
    },

    /**
     * Revokes all of an owner's sign-ins but keeps their rows until they expire, so that users can be told why.
     * @returns the sign-ins
     */
    async refuseAll(userId: string, at: Date): Promise<string[]> {
      await model.updateMany({ userId, endedAt: null }, { $set: { endedAt: at } });
      const rows = await model.find({ userId }, { signInId: 1 }).lean();
      return [...new Set(rows.map((row) => row.signInId))];
    },

    /** All of the owner's sign-ins that have a row, active or not. */
    async listSignIns(userId: string): Promise<string[]> {
      const rows = await model.find({ userId }, { signInId: 1 }).lean();
      return [...new Set(rows.map((row) => row.signInId))];
    },

    /** Removes the rows of a sign-in that has ended. */
    async deleteEnded(userId: string, signInId: string, now: Date): Promise<void> {
      const over = { userId, signInId, expiresAt: trusted({ $lte: now }) };
      const rows = await model.find(over, { _id: 1 }).lean();
      await owners.delete(rows.map(({ _id }) => _id));
      await model.deleteMany(over);
    },

    /** Removes the secret of an active sign-in. @returns false when the sign-in was ended, or the secret is already gone */
    async takeToken(userId: string, tokenHash: string): Promise<boolean> {
      const { deletedCount } = await model.deleteOne({ userId, _id: tokenHash, endedAt: null });
      if (deletedCount === 1) await owners.delete([tokenHash]);
      return deletedCount === 1;
    },

    /** Removes one secret; its sign-in may continue with another. */
    async deleteToken(userId: string, tokenHash: string): Promise<void> {
      await model.deleteOne({ userId, _id: tokenHash });
      await owners.delete([tokenHash]);
    },

    /** All accounts' expired sessions, oldest first, for the job that removes them. */
    async findOver(now: Date, limit: number): Promise<Pick<SessionRecord, 'userId' | 'signInId'>[]> {
      const rows = await model
        .find({ expiresAt: trusted({ $lte: now }) }, { userId: 1, signInId: 1 })
        .sort({ expiresAt: 1 })
        .limit(limit)
        .lean();
      return rows.map(({ userId, signInId }) => ({ userId, signInId }));
    },
  };
}
