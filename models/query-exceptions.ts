/**
 * Every query names its owner by `userId`, the shard key of a large deployment. These are all that do not, each with
 * its reason. A test watches the driver's commands, reads this list, and fails on any other.
 */
export interface QueryException {
  collection: string;
  /** The fields of the filter, in any order. */
  fields: readonly string[];
  reason: string;
}

export const QUERY_EXCEPTIONS: readonly QueryException[] = [
  {
    collection: 'addresses',
    fields: ['_id'],
    reason: 'by unique key: sign-in knows the address and seeks the owner',
  },
  {
    collection: 'demo_interest',
    fields: ['_id'],
    reason: 'by unique key: the address of somebody without an account',
  },
  {
    collection: 'throttles',
    fields: ['_id', 'expiresAt'],
    reason: 'by unique key: counts clients, who own nothing',
  },
  {
    collection: 'one_time_secrets',
    fields: ['_id', 'expiresAt', 'purpose'],
    reason: 'by secret: a link or a step of the sign-in says whose it is',
  },
  { collection: 'role_holders', fields: ['_id'], reason: 'by unique key: one document for each role' },
  {
    collection: 'role_holders',
    fields: ['_id', 'userIds'],
    reason: 'by unique key: one document for each role',
  },
  {
    collection: 'role_holders',
    fields: ['_id', 'userIds', 'userIds.1'],
    reason: 'by unique key: one document for each role',
  },
  { collection: 'sessions', fields: ['_id'], reason: 'by secret: a token says who its owner is' },
  {
    collection: 'sessions',
    fields: ['_id', 'endedAt', 'lastUsedAt'],
    reason: 'by secret: the session just resolved',
  },
  { collection: 'sessions', fields: ['expiresAt'], reason: 'worker: sessions of anybody that are over' },
  { collection: 'users', fields: ['_id'], reason: 'the account itself: its id is the owner' },
  { collection: 'users', fields: ['_id', 'deleteAfter'], reason: 'the account itself: its id is the owner' },
  {
    collection: 'users',
    fields: ['_id', 'deleteAfter', 'deletionClaimedUntil'],
    reason: 'the account itself: its id is the owner',
  },
  {
    collection: 'users',
    fields: ['deleteAfter'],
    reason: 'worker: accounts of anybody whose deletion is due',
  },
  { collection: 'users', fields: ['_id', 'email'], reason: 'the account itself: its id is the owner' },
  { collection: 'users', fields: ['_id', 'lastSeenAt'], reason: 'the account itself: its id is the owner' },
  { collection: 'users', fields: ['_id', 'passwordHash'], reason: 'the account itself: its id is the owner' },
  { collection: 'users', fields: ['_id', 'suspendedAt'], reason: 'the account itself: its id is the owner' },
  {
    collection: 'users',
    fields: ['_id', 'trialStartedAt'],
    reason: 'the account itself: its id is the owner',
  },
  { collection: 'users', fields: ['$or', 'suspendedAt'], reason: 'admin statistics: premium accounts' },
  { collection: 'users', fields: ['lastSeenAt'], reason: 'admin statistics: active accounts' },
  { collection: 'users', fields: [], reason: 'admin statistics: all accounts, from the collection alone' },
  { collection: 'subscription_events', fields: ['createdAt', 'status'], reason: 'admin statistics: revenue' },
  {
    collection: 'audit',
    fields: ['subjectId'],
    reason: 'admin list: rows outlive the account they are about',
  },
  {
    collection: 'audit',
    fields: ['$or', 'subjectId'],
    reason: 'access log: the next page of the rows about an account',
  },
];

/** Indexes that do not begin with `userId`, for the queries above. Collections keyed by `_id` alone have none. */
export const INDEX_EXCEPTIONS: readonly { collection: string; fields: readonly string[] }[] = [
  { collection: 'throttles', fields: ['expiresAt'] },
  { collection: 'one_time_secrets', fields: ['expiresAt'] },
  { collection: 'sessions', fields: ['expiresAt'] },
  { collection: 'users', fields: ['lastSeenAt'] },
  { collection: 'users', fields: ['deleteAfter'] },
  { collection: 'users', fields: ['trialEndsAt'] },
  { collection: 'users', fields: ['creditUntil'] },
  { collection: 'users', fields: ['grantedAt'] },
  { collection: 'users', fields: ['billingStatus', 'pastDueSince'] },
  { collection: 'subscription_events', fields: ['createdAt'] },
  { collection: 'audit', fields: ['subjectId', 'at', '_id'] },
  { collection: 'audit', fields: ['at'] },
];
