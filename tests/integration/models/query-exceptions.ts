import { shardKeyOf } from '#models/store/shard-keys.ts';

/**
 * Every query names its owner by `userId`, the shard key of a large deployment, except those listed here with their
 * reasons. A test watches the driver's commands and fails for any other exception.
 */
export interface QueryException {
  collection: string;
  /** The fields of the filter, in any order. */
  fields: readonly string[];
  reason: string;
}

/** An administrators' list, read along an index: its first page, then rows that share a place's value, then rows beyond it. */
function listAlong(
  collection: string,
  where: readonly string[],
  by: string,
  bounded: boolean,
): QueryException[] {
  const reason = `admin list: by ${[...where, by].join(' and ')}`;
  const first = bounded ? [...where, by] : where;
  const pages = [first, [...where, by, '_id'], [...where, by]];
  const distinct = new Map(pages.map((fields) => [fields.join(), fields]));
  return [...distinct.values()].map((fields) => ({ collection, fields, reason }));
}

/** Collections of secrets' rows. `secret_owners` says whose a secret is, except one of an earlier version that was not used since. */
const HELD_BY_SECRET = [
  ...['api_tokens', 'calendar_feeds', 'identities', 'passkeys', 'push_subscriptions', 'report_shares'],
  'sessions',
];

/** Collections that imports add records to. */
const IMPORTED = [
  ...['calculations', 'compounds', 'doses', 'injection_sites', 'lots', 'measurements', 'schedules'],
  ...['side_effects', 'supplies'],
];

export const QUERY_EXCEPTIONS: readonly QueryException[] = [
  ...IMPORTED.map((collection) => ({
    collection,
    fields: ['_id'],
    reason: 'by unique key: whether anybody has an id that a file gives a record',
  })),
  { collection: 'secret_owners', fields: ['_id'], reason: 'by secret: says whose it is' },
  {
    collection: 'users',
    fields: ['emailDomain', 'deleteAfter'],
    reason: 'demos: how many there are, which is limited',
  },
  {
    collection: 'id_claims',
    fields: ['_id'],
    reason: 'by unique key: which account an id in a file goes to',
  },
  ...HELD_BY_SECRET.map((collection) => ({
    collection,
    fields: ['_id'],
    reason: 'by secret: one that an earlier version gave out, or that nobody has',
  })),
  {
    collection: 'subscription_events',
    fields: [],
    reason: 'admin overview: the latest events, and the first',
  },
  ...listAlong('users', [], 'createdAt', false),
  ...listAlong('users', ['role'], 'createdAt', false),
  ...listAlong('users', ['billingStatus'], 'createdAt', false),
  ...listAlong('users', [], 'email', true),
  ...listAlong('users', [], 'emailDomain', true),
  ...listAlong('users', [], 'lastSeenAt', true),
  ...listAlong('users', [], 'suspendedAt', true),
  ...listAlong('users', [], 'trialEndsAt', true),
  ...listAlong('address_parts', [], 'part', true),
  {
    collection: 'migrations',
    fields: ['_id'],
    reason: 'by unique key: whether addresses can be searched yet',
  },
  {
    collection: 'migrations',
    fields: ['doneAt'],
    reason: 'nobody owns it: what is left to do, a few documents',
  },
  ...listAlong('audit', [], 'at', false),
  ...listAlong('audit', ['subjectId'], 'at', false),
  ...listAlong('audit', ['actor'], 'at', false),
  ...listAlong('audit', ['action'], 'at', false),
  {
    collection: 'audit',
    fields: ['actor', 'action'],
    reason: 'admin list: how many entries of an actor and an action',
  },
  {
    collection: 'server_logs',
    fields: ['_id', 'level', 'text'],
    reason: 'nobody owns it: the log of this server',
  },
  { collection: 'server_logs', fields: [], reason: 'nobody owns it: finds where to cut' },
  { collection: 'server_logs', fields: ['_id'], reason: 'nobody owns it: drops the oldest' },
  { collection: 'server_logs', fields: ['message'], reason: 'nobody owns it: finds where to cut a kind' },
  {
    collection: 'server_logs',
    fields: ['message', '_id'],
    reason: 'nobody owns it: drops the oldest of a kind',
  },
  { collection: 'server_processes', fields: ['_id'], reason: 'nobody owns it: by its name' },
  { collection: 'server_processes', fields: ['seenAt'], reason: 'nobody owns it: all processes, a few' },
  { collection: 'server_signals', fields: ['_id'], reason: 'nobody owns it: by its name' },
  { collection: 'server_signals', fields: ['_id', 'count'], reason: 'nobody owns it: by its name' },
  { collection: 'backups', fields: ['_id'], reason: 'nobody owns it: by its name' },
  { collection: 'backups', fields: [], reason: 'nobody owns it: all backups, a few' },
  { collection: 'announcements', fields: ['_id'], reason: 'nobody owns it: by its id' },
  { collection: 'announcements', fields: ['_id', 'endsAt'], reason: 'nobody owns it: by its id' },
  {
    collection: 'announcements',
    fields: ['_id', 'endsAt', 'revision'],
    reason: 'nobody owns it: by its id, as it was read',
  },
  {
    collection: 'announcements',
    fields: ['endsAt'],
    reason: 'nobody owns it: all current announcements, a few',
  },
  { collection: 'feature_flags', fields: [], reason: 'nobody owns it: all switches, a few' },
  { collection: 'feature_flags', fields: ['_id'], reason: 'nobody owns it: by its name' },
  {
    collection: 'addresses',
    fields: ['_id'],
    reason: 'by unique key: sign-in looks up the owner of an address',
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
  {
    collection: 'doses',
    fields: ['remindAt', 'remindClaimedUntil'],
    reason: 'worker: due reminders of all accounts',
  },
  { collection: 'doses', fields: ['remindAt'], reason: 'admin figures: the backlog' },
  {
    collection: 'account_standings',
    fields: ['checkAt'],
    reason: 'worker: accounts that are to be counted',
  },
  { collection: 'account_standings', fields: ['userId'], reason: 'worker: the next accounts of a recount' },
  {
    collection: 'stock_checks',
    fields: ['checkAt'],
    reason: 'worker: accounts whose stock is to be checked',
  },
  { collection: 'deliveries', fields: ['nextAt'], reason: 'worker: deliveries of anybody that are due' },
  {
    collection: 'webhook_deliveries',
    fields: ['nextAt'],
    reason: 'worker: deliveries of anybody that are due',
  },
  { collection: 'referrals', fields: ['_id'], reason: 'by unique key: whether a place is filled, in an act' },
  { collection: 'mails', fields: ['nextAt'], reason: 'nobody owns it: mails that are due' },
  { collection: 'mails', fields: ['_id', 'nextAt'], reason: 'nobody owns it: a process takes them' },
  { collection: 'mails', fields: ['_id', 'claim'], reason: 'nobody owns it: as a process took it' },
  { collection: 'mails', fields: ['_id'], reason: 'nobody owns it: removes what was sent' },
  { collection: 'job_runs', fields: ['_id'], reason: 'by unique key: one document for each job' },
  {
    collection: 'job_runs',
    fields: ['_id', 'turnUntil'],
    reason: 'by unique key: one document for each job',
  },
  { collection: 'job_runs', fields: ['at'], reason: 'admin list: all jobs, a dozen documents' },
  {
    collection: 'referral_codes',
    fields: ['_id'],
    reason: 'by unique key: registration looks up the owner of a code',
  },
  {
    collection: 'referrals',
    fields: ['_id', 'standing'],
    reason: 'by unique key: a payment looks up who referred the account',
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
  {
    collection: 'doses',
    fields: ['dueDate', 'missAt', 'status'],
    reason: 'worker: overdue doses of all accounts',
  },
  {
    collection: 'doses',
    fields: ['missAt', 'status'],
    reason: 'worker: missed doses of all accounts',
  },
  {
    collection: 'schedules',
    fields: ['claimedUntil', 'isActive', 'madeUntil'],
    reason: 'worker: schedules of all accounts that need doses',
  },
  {
    collection: 'imports',
    fields: ['dueAt'],
    reason: 'worker: imports of all accounts that waited too long or were interrupted',
  },
  { collection: 'sessions', fields: ['expiresAt'], reason: 'worker: expired sessions of all accounts' },
  { collection: 'users', fields: ['_id'], reason: 'the account itself: its id is the owner' },
  {
    collection: 'billing',
    fields: ['toCancelSince'],
    reason: 'worker: subscriptions of all accounts to cancel at the payment provider',
  },
  {
    collection: 'renewal_shifts',
    fields: ['doneAt', 'triedAt'],
    reason: 'worker: charges of all accounts to move at the payment provider',
  },
  {
    collection: 'stripe_customers',
    fields: ['_id'],
    reason: 'by unique key: an event of the payment provider looks up the customer’s owner',
  },
  { collection: 'users', fields: ['_id', 'deleteAfter'], reason: 'the account itself: its id is the owner' },
  {
    collection: 'users',
    fields: ['_id', 'deleteAfter', 'deletionClaimedUntil'],
    reason: 'the account itself: its id is the owner',
  },
  {
    collection: 'users',
    fields: ['deleteAfter', 'deletionClaimedUntil'],
    reason: 'worker: accounts due for deletion',
  },
  { collection: 'users', fields: ['_id', 'passwordHash'], reason: 'the account itself: its id is the owner' },
  {
    collection: 'users',
    fields: ['_id', 'email', 'emailConfirmedAt'],
    reason: 'the account itself: its id is the owner',
  },
  {
    collection: 'users',
    fields: ['_id', 'knownAddresses'],
    reason: 'the account itself: its id is the owner',
  },
  {
    collection: 'users',
    fields: ['_id', 'adminRevision'],
    reason: 'the account itself: its id is the owner',
  },
  {
    collection: 'users',
    fields: ['_id', 'trialStartedAt'],
    reason: 'the account itself: its id is the owner',
  },
  { collection: 'admin_figures', fields: ['_id'], reason: 'nobody owns it: one document' },
  {
    collection: 'users',
    fields: ['billingStatus', 'pastDueSince'],
    reason: 'admin statistics: premium accounts',
  },
  { collection: 'users', fields: ['grantedAt'], reason: 'admin statistics: premium accounts' },
  { collection: 'users', fields: ['creditUntil'], reason: 'admin statistics: premium accounts' },
  { collection: 'subscription_events', fields: ['createdAt'], reason: 'admin statistics: rates and months' },
  { collection: 'subscription_days', fields: ['_id'], reason: 'nobody owns it: by its day' },
  { collection: 'subscription_days', fields: ['_id', 'revision'], reason: 'nobody owns it: by its day' },
  { collection: 'subscription_months', fields: ['_id'], reason: 'nobody owns it: by its month' },
  { collection: 'subscription_months', fields: ['_id', 'revision'], reason: 'nobody owns it: by its month' },
  ...listAlong('subscription_events', [], 'createdAt', false),
  ...listAlong('subscription_events', ['eventType'], 'createdAt', false),
  ...listAlong('billing_issues', ['status'], 'openedAt', false),
  { collection: 'users', fields: ['trialStartedAt'], reason: 'admin statistics: trials' },
];

/** A person's own, in collections that are divided by another key, and how rarely they are asked for. */
const OWN_ELSEWHERE: readonly QueryException[] = [
  ...['addresses', 'one_time_secrets', 'referral_codes', 'secret_owners', 'stripe_customers'].map(
    (collection) => ({
      collection,
      fields: ['userId'],
      reason: 'a person’s own: their download, and once, when the account is deleted',
    }),
  ),
  {
    collection: 'one_time_secrets',
    fields: ['purpose', 'userId'],
    reason: 'a person’s own: links sent before, when a new one is sent or used',
  },
  { collection: 'referrals', fields: ['userId'], reason: 'a person’s own: their page of referrals' },
  {
    collection: 'referrals',
    fields: ['standing', 'userId'],
    reason: 'a person’s own: their page of referrals',
  },
  ...['one_time_secrets', 'referrals'].map((collection) => ({
    collection,
    fields: ['$or', 'userId'],
    reason: 'administrators: what a breach of an account touched',
  })),
  { collection: 'users', fields: ['_id'], reason: 'migrations: the ids of all accounts, some at a time' },
];

/** The worker's count of all accounts, once a week and piece by piece, asks for the next ones by their ids. */
const RECOUNT: readonly QueryException[] = [
  { collection: 'users', fields: ['_id'], reason: 'worker: the next accounts of a recount' },
  { collection: 'account_standings', fields: ['userId'], reason: 'worker: the next accounts of a recount' },
];

/** Reads that ask all shards of a cluster: those of the list above that name no shard, and a person’s own elsewhere. */
export const BROADCASTS: readonly QueryException[] = [
  ...QUERY_EXCEPTIONS.filter(({ collection, fields, reason }) => {
    const key = shardKeyOf(collection);
    const isNamed = key !== null && fields.includes(key);
    // A list goes on beyond an id.
    return key !== null && (!isNamed || (key === '_id' && reason.startsWith('admin list')));
  }),
  ...RECOUNT,
  ...OWN_ELSEWHERE,
];

/**
 * Reads of all shards that return more with more people: figures, which a request counts on a server of up to 20,000 accounts
 * only; on a larger one the worker keeps them.
 */
export const COUNTED_BY_WORKER: readonly string[] = [
  'users: billingStatus',
  'users: billingStatus, pastDueSince',
  'users: creditUntil',
  'users: grantedAt',
  'users: lastSeenAt',
  'users: trialEndsAt',
  'users: trialStartedAt',
];

/** Indexes that do not begin with `userId`, for the queries above. Collections keyed by `_id` alone have none. */
export const INDEX_EXCEPTIONS: readonly { collection: string; fields: readonly string[] }[] = [
  { collection: 'announcements', fields: ['endsAt'] },
  { collection: 'server_logs', fields: ['expiresAt'] },
  { collection: 'server_logs', fields: ['message', '_id'] },
  { collection: 'api_tokens', fields: ['expiresAt'] },
  { collection: 'secret_owners', fields: ['expiresAt'] },
  { collection: 'id_claims', fields: ['expiresAt'] },
  { collection: 'throttles', fields: ['expiresAt'] },
  { collection: 'idempotent_calls', fields: ['expiresAt'] },
  { collection: 'one_time_secrets', fields: ['expiresAt'] },
  { collection: 'doses', fields: ['status', 'missAt', 'dueDate'] },
  { collection: 'schedules', fields: ['isActive', 'madeUntil'] },
  { collection: 'report_shares', fields: ['expiresAt'] },
  { collection: 'proposals', fields: ['removedAt'] },
  { collection: 'imports', fields: ['dueAt'] },
  { collection: 'sessions', fields: ['expiresAt'] },
  { collection: 'billing', fields: ['toCancelSince'] },
  { collection: 'billing_events', fields: ['expiresAt'] },
  { collection: 'renewal_shifts', fields: ['doneAt', 'triedAt'] },
  { collection: 'doses', fields: ['remindAt'] },
  { collection: 'deliveries', fields: ['nextAt'] },
  { collection: 'webhook_deliveries', fields: ['nextAt'] },
  { collection: 'webhook_deliveries', fields: ['expiresAt'] },
  { collection: 'account_standings', fields: ['checkAt'] },
  { collection: 'stock_checks', fields: ['checkAt'] },
  { collection: 'mails', fields: ['nextAt'] },
  { collection: 'mails', fields: ['expiresAt'] },
  { collection: 'deliveries', fields: ['expiresAt'] },
  { collection: 'reminders', fields: ['expiresAt'] },
  { collection: 'users', fields: ['createdAt', '_id'] },
  { collection: 'users', fields: ['email', '_id'] },
  { collection: 'users', fields: ['emailDomain', '_id'] },
  { collection: 'users', fields: ['lastSeenAt', '_id'] },
  { collection: 'users', fields: ['suspendedAt', '_id'] },
  { collection: 'users', fields: ['trialEndsAt', '_id'] },
  { collection: 'users', fields: ['role', 'createdAt', '_id'] },
  { collection: 'users', fields: ['billingStatus', 'createdAt', '_id'] },
  { collection: 'users', fields: ['deleteAfter'] },
  { collection: 'users', fields: ['creditUntil'] },
  { collection: 'users', fields: ['grantedAt'] },
  { collection: 'users', fields: ['billingStatus', 'pastDueSince'] },
  { collection: 'subscription_events', fields: ['createdAt', '_id'] },
  { collection: 'subscription_events', fields: ['eventType', 'createdAt', '_id'] },
  { collection: 'billing_issues', fields: ['status', 'openedAt', '_id'] },
  { collection: 'users', fields: ['trialStartedAt'] },
  { collection: 'address_parts', fields: ['part', '_id'] },
  { collection: 'audit', fields: ['subjectId', 'at', '_id'] },
  { collection: 'audit', fields: ['at', '_id'] },
  { collection: 'audit', fields: ['actor', 'at', '_id'] },
  { collection: 'audit', fields: ['action', 'at', '_id'] },
];
