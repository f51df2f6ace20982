import { trusted, type Connection } from 'mongoose';
import type { EventCounts } from '#app/domain/billing/revenue-figures.ts';
import type { IssueRecord, IssueStatus } from '#app/domain/billing/billing-issues.ts';
import type { SubscriptionEvent, SubscriptionEventType } from '#app/domain/billing/subscription-events.ts';
import {
  billingIssueSchema,
  type BillingIssueRow,
  subscriptionEventSchema,
  type SubscriptionEventRow,
} from './billing.server.ts';
import { rangesBeyond, readRanges } from './queries.server.ts';
import { modelOf } from './model-of.server.ts';
import { userSchema, type UserRow } from './user.server.ts';

/** A billing issue with its owner. */
export interface OwnedIssue extends IssueRecord {
  userId: string;
}

/** A subscription event with its owner. */
export interface OwnedEvent extends SubscriptionEvent {
  userId: string;
}

/** Revenue and events of one calendar month (UTC). */
export interface MonthFigures extends EventCounts {
  /** `YYYY-MM`. */
  month: string;
  cents: number;
}

/** A place in a list that is sorted by time. */
export interface Place {
  at: Date;
  id: string;
}

const COUNTED = {
  subscription_created: 'created',
  subscription_canceled: 'canceled',
  payment_succeeded: 'paid',
  payment_failed: 'failed',
} as const;

interface Grouped {
  _id: { month?: string; type: string };
  count: number;
  cents: number;
}

const none = (): EventCounts => ({ created: 0, canceled: 0, paid: 0, failed: 0 });

function addTo(counts: EventCounts, { _id, count }: Grouped): void {
  const name = COUNTED[_id.type as keyof typeof COUNTED];
  if (name !== undefined) counts[name] += count;
}

const PAYERS_AT_ONCE = 1000;

/** Revenue: successful payments minus refunds and withdrawals. */
const RECEIVED = { $cond: [{ $eq: ['$status', 'success'] }, '$amountCents', 0] };

type Where = Record<string, unknown>;

/**
 * Rows behind a place in a list whose newest comes first: those of its instant, then the older ones. Each is one piece of
 * an index; as one question with `$or` all rows would be read and sorted.
 */
async function readBehind<Row>(
  read: (filter: Where, limit: number) => Promise<Row[]>,
  where: Where,
  field: string,
  { after, limit }: { after: Place | undefined; limit: number },
): Promise<Row[]> {
  const newestFirst = [
    [field, -1],
    ['_id', -1],
  ] as const;
  const ranges = after === undefined ? [{}] : rangesBeyond(newestFirst, [after.at, after.id], false);
  return readRanges(ranges, limit, (range, most) => read({ ...where, ...range }, most));
}

function eventsOf(connection: Connection) {
  const events = modelOf<SubscriptionEventRow>(connection, 'SubscriptionEvent', subscriptionEventSchema);
  return {
    /** Events and money from `from` to right before `to`. */
    async countEvents(from: Date, to: Date): Promise<EventCounts & { cents: number }> {
      const groups = await events.aggregate<Grouped>([
        { $match: { createdAt: { $gte: from, $lt: to } } },
        { $group: { _id: { type: '$eventType' }, count: { $sum: 1 }, cents: { $sum: RECEIVED } } },
      ]);
      const counts = none();
      for (const group of groups) addTo(counts, group);
      return { ...counts, cents: groups.reduce((sum, { cents }) => sum + cents, 0) };
    },

    /** The same by month, for the months in which something happened. */
    async countByMonth(from: Date): Promise<MonthFigures[]> {
      const groups = await events.aggregate<Grouped>([
        { $match: { createdAt: { $gte: from } } },
        {
          $group: {
            _id: { month: { $dateToString: { date: '$createdAt', format: '%Y-%m' } }, type: '$eventType' },
            count: { $sum: 1 },
            cents: { $sum: RECEIVED },
          },
        },
      ]);
      const months = new Map<string, MonthFigures>();
      for (const group of groups) {
        const month = group._id.month ?? '';
        const figures = months.get(month) ?? { month, cents: 0, ...none() };
        figures.cents += group.cents;
        addTo(figures, group);
        months.set(month, figures);
      }
      return [...months.values()].sort((a, b) => a.month.localeCompare(b.month));
    },

    /** Everybody's events, of one type or all, newest first. */
    async listEvents(limit: number, after?: Place, eventType?: SubscriptionEventType): Promise<OwnedEvent[]> {
      const read = (filter: Where, most: number) =>
        events.find(filter).sort({ createdAt: -1, _id: -1 }).limit(most).lean();
      const where = eventType === undefined ? {} : { eventType };
      const rows = await readBehind(read, where, 'createdAt', { after, limit });
      return rows.map(({ _id, ...rest }) => ({ id: _id, ...rest }) as OwnedEvent);
    },
  };
}

function issuesOf(connection: Connection) {
  const issues = modelOf<BillingIssueRow>(connection, 'BillingIssue', billingIssueSchema);
  return {
    /** Everybody's issues with one status, newest first. */
    async listIssues(status: IssueStatus, limit: number, after?: Place): Promise<OwnedIssue[]> {
      const read = (filter: Where, most: number) =>
        issues.find(filter).sort({ openedAt: -1, _id: -1 }).limit(most).lean();
      const rows = await readBehind(read, { status }, 'openedAt', { after, limit });
      return rows.map(({ _id, issueId: _issue, version: _version, ...rest }) => ({ id: _id, ...rest }));
    },

    async countIssues(status: IssueStatus): Promise<number> {
      return issues.countDocuments({ status });
    },

    /** @param id the owner's id and the issue's, as the lists give it */
    async findIssue(id: string): Promise<OwnedIssue | null> {
      const row = await issues.findOne({ _id: id }).lean();
      if (row === null) return null;
      const { _id, issueId: _issue, version: _version, ...rest } = row;
      return { id: _id, ...rest };
    },

    /** Changes an issue's status. @returns false when it no longer has the status it is changed from */
    async moveIssue(
      id: string,
      from: IssueStatus,
      to: IssueStatus,
      resolvedAt: Date | null,
    ): Promise<boolean> {
      const result = await issues.updateOne({ _id: id, status: from }, { $set: { status: to, resolvedAt } });
      return result.modifiedCount === 1;
    },
  };
}

function accountsOf(connection: Connection) {
  const events = modelOf<SubscriptionEventRow>(connection, 'SubscriptionEvent', subscriptionEventSchema);
  const users = modelOf<UserRow>(connection, 'User', userSchema);
  return {
    /** The number of accounts whose trial began in a time range. */
    async countTrials(from: Date, to: Date): Promise<number> {
      return users.countDocuments({ trialStartedAt: trusted({ $gte: from, $lt: to }) });
    },

    /** How many of those have paid since. */
    async countPaidTrials(from: Date, to: Date): Promise<number> {
      const payers = await events.aggregate<{ _id: string }>([
        { $match: { createdAt: { $gte: from }, eventType: 'payment_succeeded' } },
        { $group: { _id: '$userId' } },
      ]);
      let paid = 0;
      for (let at = 0; at < payers.length; at += PAYERS_AT_ONCE) {
        const ids = payers.slice(at, at + PAYERS_AT_ONCE).map(({ _id }) => _id);
        const filter = { _id: trusted({ $in: ids }), trialStartedAt: trusted({ $gte: from, $lt: to }) };
        paid += await users.countDocuments(filter);
      }
      return paid;
    },
  };
}

/** Everybody's billing for administrators: added up in the database, read page by page. */
export function createBillingAdminRepository(connection: Connection) {
  return { ...eventsOf(connection), ...issuesOf(connection), ...accountsOf(connection) };
}
