import { trusted, type Connection } from 'mongoose';
import type { Profile } from '#app/domain/accounts/profile.ts';
import { domainOf } from '#app/domain/admin/user-search.ts';
import { modelOf } from './model-of.server.ts';
import { userSchema, type UserRow } from './user.model.server.ts';

/** An account without its password hash, and without the history of its credit, which may grow. */
export interface UserRecord extends Omit<
  UserRow,
  '_id' | 'passwordHash' | 'creditGrants' | 'creditRevision'
> {
  id: string;
}

/** What a new account is made of. */
export interface NewUser extends Pick<UserRow, 'email' | 'passwordHash' | 'role' | 'timeZone' | 'createdAt'> {
  id: string;
  trialStartedAt?: Date | null;
  trialEndsAt?: Date | null;
  referredByCode?: string | null;
  referralCode?: string | null;
  termsAcceptedAt?: Date | null;
  lastLogin?: Date | null;
}

/** Leaves in the database what is no part of a {@link UserRecord}. */
export const WITHOUT_SECRET = { passwordHash: 0, creditGrants: 0, creditRevision: 0 } as const;

/** The stored row as the record that the rest of the program knows. */
export function toUserRecord(row: Omit<UserRow, keyof typeof WITHOUT_SECRET>): UserRecord {
  const { _id, ...rest } = row;
  return { id: _id, ...rest };
}

function passwordsOf(model: ReturnType<typeof modelOf<UserRow>>) {
  return {
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
  };
}

/** Accounts. Every call names the account it is about. */
export function createUserRepository(connection: Connection) {
  const model = modelOf<UserRow>(connection, 'User', userSchema);
  return {
    ...passwordsOf(model),

    async insert(user: NewUser): Promise<void> {
      const { id, ...rest } = user;
      const emailDomain = domainOf(user.email);
      await model.create({ _id: id, emailDomain, lastSeenAt: user.createdAt, ...rest });
    },

    async findById(id: string): Promise<UserRecord | null> {
      const row = await model.findById(id, WITHOUT_SECRET).lean();
      return row === null ? null : toUserRecord(row);
    },

    /** Ids of accounts of anybody, in their order, for the worker. @param after the last one of the page before */
    async listIds(after: string, limit: number): Promise<string[]> {
      const rows = await model
        .find({ _id: trusted({ $gt: after }) }, { _id: 1 })
        .sort({ _id: 1 })
        .limit(limit)
        .lean();
      return rows.map(({ _id }) => _id);
    },

    async setSecondFactor(id: string, since: Date | null): Promise<void> {
      await model.updateOne({ _id: id }, { $set: { secondFactorAt: since } });
    },

    /** Replaces the address, but only the one that was read. @returns whether it was replaced */
    async replaceEmail(id: string, known: string, next: string): Promise<boolean> {
      const result = await model.updateOne(
        { _id: id, email: known },
        { $set: { email: next, emailDomain: domainOf(next) } },
      );
      return result.modifiedCount === 1;
    },

    /** Sets what is given; the rest stays. */
    async setProfile(id: string, profile: Partial<Profile>): Promise<void> {
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
