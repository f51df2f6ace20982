import { trusted, type Connection, type Model } from 'mongoose';
import { STORED_DATA } from '#app/domain/site/stored-data.ts';
import type { InstantRange } from '#app/domain/time/zoned-time.ts';
import { LARGE_ROWS_AT_ONCE, removeInBatches, ROWS_AT_ONCE } from './writes.server.ts';
import { rowsOf, STREAMING } from './queries.server.ts';

/**
 * Where personal data may be, besides collections whose documents name their owner by `userId`, and what
 * happens to it when the account is deleted. A test fails for any collection that has no `userId` and is not listed here.
 */
interface Holding {
  /** Why it is kept after the account is deleted; it names the person by id only. */
  keptBecause?: string;
  /** Fields left out of the owner's data download because they grant access. */
  hidden?: readonly string[];
}

export const HOLDINGS: Readonly<Record<string, Holding>> = {
  audit: {
    keptBecause: 'it must stay provable who did what to which account; people are named by id only',
  },
  subscription_events: {
    keptBecause: 'payment records that the law requires to be kept; people are named by id only',
    hidden: ['_id'],
  },
  billing_issues: {
    keptBecause: 'part of the payment records; people are named by id only',
  },
  users: { hidden: ['passwordHash', 'knownAddresses'] },
  api_tokens: { hidden: ['_id'] },
  report_shares: { hidden: ['_id'] },
  idempotent_calls: { hidden: ['_id', 'fingerprint', 'answer'] },
  sessions: { hidden: ['_id'] },
  secret_owners: { hidden: ['_id'] },
  one_time_secrets: { hidden: ['_id', 'facts'] },
  second_factors: { hidden: ['secret', 'recoveryHashes'] },
  identities: { hidden: ['_id'] },
  passkeys: { hidden: ['_id', 'credentialId', 'publicKey', 'counter'] },
  proposals: { hidden: ['fingerprint'] },
  referrals: { hidden: ['_id'] },
  calendar_feeds: { hidden: ['_id'] },
  push_subscriptions: { hidden: ['_id', 'endpoint', 'p256dh', 'auth'] },
  ntfy_topics: { hidden: ['url', 'token'] },
  webhooks: { hidden: ['secret'] },
  addresses: {},
  demo_interest: {},
  role_holders: {},
};

/** Collections without personal data. */
export const NOBODYS: Readonly<Record<string, string>> = {
  backups: 'the list of backups; the audit trail says who requested them',
  server_logs: 'the log without addresses and ids of people, deleted after 14 days',
  server_processes: 'the status of this server’s processes',
  server_signals: 'requests to all processes of this server',
  announcements: 'what administrators tell all users',
  feature_flags: 'features switched off on this server',
  id_claims: 'ids that an import gives its rows, with digests, for a day',
  admin_figures: 'counts for administrators, without personal data',
  subscription_days: 'payment totals by day, without personal data',
  subscription_months: 'payment totals by month, without personal data',
  mails: 'mails that wait for the mail server, encrypted, removed once sent and after a day at the latest',
  job_runs: 'the status of this server’s background jobs',
  migrations: 'the progress of data migrations',
  throttles: 'counts under hashed names, deleted within the hour',
};

/** The person whose data is read or deleted. */
interface Subject {
  id: string;
  email: string;
}

type Row = Record<string, unknown>;
type Filter = Row;

/** How to find documents about a person that do not name their owner by `userId`. */
const FILTERS: Readonly<Record<string, (subject: Subject) => Filter>> = {
  users: ({ id }) => ({ _id: id }),
  demo_interest: ({ email }) => ({ _id: email }),
  role_holders: ({ id }) => ({ _id: 'super_admin', userIds: id }),
  audit: ({ id }) => ({ subjectId: id }),
};

/** Collections with large rows: chunks of files and pieces of imports. */
const LARGE = /\.chunks$|^import_pieces$/;

const sizeOf = (collection: string): number => (LARGE.test(collection) ? LARGE_ROWS_AT_ONCE : ROWS_AT_ONCE);

/** Deleted together and after all others: a half-deleted account must still be found, and it still counts. */
const LAST = ['account_standings', 'addresses', 'users'];

const DELETED = Object.keys(FILTERS).filter((name) => name !== 'role_holders');

/** Everything stored about one person, in all collections. */
export function createPersonalDataRepository(connection: Connection) {
  const modelsOf = (): Model<Row>[] =>
    Object.values<Model<Row>>(connection.models).filter(
      ({ schema, collection }) => schema.path('userId') !== undefined || collection.collectionName in FILTERS,
    );
  const nameOf = (model: Model<Row>) => model.collection.collectionName;
  const filterOf = (model: Model<Row>, subject: Subject): Filter =>
    (FILTERS[nameOf(model)] ?? (({ id }: Subject) => ({ userId: id })))(subject);

  function projectionOf(collection: string): Record<string, 0 | 1> {
    if (collection === 'role_holders') return { _id: 1 };
    return Object.fromEntries((HOLDINGS[collection]?.hidden ?? []).map((field) => [field, 0]));
  }

  async function remove(model: Model<Row>, subject: Subject): Promise<void> {
    const collection = nameOf(model);
    if (HOLDINGS[collection]?.keptBecause !== undefined) return;
    const filter = filterOf(model, subject);
    if (collection === 'role_holders') await model.updateOne(filter, { $pull: { userIds: subject.id } });
    else if (DELETED.includes(collection)) await model.deleteOne(filter);
    else await removeInBatches(model, filter, sizeOf(collection));
  }

  return {
    /** The names of all collections that may hold personal data. */
    collections: () => Promise.resolve(modelsOf().map(nameOf).sort()),

    /** How many documents in a collection belong to a person. */
    async count(collection: string, userId: string): Promise<number> {
      const model = modelsOf().find((candidate) => nameOf(candidate) === collection);
      return model === undefined ? 0 : model.countDocuments({ userId });
    },

    /** How many documents of an account were created, used or changed in a period, by collection, without zeros. */
    async countTouched(userId: string, { from, before }: InstantRange): Promise<Map<string, number>> {
      const counts = new Map<string, number>();
      const within = { ...(from && { $gte: from }), ...(before && { $lt: before }) };
      for (const model of modelsOf()) {
        const collection = nameOf(model);
        const { touched = [] } = STORED_DATA[collection] ?? {};
        if (touched.length === 0 || collection in FILTERS) continue;
        const $or = touched.map((field) => ({ [field]: trusted({ ...within }) }));
        const count = await model.countDocuments({ userId, $or });
        if (count > 0) counts.set(collection, count);
      }
      return counts;
    },

    /** All documents about a person in one collection, without fields that grant access. */
    async *documents(collection: string, subject: Subject): AsyncGenerator<Row> {
      const model = modelsOf().find((candidate) => nameOf(candidate) === collection);
      if (model === undefined) return;
      const cursor = model.find(filterOf(model, subject), projectionOf(collection)).lean().cursor(STREAMING);
      yield* rowsOf(cursor);
    },

    /** Deletes everything except the account itself and what is kept under the id only. */
    async deleteOwned(subject: Subject): Promise<void> {
      for (const model of modelsOf()) if (!LAST.includes(nameOf(model))) await remove(model, subject);
    },

    /** Deletes the account itself, once nothing else of it is left. */
    async deleteAccount(subject: Subject): Promise<void> {
      for (const model of modelsOf()) if (LAST.includes(nameOf(model))) await remove(model, subject);
    },
  };
}
