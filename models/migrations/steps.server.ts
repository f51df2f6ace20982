import type { Connection } from 'mongoose';
import { domainOf } from '#app/domain/admin/user-search.ts';
import type { UserRow } from '#models/user.server.ts';

/** What one piece of a migration did. */
export interface MigrationStep {
  /** Where the next piece begins. */
  cursor: string;
  /** How many documents were changed. */
  changed: number;
}

/**
 * A change of what is stored, for data of older versions. It is done in pieces of at most some thousand documents; after
 * a crash the piece that ran is run again, so each must come to the same when it is repeated. The program of the version
 * before may still be running: what is written has to be readable for both.
 */
export interface Migration {
  /** Date and name, for example `2026-12-01-dose-units`. Never changed once released. */
  id: string;
  description: string;
  /**
   * Does the piece that begins at `cursor`.
   * @param cursor what the piece before returned, null at first
   * @returns null when nothing is left
   */
  step(connection: Connection, cursor: string | null): Promise<MigrationStep | null>;
}

/** Documents that are read at a time. */
const PIECE = 1000;

/** What accounts of older versions may lack, with what a new account has there. */
const FILLED = {
  name: null,
  doseUnit: 'mg',
  units: 'metric',
  billingVersion: 0,
  creditGrants: [],
  creditRevision: null,
  referralCode: null,
  secondFactorAt: null,
  deleteAfter: null,
  deletionClaimedUntil: null,
  adminRevision: null,
} as const satisfies Partial<UserRow>;

const PROJECTED = Object.fromEntries(Object.keys(FILLED).map((field) => [field, 1]));

type StoredAccount = Pick<UserRow, '_id' | 'email'> & Partial<UserRow>;

/** The updates that an account needs. Each names what was read: what somebody writes meanwhile is not overwritten. */
function updatesOf({ _id, email, ...rest }: StoredAccount) {
  const updates: { updateOne: { filter: object; update: { $set: object } } }[] = [];
  const add = (filter: object, $set: object) =>
    updates.push({ updateOne: { filter: { _id, ...filter }, update: { $set } } });
  const emailDomain = domainOf(email);
  if (rest.emailDomain !== emailDomain) add({ email }, { emailDomain });
  for (const [field, value] of Object.entries(FILLED)) {
    if (!(field in rest)) add({ [field]: { $exists: false } }, { [field]: value });
  }
  return updates;
}

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
  if (needed.length > 0) await users.bulkWrite(needed.flat(), { ordered: false });
  return { cursor: last._id, changed: needed.length };
}

/**
 * Accounts that were made before the list of users could be searched by domain, and before profiles and subscriptions:
 * without the fields they were missing from what the administration finds.
 */
export const accountFields: Migration = {
  id: '2026-11-22-account-fields',
  description: 'Accounts get the domain of their address, and the fields of a profile.',
  step: fillAccount,
};

/** Removes a piece of the counts by name and by day that earlier versions kept beside the calculations. */
async function removeTallies(connection: Connection) {
  const tallies = connection.collection<{ _id: string }>('calculation_tallies');
  const rows = await tallies.find().project<{ _id: string }>({ _id: 1 }).limit(PIECE).toArray();
  const last = rows.at(-1);
  if (last === undefined) return null;
  const { deletedCount } = await tallies.deleteMany({ _id: { $in: rows.map(({ _id }) => _id) } });
  return { cursor: last._id, changed: deletedCount };
}

/** Names of compounds would otherwise stay behind when their account is deleted: nothing reads these rows any more. */
export const calculationTallies: Migration = {
  id: '2026-11-22-calculation-tallies',
  description: 'Counts of calculations by name and day are removed; they are no longer kept.',
  step: removeTallies,
};

/** What people named themselves in entries of earlier versions, and the days of a report. */
const PRIVATE = ['name', 'compound', 'start', 'end'];
const UNSET = Object.fromEntries(
  PRIVATE.flatMap((field) => [`before.${field}`, `after.${field}`]).map((path) => [path, '' as const]),
);
const ACTIONS = ['api-token.create', 'api-token.revoke', 'report-share.create', 'report-share.revoke'];

async function clearAuditNames(connection: Connection, cursor: string | null) {
  const audit = connection.collection<{ _id: string }>('audit');
  const rows = await audit
    .find({ ...(cursor === null ? {} : { _id: { $gt: cursor } }), action: { $in: ACTIONS } })
    .project<{ _id: string }>({ _id: 1 })
    .sort({ _id: 1 })
    .limit(PIECE)
    .toArray();
  const last = rows.at(-1);
  if (last === undefined) return null;
  const { modifiedCount } = await audit.updateMany(
    { _id: { $in: rows.map(({ _id }) => _id) } },
    { $unset: UNSET },
  );
  return { cursor: last._id, changed: modifiedCount };
}

/** Administrators read the audit trail, and it outlives an account: it holds ids, and nothing that somebody typed. */
export const auditNames: Migration = {
  id: '2026-11-22-audit-names',
  description: 'Names of tokens and compounds are taken out of the audit trail.',
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

/** Nobody asked accounts of older versions to confirm their address; they keep what they have. */
export const confirmedAddresses: Migration = {
  id: '2026-11-22-confirmed-addresses',
  description: 'Accounts from before addresses were confirmed count as confirmed.',
  step: confirmAddresses,
};

/** Each of them has its doses made again. */
const SCHEDULES_AT_ONCE = 500;

/**
 * A ramp used to rise in weeks without doses, too, so that the first dose after them jumped over a step. The doses that
 * were made ahead by that rule are made again: a raised revision drops them, and the worker fills the schedule from now.
 */
export const rampsInCourses: Migration = {
  id: '2026-11-22-ramps-in-courses',
  description: 'Makes the coming doses of ramps with weeks off again',
  async step(connection, cursor) {
    const schedules = connection.collection<{ _id: string }>('schedules');
    const after = cursor === null ? {} : { _id: { $gt: cursor } };
    const found = await schedules
      .find({ ...after, ramp: { $ne: null }, course: { $ne: null } })
      .project<{ _id: string }>({ _id: 1 })
      .sort({ _id: 1 })
      .limit(SCHEDULES_AT_ONCE)
      .toArray();
    const last = found.at(-1)?._id;
    if (last === undefined) return null;
    const { modifiedCount } = await schedules.updateMany(
      { _id: { $in: found.map(({ _id }) => _id) } },
      { $inc: { revision: 1 }, $set: { madeUntil: new Date() } },
    );
    return { cursor: last, changed: modifiedCount };
  },
};
