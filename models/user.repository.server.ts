import { trusted, type Connection } from 'mongoose';
import type { Profile } from '#app/domain/accounts/index.ts';
import { modelOf } from './model-of.server.ts';
import { userSchema, type UserRow } from './user.model.server.ts';

/** An account without its password hash. */
export interface UserRecord extends Omit<UserRow, '_id' | 'passwordHash'> {
  id: string;
}

/** What a new account is made of. */
export interface NewUser extends Pick<UserRow, 'email' | 'passwordHash' | 'role' | 'timeZone' | 'createdAt'> {
  id: string;
  trialStartedAt?: Date | null;
  trialEndsAt?: Date | null;
  referredByCode?: string | null;
  termsAcceptedAt?: Date | null;
  lastLogin?: Date | null;
}

/** Leaves the password's hash in the database. */
export const WITHOUT_SECRET = { passwordHash: 0 } as const;

/** The stored row as the record that the rest of the program knows. */
export function toUserRecord(row: Omit<UserRow, 'passwordHash'>): UserRecord {
  const { _id, ...rest } = row;
  return { id: _id, ...rest };
}

/** Accounts. Every call names the account it is about. */
export function createUserRepository(connection: Connection) {
  const model = modelOf<UserRow>(connection, 'User', userSchema);
  return {
    async insert(user: NewUser): Promise<void> {
      const { id, ...rest } = user;
      await model.create({ _id: id, lastSeenAt: user.createdAt, ...rest });
    },

    async findById(id: string): Promise<UserRecord | null> {
      const row = await model.findById(id, WITHOUT_SECRET).lean();
      return row === null ? null : toUserRecord(row);
    },

    async findPasswordHash(id: string): Promise<string | null> {
      const row = await model.findById(id, { passwordHash: 1 }).lean();
      return row?.passwordHash ?? null;
    },

    /**
     * Replaces the hash, but only the one that was read: a password changed meanwhile stays changed.
     * @returns whether it was replaced
     */
    async replacePasswordHash(id: string, known: string, next: string): Promise<boolean> {
      const result = await model.updateOne(
        { _id: id, passwordHash: known },
        { $set: { passwordHash: next } },
      );
      return result.modifiedCount === 1;
    },

    async setPasswordHash(id: string, passwordHash: string): Promise<void> {
      await model.updateOne({ _id: id }, { $set: { passwordHash } });
    },

    async setSecondFactor(id: string, since: Date | null): Promise<void> {
      await model.updateOne({ _id: id }, { $set: { secondFactorAt: since } });
    },

    /** Replaces the address, but only the one that was read. @returns whether it was replaced */
    async replaceEmail(id: string, known: string, next: string): Promise<boolean> {
      const result = await model.updateOne({ _id: id, email: known }, { $set: { email: next } });
      return result.modifiedCount === 1;
    },

    async setProfile(id: string, profile: Profile): Promise<void> {
      await model.updateOne({ _id: id }, { $set: { ...profile } });
    },

    async recordSignIn(id: string, at: Date): Promise<void> {
      await model.updateOne({ _id: id }, { $set: { lastLogin: at, lastSeenAt: at } });
    },

    /** Moves the last-seen time forward, unless it already is later than `unlessAfter`. */
    async touch(id: string, at: Date, unlessAfter: Date): Promise<void> {
      await model.updateOne(
        { _id: id, lastSeenAt: trusted({ $lte: unlessAfter }) },
        { $set: { lastSeenAt: at } },
      );
    },

    /** Removes an account that was never finished. */
    async remove(id: string): Promise<void> {
      await model.deleteOne({ _id: id });
    },
  };
}

export type UserRepository = ReturnType<typeof createUserRepository>;
