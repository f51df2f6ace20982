import type { Connection } from 'mongoose';
import { domainOf } from '#app/domain/admin/user-search.ts';
import type { UserRow } from '#models/user.server.ts';
import type { Migration } from './migration.ts';

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

type Stored = Pick<UserRow, '_id' | 'email'> & Partial<UserRow>;

/** The updates that an account needs. Each names what was read: what somebody writes meanwhile is not overwritten. */
function updatesOf({ _id, email, ...rest }: Stored) {
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

async function step(connection: Connection, cursor: string | null) {
  const users = connection.collection<Stored>('users');
  const rows = await users
    .find(cursor === null ? {} : { _id: { $gt: cursor } })
    .project<Stored>({ email: 1, emailDomain: 1, ...PROJECTED })
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
  step,
};
