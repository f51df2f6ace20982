import { Schema, type Connection, trusted } from 'mongoose';
import { insertUnlessTaken } from '../store/writes.server.ts';
import { modelOf } from '../store/model-of.server.ts';
import { createStockCheckRepository } from '../reminders/stock-check.server.ts';
import { createAccountStandingRepository } from './account-standing.server.ts';
import { createAddressPartRepository } from './address-part.server.ts';
import { ROLES, type Role, type FirstStep } from '#app/domain/accounts/account.ts';
import { DEFAULT_SYRINGE, type OwnSyringe } from '#app/domain/calculator/calculation.ts';
import type { Profile } from '#app/domain/accounts/profile.ts';
import type { BillingStatus } from '#app/domain/billing/plans.ts';
import type { CreditGrant } from '#app/domain/referrals/referral.ts';
import { comesBack } from '#app/domain/admin/account-standing.ts';
import { domainOf } from '#app/domain/admin/user-search.ts';

/** A document of `addresses`: the owner of an e-mail address. Keyed by the address, so that it is unique. */
interface AddressRow {
  /** The normalised address. */
  _id: string;
  userId: string;
}

const addressSchema = new Schema<AddressRow>(
  { _id: { type: String, required: true }, userId: { type: String, required: true } },
  { collection: 'addresses' },
);

// For deleting an account.
addressSchema.index({ userId: 1 });

/** The owners of e-mail addresses. Addresses are passed in their normalised form. */
export function createAddressRepository(connection: Connection) {
  const model = modelOf<AddressRow>(connection, 'Address', addressSchema);
  return {
    async findOwner(email: string): Promise<string | null> {
      const row = await model.findById(email).lean();
      return row?.userId ?? null;
    },

    /** Claims a free address. @returns false when it is taken */
    async claim(email: string, userId: string): Promise<boolean> {
      return insertUnlessTaken(model, { _id: email, userId });
    },

    async release(email: string, userId: string): Promise<void> {
      await model.deleteOne({ _id: email, userId });
    },
  };
}

/** A document of `users`. */
export interface UserRow extends Profile {
  _id: string;
  email: string;
  /** When its owner confirmed the address; null until then. */
  emailConfirmedAt: Date | null;
  /** The part of the address after the @. */
  emailDomain: string;
  /** {@link NO_PASSWORD} for an account that only signs in elsewhere. */
  passwordHash: string;
  /** Incremented by every change of password or address; absent before the first. */
  credentialRevision?: number;
  /** How often somebody signed in; absent before the first. Every sign-in changes it, see `recordSignIn`. */
  signIns?: number;
  /** Marks (hashes) of the network addresses of its last sign-ins, newest last; see `known-client.server.ts`. */
  knownAddresses?: string[];
  role: Role;
  createdAt: Date;
  lastLogin: Date | null;
  lastSeenAt: Date;
  suspendedAt: Date | null;
  trialStartedAt: Date | null;
  trialEndsAt: Date | null;
  /** End of the last of `creditGrants`, updated with them. */
  creditUntil: Date | null;
  creditGrants: CreditGrant[];
  grantedAt: Date | null;
  billingStatus: BillingStatus;
  pastDueSince: Date | null;
  stripeCustomerId: string | null;
  /** The referral code it registered with, if valid. */
  referredByCode: string | null;
  /** Its own code, created at registration; null for an account created at the terminal until it requests one. */
  referralCode: string | null;
  termsAcceptedAt: Date | null;
  /** First steps that its owner skipped; absent before the first. */
  skippedSteps?: FirstStep[];
  /** Since when signing in requires a code; null if it does not. */
  secondFactorAt: Date | null;
  /** When the account and its data are deleted; null unless requested. */
  deleteAfter: Date | null;
  /** Incremented by every change by an administrator; null before the first. */
  adminRevision: number | null;
  /** Until when a worker has claimed it for deletion. */
  deletionClaimedUntil: Date | null;
}

/** In place of a hash; no password has it. */
const NO_PASSWORD = 'none';

const hashOf = ({ passwordHash }: Pick<UserRow, 'passwordHash'>): string | null =>
  passwordHash === NO_PASSWORD ? null : passwordHash;

const instant = { type: Date, default: null };

const ownSyringeSchema = new Schema<OwnSyringe>(
  {
    id: { type: String, required: true },
    name: { type: String, required: true },
    barrelMl: { type: String, required: true },
    unitsPerMl: { type: String, default: null },
    mark: { type: String, required: true },
  },
  { _id: false },
);

const creditGrantSchema = new Schema<CreditGrant>(
  {
    id: { type: String, required: true },
    grantedAt: { type: Date, required: true },
    days: { type: Number, required: true },
    reversedAt: instant,
  },
  { _id: false },
);

export const userSchema = new Schema<UserRow>(
  {
    _id: { type: String, required: true },
    email: { type: String, required: true },
    emailConfirmedAt: instant,
    emailDomain: { type: String, default: '' },
    passwordHash: { type: String, required: true },
    credentialRevision: { type: Number, default: 0 },
    signIns: { type: Number, default: 0 },
    knownAddresses: { type: [String], default: [] },
    role: { type: String, enum: ROLES, required: true },
    name: { type: String, default: null },
    timeZone: { type: String, required: true },
    doseUnit: { type: String, default: 'mg' },
    units: { type: String, default: 'metric' },
    syringe: { type: String, default: DEFAULT_SYRINGE },
    syringes: { type: [ownSyringeSchema], default: [] },
    deadSpaceMl: { type: String, default: '0' },
    createdAt: { type: Date, required: true },
    lastLogin: instant,
    lastSeenAt: { type: Date, required: true },
    suspendedAt: instant,
    trialStartedAt: instant,
    trialEndsAt: instant,
    creditUntil: instant,
    creditGrants: { type: [creditGrantSchema], default: [] },
    grantedAt: instant,
    billingStatus: { type: String, default: 'none' },
    pastDueSince: instant,
    stripeCustomerId: { type: String, default: null },
    referredByCode: { type: String, default: null },
    referralCode: { type: String, default: null },
    termsAcceptedAt: instant,
    skippedSteps: { type: [String], default: [] },
    secondFactorAt: instant,
    deleteAfter: instant,
    deletionClaimedUntil: instant,
    adminRevision: { type: Number, default: null },
  },
  { collection: 'users' },
);

// For the lists of the admin area, one per sort order; some are also used by the admin statistics.
userSchema.index({ createdAt: -1, _id: -1 });
userSchema.index({ email: 1, _id: 1 });
userSchema.index({ emailDomain: 1, _id: 1 });
userSchema.index({ lastSeenAt: -1, _id: -1 });
userSchema.index({ trialEndsAt: -1, _id: -1 });
userSchema.index({ suspendedAt: -1, _id: -1 });
userSchema.index({ role: 1, createdAt: -1, _id: -1 });
userSchema.index({ billingStatus: 1, createdAt: -1, _id: -1 });
// For the admin statistics.
userSchema.index({ trialStartedAt: 1 });
userSchema.index({ creditUntil: 1 });
userSchema.index({ grantedAt: 1 });
userSchema.index({ billingStatus: 1, pastDueSince: 1 });
// For the step that deletes accounts.
userSchema.index({ deleteAfter: 1 });

/** An account without its password hash and its credit history, which may grow. */
export interface UserRecord extends Omit<UserRow, '_id' | keyof typeof WITHOUT_SECRET> {
  id: string;
}

/** The data of a new account. */
interface NewUser extends Pick<UserRow, 'email' | 'role' | 'timeZone' | 'createdAt'> {
  id: string;
  /** Null for an account that only signs in elsewhere. */
  passwordHash: string | null;
  emailConfirmedAt?: Date | null;
  trialStartedAt?: Date | null;
  trialEndsAt?: Date | null;
  referredByCode?: string | null;
  referralCode?: string | null;
  termsAcceptedAt?: Date | null;
  lastLogin?: Date | null;
  knownAddresses?: string[];
  grantedAt?: Date | null;
  deleteAfter?: Date | null;
}

/** What a sign-in is checked against, in one read. */
export interface Credential {
  email: string;
  /** Null without a password. */
  passwordHash: string | null;
  /** Incremented by every change of password or address, which invalidates earlier proofs of identity. */
  revision: number;
  knownAddresses: readonly string[];
}

/** How many addresses are remembered. */
const KNOWN_ADDRESSES = 10;

/** A projection without the fields that are not part of a {@link UserRecord}. */
export const WITHOUT_SECRET = {
  passwordHash: 0,
  credentialRevision: 0,
  signIns: 0,
  knownAddresses: 0,
  creditGrants: 0,
} as const;

/** Maps a stored row to the record that the rest of the program uses. */
export function toUserRecord(row: Omit<UserRow, keyof typeof WITHOUT_SECRET>): UserRecord {
  // Accounts from before syringes could be chosen have none stored; their figures used this syringe's scale
  // without dead space.
  const { _id, syringe = DEFAULT_SYRINGE, syringes = [], deadSpaceMl = '0', ...rest } = row;
  return { id: _id, syringe, syringes, deadSpaceMl, ...rest };
}

/** Accounts. Every call names the account it is about; each change is one atomic update of it. */
export function createUserRepository(connection: Connection) {
  const model = modelOf<UserRow>(connection, 'User', userSchema);
  const addressParts = createAddressPartRepository(connection);
  const stockChecks = createStockCheckRepository(connection);
  const standings = createAccountStandingRepository(connection);

  /** After a change of what an account is entitled to. */
  async function markEntitlement(id: string): Promise<void> {
    await stockChecks.mark(id);
    await standings.mark(id);
  }

  return {
    async findCredential(id: string): Promise<Credential | null> {
      const fields = { email: 1, passwordHash: 1, credentialRevision: 1, knownAddresses: 1 };
      const row = await model.findById(id, fields).lean();
      if (row === null) return null;
      const { email, credentialRevision = 0, knownAddresses = [] } = row;
      return { email, passwordHash: hashOf(row), revision: credentialRevision, knownAddresses };
    },

    /** @returns null for an account without a password */
    async findPasswordHash(id: string): Promise<string | null> {
      const row = await model.findById(id, { passwordHash: 1 }).lean();
      return row && hashOf(row);
    },

    /**
     * Changes the password unless it has changed since it was read.
     * @param known null when there was none
     * @returns the revision of the new password and the address; null when it was not changed
     */
    async changePassword(id: string, known: string | null, next: string): Promise<number | null> {
      const changed = await model
        .findOneAndUpdate(
          { _id: id, passwordHash: known ?? NO_PASSWORD },
          { $set: { passwordHash: next }, $inc: { credentialRevision: 1 } },
          { returnDocument: 'after', projection: { credentialRevision: 1 } },
        )
        .lean();
      return changed?.credentialRevision ?? null;
    },

    /**
     * Stores the same password under another hash, unless it has changed since it was read.
     * @returns whether it was replaced
     */
    async replacePasswordHash(id: string, known: string, next: string): Promise<boolean> {
      const result = await model.updateOne(
        { _id: id, passwordHash: known },
        { $set: { passwordHash: next } },
      );
      return result.modifiedCount === 1;
    },

    /** Invalidates earlier proofs of identity, after a change to how an account without a password is opened. */
    async renewRevision(id: string): Promise<void> {
      await model.updateOne({ _id: id }, { $inc: { credentialRevision: 1 } });
    },

    async setPasswordHash(id: string, passwordHash: string): Promise<void> {
      await model.updateOne({ _id: id }, { $set: { passwordHash }, $inc: { credentialRevision: 1 } });
    },

    /** Replaces the address with a confirmed one, unless it has changed since it was read. @returns whether it was replaced */
    async replaceEmail(id: string, known: string, next: string, at: Date): Promise<boolean> {
      const result = await model.updateOne(
        { _id: id, email: known },
        {
          $set: { email: next, emailDomain: domainOf(next), emailConfirmedAt: at },
          $inc: { credentialRevision: 1 },
        },
      );
      if (result.modifiedCount === 1) await addressParts.replace([{ userId: id, email: next }]);
      return result.modifiedCount === 1;
    },

    /** Marks the address as confirmed, unless it already is or has changed. @returns whether it was marked */
    async confirmEmail(id: string, email: string, at: Date): Promise<boolean> {
      const result = await model.updateOne(
        { _id: id, email, emailConfirmedAt: null },
        { $set: { emailConfirmedAt: at } },
      );
      return result.modifiedCount === 1;
    },

    async create(user: NewUser): Promise<void> {
      const { id, passwordHash, ...rest } = user;
      const emailDomain = domainOf(user.email);
      await model.create({
        ...{ _id: id, emailDomain, lastSeenAt: user.createdAt, ...rest },
        passwordHash: passwordHash ?? NO_PASSWORD,
      });
      await addressParts.add(id, user.email);
      await standings.mark(id);
    },

    async find(id: string): Promise<UserRecord | null> {
      const row = await model.findById(id, WITHOUT_SECRET).lean();
      return row === null ? null : toUserRecord(row);
    },

    /** Ids of all accounts, in order, for the worker. @param after the last id of the previous page */
    async listIds(after: string, limit: number): Promise<string[]> {
      const rows = await model
        .find({ _id: trusted({ $gt: after }) }, { _id: 1 })
        .sort({ _id: 1 })
        .limit(limit)
        .lean();
      return rows.map(({ _id }) => _id);
    },

    /** How many accounts of a domain have not ended yet. */
    async countOfDomain(emailDomain: string, now: Date): Promise<number> {
      return model.countDocuments({ emailDomain, deleteAfter: trusted({ $gt: now }) });
    },

    async setSecondFactor(id: string, since: Date | null): Promise<void> {
      await model.updateOne({ _id: id }, { $set: { secondFactorAt: since } });
    },

    /** Sets the given fields and leaves the rest unchanged. */
    async setProfile(id: string, profile: Partial<Profile>): Promise<void> {
      const { matchedCount } = await model.updateOne({ _id: id }, { $set: { ...profile } });
      if (matchedCount === 1 && ('timeZone' in profile || 'deadSpaceMl' in profile))
        await stockChecks.mark(id);
    },

    /** Records that its owner skipped these first steps. */
    async skipFirstSteps(id: string, steps: readonly FirstStep[]): Promise<void> {
      await model.updateOne({ _id: id }, { $addToSet: { skippedSteps: { $each: [...steps] } } });
    },

    /**
     * Records a sign-in. It changes the account in any case, since MongoDB writes nothing for values that are there already:
     * so an act that starts a session never passes beside one that changes the credentials or suspends the account.
     */
    async recordSignIn(id: string, at: Date): Promise<void> {
      const before = await model
        .findOneAndUpdate(
          { _id: id },
          { $set: { lastLogin: at, lastSeenAt: at }, $inc: { signIns: 1 } },
          { returnDocument: 'before', projection: { lastLogin: 1, lastSeenAt: 1 } },
        )
        .lean();
      if (before !== null && comesBack(before, at)) await standings.mark(id);
    },

    /** Records a network address that the account was used from; the oldest is dropped when there are too many. */
    async addKnownAddress(id: string, mark: string): Promise<void> {
      await model.updateOne(
        { _id: id, knownAddresses: trusted({ $ne: mark }) },
        { $push: { knownAddresses: { $each: [mark], $slice: -KNOWN_ADDRESSES } } },
      );
    },

    /** Moves the last-seen time forward, unless it is already later than `unlessAfter`; in an act if {@link comesBack} is true. */
    async touch(id: string, at: Date, unlessAfter: Date): Promise<void> {
      const before = await model
        .findOneAndUpdate(
          { _id: id, lastSeenAt: trusted({ $lte: unlessAfter }) },
          { $set: { lastSeenAt: at } },
          { returnDocument: 'before', projection: { lastLogin: 1, lastSeenAt: 1 } },
        )
        .lean();
      if (before !== null && comesBack(before, at)) await standings.mark(id);
    },

    /** Sets the payment status, in the transaction that changes the billing. */
    async setBilling(id: string, status: Pick<UserRow, 'billingStatus' | 'pastDueSince'>): Promise<void> {
      const { matchedCount } = await model.updateOne({ _id: id }, { $set: status });
      if (matchedCount === 1) await markEntitlement(id);
    },

    /** Sets the account's customer at the payment provider. */
    async setStripeCustomer(id: string, customerId: string): Promise<void> {
      await model.updateOne({ _id: id }, { $set: { stripeCustomerId: customerId } });
    },

    /** Ends all Premium except a subscription: an admin's grant, the trial, referral credit. */
    async endFreePremium(id: string, at: Date): Promise<void> {
      const { matchedCount } = await model.updateOne(
        { _id: id },
        { $set: { grantedAt: null }, $min: { trialEndsAt: at, creditUntil: at } },
      );
      if (matchedCount === 1) await markEntitlement(id);
    },

    /** Starts the trial unless the account has had one. @returns whether it was started */
    async startTrial(id: string, at: Date, endsAt: Date): Promise<boolean> {
      const result = await model.updateOne(
        { _id: id, trialStartedAt: null },
        { $set: { trialStartedAt: at, trialEndsAt: endsAt } },
      );
      if (result.modifiedCount === 1) await markEntitlement(id);
      return result.modifiedCount === 1;
    },

    async setRole(id: string, role: Role): Promise<void> {
      await model.updateOne({ _id: id }, { $set: { role } });
    },

    /** Sets the instant of deletion, unless there is one already. @returns whether it was set */
    async scheduleDeletion(id: string, at: Date): Promise<boolean> {
      const result = await model.updateOne({ _id: id, deleteAfter: null }, { $set: { deleteAfter: at } });
      return result.modifiedCount === 1;
    },

    /** Cancels a deletion that is not due yet. @returns whether there was one */
    async cancelDeletion(id: string, now: Date): Promise<boolean> {
      const result = await model.updateOne(
        { _id: id, deleteAfter: trusted({ $gt: now }) },
        { $set: { deleteAfter: null } },
      );
      return result.modifiedCount === 1;
    },

    /** Accounts whose deletion is due and that no other worker has claimed. */
    async findDeletionsDue(now: Date, limit: number): Promise<string[]> {
      const rows = await model
        .find(
          {
            deleteAfter: trusted({ $lte: now }),
            deletionClaimedUntil: trusted({ $not: { $gt: now } }),
          },
          { _id: 1 },
        )
        .sort({ deleteAfter: 1 })
        .limit(limit)
        .lean();
      return rows.map(({ _id }) => _id);
    },

    /** Claims a due account until an instant; only one worker gets it. @returns the account; null for the others */
    async claimDeletion(id: string, now: Date, until: Date): Promise<UserRecord | null> {
      const row = await model
        .findOneAndUpdate(
          {
            _id: id,
            deleteAfter: trusted({ $lte: now }),
            deletionClaimedUntil: trusted({ $not: { $gt: now } }),
          },
          { $set: { deletionClaimedUntil: until } },
          { returnDocument: 'after', projection: WITHOUT_SECRET },
        )
        .lean();
      return row === null ? null : toUserRecord(row);
    },

    /** The credit of an account. @returns null when there is no such account */
    async findCredit(id: string): Promise<CreditGrant[] | null> {
      const row = await model.findById(id, { creditGrants: 1 }).lean();
      return row === null ? null : (row.creditGrants ?? []);
    },

    /** Replaces the grants and the end of the credit, in the transaction that read them. */
    async setCredit(id: string, grants: CreditGrant[], until: Date | null): Promise<void> {
      const set = { creditGrants: grants, creditUntil: until };
      const { matchedCount } = await model.updateOne({ _id: id }, { $set: set });
      if (matchedCount === 1) await markEntitlement(id);
    },

    /** Gives an account its code. */
    async setReferralCode(id: string, code: string): Promise<void> {
      await model.updateOne({ _id: id }, { $set: { referralCode: code } });
    },
  };
}
