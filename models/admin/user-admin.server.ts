import { Schema, trusted, type Connection, type Model, type QueryFilter, type UpdateQuery } from 'mongoose';
import { modelOf } from '../store/model-of.server.ts';
import { directed, readRanges, type Direction, STREAMING } from '../store/queries.server.ts';
import {
  userSchema,
  type UserRow,
  toUserRecord,
  WITHOUT_SECRET,
  type UserRecord,
} from '../accounts/user.server.ts';
import { createAddressPartRepository, isFirstPart } from '../accounts/address-part.server.ts';
import { createStockCheckRepository } from '../reminders/stock-check.server.ts';
import { createAccountStandingRepository } from '../accounts/account-standing.server.ts';
import { isUnderWay } from '../store/migrations/run.server.ts';
import { searchableAddresses } from '../store/migrations/searchable-addresses.server.ts';
import { entitlementOf, graceStart, type EntitlementTerms } from '#app/domain/billing/plans.ts';
import type { AccountFacts, AccountFigures } from '#app/domain/admin/account-standing.ts';
import { type Role, DEMO_DOMAIN } from '#app/domain/accounts/account.ts';

/** A document of `role_holders`: who has a role that must never be without a holder. One document per role. */
interface SuperAdminsRow {
  _id: 'super_admin';
  userIds: string[];
}

const superAdminsSchema = new Schema<SuperAdminsRow>(
  { _id: { type: String, required: true }, userIds: { type: [String], required: true } },
  { collection: 'role_holders' },
);

/** The holders of a role that must never be without one, in one document so that one atomic update enforces the rule. */
export function createSuperAdminRepository(connection: Connection) {
  const model = modelOf<SuperAdminsRow>(connection, 'RoleHolders', superAdminsSchema);
  const KEY = 'super_admin';
  return {
    /** Whether anybody has the role. */
    async exist(): Promise<boolean> {
      return (await model.exists({ _id: KEY, userIds: trusted({ $ne: [] }) })) !== null;
    },

    async add(userId: string): Promise<void> {
      await model.updateOne({ _id: KEY }, { $addToSet: { userIds: userId } }, { upsert: true });
    },

    /** Gives up the role unless nobody else has it. @returns false for the last holder */
    async deleteUnlessLast(userId: string): Promise<boolean> {
      const result = await model.updateOne(
        { _id: KEY, userIds: userId, 'userIds.1': trusted({ $exists: true }) },
        { $pull: { userIds: userId } },
      );
      return result.modifiedCount === 1;
    },
  };
}

/** The fields by which accounts can be sorted; the id breaks ties. */
export type UserListField =
  | 'createdAt'
  | 'email'
  | 'emailDomain'
  | 'lastSeenAt'
  | 'trialEndsAt'
  | 'suspendedAt';

/** A contiguous range of an index of accounts. */
export interface UserPath {
  /** The values that all of its accounts share. */
  where: Partial<Pick<UserRow, 'role' | 'billingStatus'>>;
  by: UserListField;
  direction: Direction;
  /** The lowest value (inclusive) and the upper bound (exclusive). */
  from?: Date | string | undefined;
  below?: Date | string | undefined;
}

/** An account's position on a path. */
export interface UserPlace {
  value: Date | string;
  id: string;
}

type Filter = Record<string, unknown>;

/** The bounds of a path, with one of them replaced by the page's place. */
function bounds({ from, below }: UserPath, beyond: { $gt?: unknown; $lt?: unknown }): Filter | null {
  const filter = {
    ...(from !== undefined && beyond.$gt === undefined ? { $gte: from } : {}),
    ...(below !== undefined && beyond.$lt === undefined ? { $lt: below } : {}),
    ...beyond,
  };
  return Object.keys(filter).length === 0 ? null : trusted(filter);
}

/** Filters to query one after the other: accounts that share the place's value, then those beyond it. */
function filters(path: UserPath, place: UserPlace | null, upwards: boolean): Filter[] {
  const { where, by } = path;
  const operator = upwards ? '$gt' : '$lt';
  const range = bounds(path, place === null ? {} : { [operator]: place.value });
  const rest = range === null ? { ...where } : { ...where, [by]: range };
  if (place === null) return [rest];
  return [{ ...where, [by]: place.value, _id: trusted({ [operator]: place.id }) }, rest];
}

/** All accounts, for the lists of the admin area. */
export function createUserListRepository(connection: Connection) {
  const model = modelOf<UserRow>(connection, 'User', userSchema);
  const parts = createAddressPartRepository(connection);
  let areSearchable = false;
  return {
    /** Whether any text in an address can be searched for: not before a migration has reached them all. */
    async areSearchable(): Promise<boolean> {
      areSearchable ||= !(await isUnderWay(connection, searchableAddresses));
      return areSearchable;
    },

    /**
     * Accounts with a text in their address after a place (exclusive), ordered by the end of the address that begins with it;
     * backwards those before it, nearest first. `isFirst` is false for an account that has been listed already. The user is null where an account was deleted
     * between two reads.
     */
    async listContaining(
      text: string,
      place: UserPlace | null,
      { backwards, limit }: { backwards: boolean; limit: number },
    ): Promise<{ user: UserRecord | null; place: UserPlace; isFirst: boolean }[]> {
      const start = place && { value: String(place.value), id: place.id };
      const found = await parts.list(text, start, { backwards, limit });
      if (found.length === 0) return [];
      const ids = [...new Set(found.map(({ userId }) => userId))];
      const rows = await model
        .find({ _id: trusted({ $in: ids }) }, WITHOUT_SECRET)
        .limit(ids.length)
        .lean();
      const users = new Map(rows.map((row) => [row._id, toUserRecord(row)]));
      return found.map(({ id, userId, part }) => {
        const user = users.get(userId) ?? null;
        const isFirst = user !== null && isFirstPart(part, user.email, text);
        return { user, place: { value: part, id }, isFirst };
      });
    },

    /** Accounts along a path after a place (exclusive); backwards those before it, nearest first. */
    async list(
      path: UserPath,
      place: UserPlace | null,
      { backwards, limit }: { backwards: boolean; limit: number },
    ): Promise<UserRecord[]> {
      const upwards = (path.direction === 1) !== backwards;
      const sort = directed(
        [
          [path.by, path.direction],
          ['_id', path.direction],
        ],
        backwards,
      );
      const rows = await readRanges(filters(path, place, upwards), limit, (filter, most) =>
        model.find(filter, WITHOUT_SECRET).sort(sort).limit(most).lean(),
      );
      return rows.map(toUserRecord);
    },

    /** The addresses of existing accounts, by id. */
    async findEmails(ids: readonly string[]): Promise<Map<string, string>> {
      const rows = await model.find({ _id: trusted({ $in: [...new Set(ids)] }) }, { email: 1 }).lean();
      return new Map(rows.map(({ _id, email }) => [_id, email]));
    },
  };
}

/** Accounts that a count fetches at a time, so that other requests are served in between. */
const PIECE = 1000;

/** An account as it is counted. */
export interface AccountToCount extends AccountFacts {
  id: string;
}

/** The fields of {@link AccountToCount}. */
const FACTS = {
  email: 1,
  suspendedAt: 1,
  billingStatus: 1,
  pastDueSince: 1,
  grantedAt: 1,
  creditUntil: 1,
  trialEndsAt: 1,
  lastLogin: 1,
  lastSeenAt: 1,
} as const;

const toAccount = ({ _id, ...facts }: { _id: string } & AccountFacts): AccountToCount => ({
  id: _id,
  ...facts,
});

type Standing = Pick<
  UserRow,
  | '_id'
  | 'emailDomain'
  | 'suspendedAt'
  | 'billingStatus'
  | 'pastDueSince'
  | 'grantedAt'
  | 'creditUntil'
  | 'trialStartedAt'
  | 'trialEndsAt'
>;

const STANDING = {
  emailDomain: 1,
  suspendedAt: 1,
  billingStatus: 1,
  pastDueSince: 1,
  grantedAt: 1,
  creditUntil: 1,
  trialStartedAt: 1,
  trialEndsAt: 1,
} as const;

interface Source {
  /** A range of an index. */
  where: QueryFilter<UserRow>;
  /** The same condition for an account that was read. */
  has: (row: Standing) => boolean;
}

/** The possible sources of Premium, each with the accounts that have it. */
function sourcesOf(now: Date): Source[] {
  const grace = graceStart(now);
  const after = (at: Date | null | undefined, from: Date) => at != null && at.getTime() > from.getTime();
  return [
    { where: { billingStatus: 'active' }, has: ({ billingStatus }) => billingStatus === 'active' },
    {
      where: { billingStatus: 'past_due', pastDueSince: trusted({ $gt: grace }) },
      has: (row) => row.billingStatus === 'past_due' && after(row.pastDueSince, grace),
    },
    { where: { grantedAt: trusted({ $gt: new Date(0) }) }, has: ({ grantedAt }) => grantedAt != null },
    { where: { creditUntil: trusted({ $gt: now }) }, has: ({ creditUntil }) => after(creditUntil, now) },
    { where: { trialEndsAt: trusted({ $gt: now }) }, has: ({ trialEndsAt }) => after(trialEndsAt, now) },
  ];
}

/** Counts Premium accounts, each under the first of its sources. */
async function countPremium(model: Model<UserRow>, terms: EntitlementTerms): Promise<number> {
  const sources = sourcesOf(terms.now());
  let premium = 0;
  for (const [at, { where }] of sources.entries()) {
    const rows = model
      .find(where, STANDING)
      .lean<Standing>()
      .cursor({ ...STREAMING, batchSize: PIECE });
    for await (const row of rows as AsyncIterable<Standing>) {
      const isCounted = sources.slice(0, at).some(({ has }) => has(row));
      if (!isCounted && row.emailDomain !== DEMO_DOMAIN && entitlementOf(row, terms).isPremium) premium += 1;
    }
  }
  return premium;
}

async function countActive(model: Model<UserRow>, since: Date): Promise<number> {
  const filter = { lastSeenAt: trusted({ $gte: since }) };
  let active = 0;
  const rows = model
    .find(filter, { lastLogin: 1, emailDomain: 1 })
    .lean<Pick<UserRow, 'lastLogin' | 'emailDomain'>>()
    .cursor({ ...STREAMING, batchSize: PIECE });
  // An account created at the terminal starts as active, although nobody has signed in to it.
  for await (const row of rows as AsyncIterable<Pick<UserRow, 'lastLogin' | 'emailDomain'>>)
    if (row.lastLogin != null && row.emailDomain !== DEMO_DOMAIN) active += 1;
  return active;
}

/** Counts all accounts except demos, of which there are few: the collection's count minus one index count. */
async function countAccounts(model: Model<UserRow>): Promise<number> {
  const demos = await model.countDocuments({ emailDomain: DEMO_DOMAIN });
  return Math.max(0, (await model.estimatedDocumentCount()) - demos);
}

/** Counts over all accounts except demos, for the admin statistics. */
export function createUserCountRepository(connection: Connection) {
  const model = modelOf<UserRow>(connection, 'User', userSchema);
  return {
    countAll: () => countAccounts(model),

    /** Totals over all accounts, read in pieces; active means seen since `activeSince`. */
    async count(terms: EntitlementTerms, activeSince: Date): Promise<AccountFigures> {
      const total = await countAccounts(model);
      return {
        total,
        premium: terms.isSelling ? await countPremium(model, terms) : total,
        active: await countActive(model, activeSince),
      };
    },

    /** The next accounts by id, to be counted one by one. */
    async listAfter(after: string, limit: number): Promise<AccountToCount[]> {
      const beyond = { _id: trusted({ $gt: after }) };
      const rows = await model.find(beyond, FACTS).sort({ _id: 1 }).limit(limit).lean();
      return rows.map(toAccount);
    },

    /** Those of these accounts that exist, to be counted one by one. */
    async findThese(ids: readonly string[]): Promise<AccountToCount[]> {
      const these = { _id: trusted({ $in: ids }) };
      return (await model.find(these, FACTS).limit(ids.length).lean()).map(toAccount);
    },
  };
}

/** The account as an administrator saw it. */
type KnownUser = Pick<UserRecord, 'id' | 'adminRevision'>;

/**
 * Administrators' changes to accounts. Each is one atomic update of the account as it was read: of two concurrent
 * changes, the second changes nothing and gets null; the first gets the account as it was before.
 */
export function createUserAdminRepository(connection: Connection) {
  const model = modelOf<UserRow>(connection, 'User', userSchema);

  const stockChecks = createStockCheckRepository(connection);
  const standings = createAccountStandingRepository(connection);

  async function change(known: KnownUser, update: UpdateQuery<UserRow>): Promise<UserRecord | null> {
    const { id, adminRevision } = known;
    const set = { ...update.$set, adminRevision: (adminRevision ?? 0) + 1 };
    const row = await model
      .findOneAndUpdate(
        { _id: id, adminRevision: adminRevision ?? null },
        { ...update, $set: set },
        { returnDocument: 'before', projection: WITHOUT_SECRET },
      )
      .lean();
    if (row !== null) {
      // It may be entitled to reminders from now on.
      await stockChecks.mark(id);
      await standings.mark(id);
    }
    return row === null ? null : toUserRecord(row);
  }

  return {
    /** Suspends an account and ends its subscription. A trial is put on hold. */
    suspend: (known: KnownUser, at: Date) =>
      change(known, { $set: { suspendedAt: at, billingStatus: 'canceled', pastDueSince: null } }),

    /** Lifts a suspension. A trial continues with its remaining time; a canceled subscription stays canceled. */
    reinstate(known: KnownUser & Pick<UserRecord, 'suspendedAt' | 'trialEndsAt'>, at: Date) {
      const { suspendedAt, trialEndsAt } = known;
      const wasPaused = suspendedAt !== null && trialEndsAt !== null && trialEndsAt > suspendedAt;
      const until = wasPaused
        ? new Date(trialEndsAt.getTime() + at.getTime() - suspendedAt.getTime())
        : trialEndsAt;
      return change(known, { $set: { suspendedAt: null, trialEndsAt: until } });
    },

    /** Grants Premium until an administrator ends it. */
    grantPremium: (known: KnownUser, at: Date) => change(known, { $set: { grantedAt: at } }),

    /** Ends all Premium except a subscription: the grant, the trial, referral credit. */
    revokePremium: (known: KnownUser, at: Date) =>
      change(known, { $set: { grantedAt: null }, $min: { trialEndsAt: at, creditUntil: at } }),

    changeRole: (known: KnownUser, role: Role) => change(known, { $set: { role } }),

    /** Removes the two-step code from signing in. */
    resetSecondFactor: (known: KnownUser) => change(known, { $set: { secondFactorAt: null } }),

    /** Marks the account for deletion at an instant, after which nobody can sign in to it. */
    deleteFrom: (known: KnownUser, at: Date) => change(known, { $set: { deleteAfter: at } }),

    /** Only increments the revision, for a change that is not stored on the account itself. */
    moveRevision: (known: KnownUser) => change(known, {}),
  };
}
