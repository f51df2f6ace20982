import { trusted, type Connection } from 'mongoose';
import {
  addSums,
  dayOf,
  daysUntil,
  monthOf,
  monthsUntil,
  nextDay,
  startOfDay,
  startOfMonth,
  type EventCounts,
  type EventSums,
} from '#app/domain/billing/revenue-figures.ts';
import type { IssueRecord, IssueStatus } from '#app/domain/billing/billing-state.ts';
import type { SubscriptionEvent, SubscriptionEventType } from '#app/domain/billing/subscription-events.ts';
import {
  billingIssueSchema,
  type BillingIssueRow,
  subscriptionEventSchema,
  type SubscriptionEventRow,
} from './billing.server.ts';
import { rangesBeyond, readRanges, inBatches, STREAMING } from '../store/queries.server.ts';
import { modelOf } from '../store/model-of.server.ts';
import { createSubscriptionDays, createSubscriptionMonths } from './subscription-sums.server.ts';
import { userSchema, type UserRow } from '../accounts/user.server.ts';

/** A billing issue with its owner. */
export interface OwnedIssue extends IssueRecord {
  userId: string;
}

/** A subscription event with its owner. */
export interface OwnedEvent extends SubscriptionEvent {
  userId: string;
}

/** Revenue and events of one calendar month (UTC). */
interface MonthFigures extends EventSums {
  /** `YYYY-MM`. */
  month: string;
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

const TRIALS_AT_ONCE = 1000;

/** Revenue: successful payments minus refunds and withdrawals. */
const RECEIVED = { $cond: [{ $eq: ['$status', 'success'] }, '$amountCents', 0] };

const IS_PAYMENT = { $cond: [{ $eq: ['$eventType', 'payment_succeeded'] }, 1, 0] };

type Where = Record<string, unknown>;

/**
 * Rows after a place in a newest-first list: those of the same instant, then the older ones. Each query reads one range of
 * an index; a single query with `$or` would read and sort all rows.
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

/** The owner that an issue's id begins with. */
const ownerOf = (issueId: string): string => issueId.split(':', 1)[0] ?? '';

/** All accounts' billing, for administrators: summed in the database, read page by page. */
export function createBillingAdminRepository(connection: Connection) {
  const events = modelOf<SubscriptionEventRow>(connection, 'SubscriptionEvent', subscriptionEventSchema);
  const months = createSubscriptionMonths(connection);
  const days = createSubscriptionDays(connection);
  const users = modelOf<UserRow>(connection, 'User', userSchema);
  const issues = modelOf<BillingIssueRow>(connection, 'BillingIssue', billingIssueSchema);

  async function countEvents(from: Date, to: Date): Promise<EventSums> {
    const groups = await events.aggregate<Grouped>([
      { $match: { createdAt: { $gte: from, $lt: to } } },
      { $group: { _id: { type: '$eventType' }, count: { $sum: 1 }, cents: { $sum: RECEIVED } } },
    ]);
    const counts = none();
    for (const group of groups) addTo(counts, group);
    return { ...counts, cents: groups.reduce((sum, { cents }) => sum + cents, 0) };
  }

  /** Whole months before `end`, starting with `first` or the month of the oldest event. */
  async function listStored(first: string, end: string): Promise<MonthFigures[]> {
    const oldest = await events.findOne({}, { createdAt: 1 }).sort({ createdAt: 1 }).lean();
    if (oldest === null) return [];
    const begin = monthOf(oldest.createdAt);
    const names = monthsUntil(begin > first ? begin : first, end);
    const sums = await months.list(names, countEvents);
    return names.map((month, at) => ({ month, ...(sums[at] ?? addSums([])) }));
  }

  return {
    /** Events and revenue from `from` (inclusive) to `to` (exclusive), counted from the events. */
    countEvents,

    /**
     * The same for many days.
     * @param settled whole days before the one of this instant come from stored sums; a day before now at the latest
     */
    async countDays(from: Date, to: Date, settled: Date): Promise<EventSums> {
      const first = nextDay(dayOf(from));
      const last = dayOf(settled) < dayOf(to) ? dayOf(settled) : dayOf(to);
      if (first >= last) return countEvents(from, to);
      const [stored, before, after] = await Promise.all([
        days.list(daysUntil(first, last), countEvents),
        countEvents(from, startOfDay(first)),
        countEvents(startOfDay(last), to),
      ]);
      return addSums([before, ...stored, after]);
    },

    /** Everything before `to`. Earlier months come from stored sums. */
    async countBefore(to: Date): Promise<EventSums> {
      const month = monthOf(to);
      const [stored, rest] = await Promise.all([listStored('', month), countEvents(startOfMonth(month), to)]);
      return addSums([...stored, rest]);
    },

    /**
     * The same by month, oldest first; months without events may be missing.
     * @param first the first month, `YYYY-MM`
     * @param settled months before the one of this instant come from stored sums
     */
    async countByMonth(first: string, settled: Date): Promise<MonthFigures[]> {
      const open = monthOf(settled) > first ? monthOf(settled) : first;
      const [stored, groups] = await Promise.all([
        listStored(first, open),
        events.aggregate<Grouped>([
          { $match: { createdAt: { $gte: startOfMonth(open) } } },
          {
            $group: {
              _id: { month: { $dateToString: { date: '$createdAt', format: '%Y-%m' } }, type: '$eventType' },
              count: { $sum: 1 },
              cents: { $sum: RECEIVED },
            },
          },
        ]),
      ]);
      const counted = new Map<string, MonthFigures>();
      for (const group of groups) {
        const month = group._id.month ?? '';
        const figures = counted.get(month) ?? { month, cents: 0, ...none() };
        figures.cents += group.cents;
        addTo(figures, group);
        counted.set(month, figures);
      }
      return [...stored, ...[...counted.values()].sort((a, b) => a.month.localeCompare(b.month))];
    },

    /** All accounts' events, of one type or all types, newest first. */
    async listEvents(limit: number, after?: Place, eventType?: SubscriptionEventType): Promise<OwnedEvent[]> {
      const read = (filter: Where, most: number) =>
        events.find(filter).sort({ createdAt: -1, _id: -1 }).limit(most).lean();
      const where = eventType === undefined ? {} : { eventType };
      const rows = await readBehind(read, where, 'createdAt', { after, limit });
      return rows.map(({ _id, ...rest }) => ({ id: _id, ...rest }) as OwnedEvent);
    },

    /** All accounts' issues with one status, newest first. */
    async listIssues(status: IssueStatus, limit: number, after?: Place): Promise<OwnedIssue[]> {
      const read = (filter: Where, most: number) =>
        issues.find(filter).sort({ openedAt: -1, _id: -1 }).limit(most).lean();
      const rows = await readBehind(read, { status }, 'openedAt', { after, limit });
      return rows.map(({ _id, issueId: _issue, ...rest }) => ({ id: _id, ...rest }));
    },

    async countIssues(status: IssueStatus): Promise<number> {
      return issues.countDocuments({ status });
    },

    /** @param id the owner's id and the issue's, as the lists give it */
    async findIssue(id: string): Promise<OwnedIssue | null> {
      const row = await issues.findOne({ userId: ownerOf(id), _id: id }).lean();
      if (row === null) return null;
      const { _id, issueId: _issue, ...rest } = row;
      return { id: _id, ...rest };
    },

    /** Changes an issue's status. @returns false when its status was changed meanwhile */
    async moveIssue(
      id: string,
      from: IssueStatus,
      to: IssueStatus,
      resolvedAt: Date | null,
    ): Promise<boolean> {
      const issue = { userId: ownerOf(id), _id: id, status: from };
      const result = await issues.updateOne(issue, { $set: { status: to, resolvedAt } });
      return result.modifiedCount === 1;
    },

    /**
     * Counts accounts whose trial began from `from` (inclusive) to `to` (exclusive), and how many of them have paid since
     * `from`. Payments are looked up by account, because most payments come from long-standing accounts.
     */
    async countTrials(from: Date, to: Date): Promise<{ ended: number; paid: number }> {
      const trials = users
        .find({ trialStartedAt: trusted({ $gte: from, $lt: to }) }, { _id: 1 })
        .lean()
        .cursor({ ...STREAMING, batchSize: TRIALS_AT_ONCE });
      const counts = { ended: 0, paid: 0 };
      for await (const ids of inBatches(trials, ({ _id }) => _id, TRIALS_AT_ONCE)) {
        counts.ended += ids.length;
        // Their type is checked afterwards: in the query it would make the database scan all payments.
        const owners = await events.aggregate<{ _id: string; payments: number }>([
          { $match: { userId: { $in: ids }, createdAt: { $gte: from } } },
          { $group: { _id: '$userId', payments: { $sum: IS_PAYMENT } } },
        ]);
        counts.paid += owners.filter(({ payments }) => payments > 0).length;
      }
      return counts;
    },
  };
}
