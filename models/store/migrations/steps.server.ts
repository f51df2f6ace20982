import type { Connection } from 'mongoose';
import { domainOf } from '#app/domain/admin/user-search.ts';
import type { UserRow } from '#models/accounts/user.server.ts';

/** What one piece of a migration did. */
export interface MigrationStep {
  /** Where the next piece begins. */
  cursor: string;
  /** How many documents were changed. */
  changed: number;
}

/**
 * A change to data stored by older versions. It runs in pieces of at most a few thousand documents. After
 * a crash the interrupted piece runs again, so each must have the same result when repeated. The previous version
 * may still be running, so both versions must be able to read what is written.
 */
export interface Migration {
  /** Date and name, for example `2026-12-01-dose-units`. Never changed once released. */
  id: string;
  description: string;
  /**
   * True for the pieces from a cursor on that run beside the program: the program does the same before and after them. All
   * others run before it serves.
   */
  inBackground?: (cursor: string | null) => boolean;
  /**
   * Why it must not run a second time, if that would do harm. All others do, after the last process of an older version has
   * ended, which may have written in the old form until then.
   */
  once?: string;
  /**
   * Runs the piece that begins at `cursor`.
   * @param cursor what the previous piece returned; null for the first
   * @returns null when nothing is left
   */
  step(connection: Connection, cursor: string | null): Promise<MigrationStep | null>;
}

/** The different values of a field in some documents, for a filter that names the shards of a cluster they are on. */
export const anyOf = <Field extends string>(rows: readonly Record<Field, string>[], field: Field) => ({
  $in: [...new Set(rows.map((row) => row[field]))],
});

/** Documents read at a time. */
const PIECE = 1000;

/** Fields that accounts of older versions may lack, with a new account's values. */
const FILLED = {
  name: null,
  doseUnit: 'mg',
  units: 'metric',
  creditGrants: [],
  referralCode: null,
  secondFactorAt: null,
  deleteAfter: null,
  deletionClaimedUntil: null,
  adminRevision: null,
} as const satisfies Partial<UserRow>;

const PROJECTED = Object.fromEntries(Object.keys(FILLED).map((field) => [field, 1]));

type StoredAccount = Pick<UserRow, '_id' | 'email'> & Partial<UserRow>;

interface Update {
  updateOne: { filter: object; update: { $set: object } };
}

/** The updates that an account needs, one for each field. Each filter includes the values read, so that concurrent changes are not overwritten. */
function updatesOf({ _id, email, ...rest }: StoredAccount): Update[] {
  const updates: Update[] = [];
  const add = (filter: object, $set: object) =>
    updates.push({ updateOne: { filter: { _id, ...filter }, update: { $set } } });
  const emailDomain = domainOf(email);
  if (rest.emailDomain !== emailDomain) add({ email }, { emailDomain });
  for (const [field, value] of Object.entries(FILLED)) {
    if (!(field in rest)) add({ [field]: { $exists: false } }, { [field]: value });
  }
  return updates;
}

/** All updates of one account in one, which does nothing if any of the values has changed since it was read. */
const inOne = (updates: readonly Update[]): Update => ({
  updateOne: {
    filter: Object.assign({}, ...updates.map(({ updateOne }) => updateOne.filter)) as object,
    update: {
      $set: Object.assign({}, ...updates.map(({ updateOne }) => updateOne.update.$set)) as object,
    },
  },
});

async function fillAccount(connection: Connection, cursor: string | null) {
  const users = connection.collection<StoredAccount>('users');
  const rows = await users
    .find(cursor === null ? {} : { _id: { $gt: cursor } })
    .project<StoredAccount>({ email: 1, emailDomain: 1, ...PROJECTED })
    .sort({ _id: 1 })
    .limit(PIECE)
    .toArray();
  const last = rows.at(-1);
  if (last === undefined) return null;
  const needed = rows.map(updatesOf).filter((updates) => updates.length > 0);
  if (needed.length > 0) {
    const { matchedCount } = await users.bulkWrite(needed.map(inOne), { ordered: false });
    if (matchedCount < needed.length) await users.bulkWrite(needed.flat(), { ordered: false });
  }
  return { cursor: last._id, changed: needed.length };
}

/**
 * For accounts from before the user list could be searched by domain, and before profiles and subscriptions:
 * without these fields, administrators could not find them.
 */
export const accountFields: Migration = {
  id: '2026-11-22-account-fields',
  description: 'Adds the email domain and profile fields to accounts',
  step: fillAccount,
};

/** Removes some of the counts by name and day that earlier versions stored beside calculations. */
async function removeTallies(connection: Connection) {
  const tallies = connection.collection<{ _id: string }>('calculation_tallies');
  const rows = await tallies.find().project<{ _id: string }>({ _id: 1 }).limit(PIECE).toArray();
  const last = rows.at(-1);
  if (last === undefined) return null;
  const { deletedCount } = await tallies.deleteMany({ _id: { $in: rows.map(({ _id }) => _id) } });
  return { cursor: last._id, changed: deletedCount };
}

/** Nothing reads these rows any more, and without this, compound names would remain after their account is deleted. */
export const calculationTallies: Migration = {
  id: '2026-11-22-calculation-tallies',
  description: 'Removes the unused counts of calculations by name and day',
  inBackground: () => true,
  step: removeTallies,
};

/** Fields with user-entered names in entries of earlier versions, and a report's days. */
const PRIVATE = ['name', 'compound', 'start', 'end'];
const UNSET = Object.fromEntries(
  PRIVATE.flatMap((field) => [`before.${field}`, `after.${field}`]).map((path) => [path, '' as const]),
);
const ACTIONS = ['api-token.create', 'api-token.revoke', 'report-share.create', 'report-share.revoke'];

async function clearAuditNames(connection: Connection, cursor: string | null) {
  const audit = connection.collection<{ _id: string; subjectId: string }>('audit');
  const rows = await audit
    .find({ ...(cursor === null ? {} : { _id: { $gt: cursor } }), action: { $in: ACTIONS } })
    .project<{ _id: string; subjectId: string }>({ subjectId: 1 })
    .sort({ _id: 1 })
    .limit(PIECE)
    .toArray();
  const last = rows.at(-1);
  if (last === undefined) return null;
  const { modifiedCount } = await audit.updateMany(
    { subjectId: anyOf(rows, 'subjectId'), _id: anyOf(rows, '_id') },
    { $unset: UNSET },
  );
  return { cursor: last._id, changed: modifiedCount };
}

/** Administrators read the audit trail, and it outlives accounts, so it must contain ids only and no user-entered text. */
export const auditNames: Migration = {
  id: '2026-11-22-audit-names',
  description: 'Removes the names of tokens and compounds from the audit trail',
  inBackground: () => true,
  step: clearAuditNames,
};

async function confirmAddresses(connection: Connection, cursor: string | null) {
  const users = connection.collection<StoredAccount>('users');
  const rows = await users
    .find(cursor === null ? {} : { _id: { $gt: cursor } })
    .project<StoredAccount>({ createdAt: 1, emailConfirmedAt: 1 })
    .sort({ _id: 1 })
    .limit(PIECE)
    .toArray();
  const last = rows.at(-1);
  if (last === undefined) return null;
  const updates = rows
    .filter((row) => !('emailConfirmedAt' in row))
    .map(({ _id, createdAt }) => ({
      updateOne: {
        filter: { _id, emailConfirmedAt: { $exists: false } },
        update: { $set: { emailConfirmedAt: createdAt ?? new Date(0) } },
      },
    }));
  if (updates.length > 0) await users.bulkWrite(updates, { ordered: false });
  return { cursor: last._id, changed: updates.length };
}

/** Older versions did not ask accounts to confirm their address, so those addresses stay usable. */
export const confirmedAddresses: Migration = {
  id: '2026-11-22-confirmed-addresses',
  description: 'Marks the addresses of accounts from older versions as confirmed',
  step: confirmAddresses,
};

/** Small, because the doses of each are created again. */
const SCHEDULES_AT_ONCE = 500;

/**
 * A ramp used to rise in weeks without doses too, so that the next dose skipped a step. Doses that were created ahead
 * by that rule are created again: a higher revision drops them, and the worker fills the schedule from now.
 */
export const rampsInCourses: Migration = {
  id: '2026-11-22-ramps-in-courses',
  description: 'Recreates upcoming doses of ramps with weeks off',
  once: 'people may have moved the doses that it made',
  inBackground: () => true,
  async step(connection, cursor) {
    const schedules = connection.collection<{ _id: string; userId: string }>('schedules');
    const after = cursor === null ? {} : { _id: { $gt: cursor } };
    const found = await schedules
      .find({ ...after, ramp: { $ne: null }, course: { $ne: null } })
      .project<{ _id: string; userId: string }>({ userId: 1 })
      .sort({ _id: 1 })
      .limit(SCHEDULES_AT_ONCE)
      .toArray();
    const last = found.at(-1)?._id;
    if (last === undefined) return null;
    const { modifiedCount } = await schedules.updateMany(
      { userId: anyOf(found, 'userId'), _id: anyOf(found, '_id') },
      { $inc: { revision: 1 }, $set: { madeUntil: new Date() } },
    );
    return { cursor: last, changed: modifiedCount };
  },
};

/** The time in an account's id, in ms: its first 8 hexadecimal digits are seconds. */
const madeAt = (userId: string): number => Number.parseInt(userId.slice(0, 8), 16) * 1000;

/** A registration of an older version that began later than this, in ms, may still be running. */
const RUNNING_MS = 3_600_000;

/** Earlier versions claimed an address before they created its account, and an interruption left only the claim. */
export const unusedAddresses: Migration = {
  id: '2026-11-27-unused-addresses',
  description: 'Frees email addresses whose registration was interrupted',
  inBackground: () => true,
  async step(connection, cursor) {
    const addresses = connection.collection<{ _id: string; userId: string }>('addresses');
    const rows = await addresses
      .find(cursor === null ? {} : { _id: { $gt: cursor } })
      .sort({ _id: 1 })
      .limit(PIECE)
      .toArray();
    const last = rows.at(-1)?._id;
    if (last === undefined) return null;
    const users = connection.collection<{ _id: string }>('users');
    const owners = users.find({ _id: { $in: rows.map(({ userId }) => userId) } });
    const there = new Set(
      await owners
        .project<{ _id: string }>({ _id: 1 })
        .map(({ _id }) => _id)
        .toArray(),
    );
    const unused = rows.filter(
      ({ userId }) => !there.has(userId) && madeAt(userId) < Date.now() - RUNNING_MS,
    );
    for (const { _id, userId } of unused) await addresses.deleteOne({ _id, userId });
    return { cursor: last, changed: unused.length };
  },
};
