import { trusted, type Connection, type Model, type QueryFilter } from 'mongoose';
import { entitlementOf, graceStart } from '#app/domain/billing/entitlement.ts';
import { modelOf } from './model-of.server.ts';
import { userSchema, type UserRow } from './user.model.server.ts';

/** How many accounts there are, how many may use everything, how many were seen lately. */
export interface UserCounts {
  total: number;
  premium: number;
  active: number;
}

/** Accounts that a count fetches at a time: others are served between two pieces. */
const PIECE = 1000;

type Standing = Pick<
  UserRow,
  | '_id'
  | 'suspendedAt'
  | 'billingStatus'
  | 'pastDueSince'
  | 'grantedAt'
  | 'creditUntil'
  | 'trialStartedAt'
  | 'trialEndsAt'
>;

const STANDING = {
  suspendedAt: 1,
  billingStatus: 1,
  pastDueSince: 1,
  grantedAt: 1,
  creditUntil: 1,
  trialStartedAt: 1,
  trialEndsAt: 1,
} as const;

interface Source {
  /** One piece of an index. */
  where: QueryFilter<UserRow>;
  /** The same of an account that was read. */
  has: (row: Standing) => boolean;
}

/** What may make an account premium, each with the accounts that have it. */
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

/** Premium accounts, each with the first of its sources. */
async function countPremium(model: Model<UserRow>, now: Date): Promise<number> {
  const sources = sourcesOf(now);
  let premium = 0;
  for (const [at, { where }] of sources.entries()) {
    const rows = model.find(where, STANDING).lean<Standing>().cursor({ batchSize: PIECE });
    for await (const row of rows as AsyncIterable<Standing>) {
      const isCounted = sources.slice(0, at).some(({ has }) => has(row));
      if (!isCounted && entitlementOf(row, now).isPremium) premium += 1;
    }
  }
  return premium;
}

async function countActive(model: Model<UserRow>, since: Date): Promise<number> {
  const filter = { lastSeenAt: trusted({ $gte: since }) };
  let active = 0;
  for await (const _row of model.find(filter, { _id: 1 }).lean().cursor({ batchSize: PIECE })) active += 1;
  return active;
}

/** Counts over all accounts, for the admin statistics. */
export function createUserCountRepository(connection: Connection) {
  const model = modelOf<UserRow>(connection, 'User', userSchema);
  return {
    /** All accounts, from the collection alone. */
    async countAll(): Promise<number> {
      return model.estimatedDocumentCount();
    },

    /** Totals over all accounts, read in pieces; active means seen since `activeSince`. */
    async count(now: Date, activeSince: Date): Promise<UserCounts> {
      return {
        total: await model.estimatedDocumentCount(),
        premium: await countPremium(model, now),
        active: await countActive(model, activeSince),
      };
    },
  };
}
