import { isDeepStrictEqual } from 'node:util';
import { Schema, type InferSchemaType, type Connection, trusted } from 'mongoose';
import { DAY_MS } from '#app/domain/time/calendar.ts';
import { insertUnlessTaken, removeInBatches } from '../store/writes.server.ts';
import { modelOf } from '../store/model-of.server.ts';
import {
  type BillingProblemType,
  type BillingState,
  NO_BILLING,
  ISSUE_STATUSES,
  type IssueStatus,
  nextIssue,
  type IssueRecord,
  type IssueFact,
} from '#app/domain/billing/billing-state.ts';
import type { SubscriptionEvent } from '#app/domain/billing/subscription-events.ts';
import { createSubscriptionDays, createSubscriptionMonths } from './subscription-sums.server.ts';
import { subscriptionsToCancel } from '#app/domain/billing/reduce-events.ts';

/** A document of `billing_events`: an event of the payment provider that has been applied. */
interface BillingEventRow {
  /** The provider's id of the event. */
  _id: string;
  userId: string;
  type: string;
  at: Date;
  /** Long after the provider's last redelivery attempt; a later copy would change nothing anyway. */
  expiresAt: Date;
}

const billingEventSchema = new Schema<BillingEventRow>(
  {
    _id: { type: String, required: true },
    userId: { type: String, required: true },
    type: { type: String, required: true },
    at: { type: Date, required: true },
    expiresAt: { type: Date, required: true },
  },
  { collection: 'billing_events' },
);

billingEventSchema.index({ userId: 1 });
billingEventSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

/** Stripe retries for three days; events can be resent by hand for thirty. */
const KEPT_DAYS = 90;

/** Which events of the payment provider have been applied. */
export function createBillingEventRepository(connection: Connection) {
  const model = modelOf<BillingEventRow>(connection, 'BillingEvent', billingEventSchema);
  return {
    async isApplied(userId: string, eventId: string): Promise<boolean> {
      return (await model.exists({ _id: eventId, userId })) !== null;
    },

    /** Records that an event is applied, in the transaction that does. */
    async markApplied(userId: string, event: { id: string; type: string }, at: Date): Promise<void> {
      const { id, type } = event;
      const expiresAt = new Date(at.getTime() + KEPT_DAYS * DAY_MS);
      await insertUnlessTaken(model, { _id: id, userId, type, at, expiresAt });
    },
  };
}

/** A document of `billing_issues`. People are named by id alone. */
export interface BillingIssueRow {
  /** The owner's id and the issue's, which is unique within the account. */
  _id: string;
  userId: string;
  issueId: string;
  type: BillingProblemType;
  /** US cents. */
  amountCents: number;
  description: string;
  status: IssueStatus;
  openedAt: Date;
  resolvedAt: Date | null;
}

export const billingIssueSchema = new Schema<BillingIssueRow>(
  {
    _id: { type: String, required: true },
    userId: { type: String, required: true },
    issueId: { type: String, required: true },
    type: { type: String, required: true },
    amountCents: { type: Number, required: true },
    description: { type: String, required: true },
    status: { type: String, enum: ISSUE_STATUSES, required: true },
    openedAt: { type: Date, required: true },
    resolvedAt: { type: Date, default: null },
  },
  { collection: 'billing_issues' },
);

billingIssueSchema.index({ userId: 1, issueId: 1 }, { unique: true });
// Listed by administrators.
billingIssueSchema.index({ status: 1, openedAt: 1, _id: 1 });

function toIssue(row: BillingIssueRow): IssueRecord {
  const { _id, userId: _owner, issueId, ...rest } = row;
  return { id: issueId, ...rest };
}

/** Billing issues. Each is stored once per account, however often it is reported. */
export function createBillingIssueRepository(connection: Connection) {
  const model = modelOf<BillingIssueRow>(connection, 'BillingIssue', billingIssueSchema);

  return {
    /** Brings an account's issues up to date, in the transaction that changes its billing. */
    async record(userId: string, facts: readonly IssueFact[]): Promise<void> {
      const known = new Map((await model.find({ userId }).lean()).map((row) => [row.issueId, toIssue(row)]));
      for (const fact of facts) {
        const issue = known.get(fact.id) ?? null;
        const { id: issueId, ...next } = nextIssue(issue, fact);
        if (issue === null) await model.create({ _id: `${userId}:${issueId}`, userId, issueId, ...next });
        else if (!isDeepStrictEqual(issue, { id: issueId, ...next }))
          await model.updateOne({ userId, issueId }, { $set: next });
      }
    },

    /** An account's issues, the oldest first. */
    async list(userId: string): Promise<IssueRecord[]> {
      const rows = await model.find({ userId }).sort({ openedAt: 1, issueId: 1 }).lean();
      return rows.map(toIssue);
    },
  };
}

/** A document of `subscription_events`, keyed by the provider's event id so that each is applied once. */
export interface SubscriptionEventRow {
  _id: string;
  userId: string;
  eventType: string;
  /** US cents; negative for a refund. */
  amountCents: number;
  status: 'success' | 'failed' | 'pending';
  createdAt: Date;
  /** A short sentence for the admin. */
  details: string;
}

export const subscriptionEventSchema = new Schema<SubscriptionEventRow>(
  {
    _id: { type: String, required: true },
    userId: { type: String, required: true },
    eventType: { type: String, required: true },
    amountCents: { type: Number, required: true },
    status: { type: String, required: true },
    createdAt: { type: Date, required: true },
    details: { type: String, default: '' },
  },
  { collection: 'subscription_events' },
);

subscriptionEventSchema.index({ userId: 1, createdAt: -1 });
// Summed by the admin statistics month by month, and listed there.
subscriptionEventSchema.index({ createdAt: 1, _id: 1 });
subscriptionEventSchema.index({ eventType: 1, createdAt: 1, _id: 1 });

/** The record of what the payment provider reported. */
export function createSubscriptionEventRepository(connection: Connection) {
  const model = modelOf<SubscriptionEventRow>(connection, 'SubscriptionEvent', subscriptionEventSchema);
  const months = createSubscriptionMonths(connection);
  const days = createSubscriptionDays(connection);
  return {
    /** Adds an event, in the transaction that applies it. */
    async record(userId: string, { id, ...line }: SubscriptionEvent, now: Date): Promise<void> {
      if (!(await insertUnlessTaken(model, { _id: id, userId, ...line }))) return;
      await months.markChanged(line.createdAt, now);
      await days.markChanged(line.createdAt, now);
    },

    /** An account's latest successful payment. */
    async findLastPayment(userId: string): Promise<{ at: Date; amountCents: number } | null> {
      const row = await model
        .findOne({ userId, eventType: 'payment_succeeded' })
        .sort({ createdAt: -1 })
        .lean();
      return row === null ? null : { at: row.createdAt, amountCents: row.amountCents };
    },

    /** The latest events of all accounts, newest first. */
    async listLatest(limit: number): Promise<(SubscriptionEvent & { userId: string })[]> {
      const rows = await model.find({}).sort({ createdAt: -1 }).limit(limit).lean();
      return rows.map(({ _id, ...line }) => ({ id: _id, ...line }) as SubscriptionEvent & { userId: string });
    },
  };
}

/** A document of `stripe_customers`: the account that a customer of the payment provider belongs to. */
const stripeCustomerSchema = new Schema(
  {
    /** The provider's id of the customer. */
    _id: { type: String, required: true },
    userId: { type: String, required: true },
  },
  { collection: 'stripe_customers' },
);

type StripeCustomerRow = InferSchemaType<typeof stripeCustomerSchema>;

stripeCustomerSchema.index({ userId: 1 });

/** Which account a customer of the payment provider belongs to: its events name only the customer. */
export function createStripeCustomerRepository(connection: Connection) {
  const model = modelOf<StripeCustomerRow>(connection, 'StripeCustomer', stripeCustomerSchema);
  return {
    /** Links a customer to an account. A second call changes nothing. */
    async link(customerId: string, userId: string): Promise<void> {
      await insertUnlessTaken(model, { _id: customerId, userId });
    },

    async findOwner(customerId: string): Promise<string | null> {
      const row = await model.findById(customerId).lean();
      return row?.userId ?? null;
    },

    /** Unlinks an owner's customers, so that later events about them match no account. */
    async unlink(userId: string): Promise<void> {
      await removeInBatches(model, { userId });
    },
  };
}

/** A document of `renewal_shifts`: credit of a paying account that moves its next charge. */
interface RenewalShiftRow {
  /** The owner's id and the shift's, which is unique within the account. */
  _id: string;
  userId: string;
  /** The credit it is for, and whether that was granted or taken back. */
  shiftId: string;
  /** Negative brings the charge forward. */
  days: number;
  /** Calculated once, so that a retry asks for the same day. */
  until: Date | null;
  subscriptionId: string | null;
  triedAt: Date;
  doneAt: Date | null;
}

const renewalShiftSchema = new Schema<RenewalShiftRow>(
  {
    _id: { type: String, required: true },
    userId: { type: String, required: true },
    shiftId: { type: String, required: true },
    days: { type: Number, required: true },
    until: { type: Date, default: null },
    subscriptionId: { type: String, default: null },
    triedAt: { type: Date, required: true },
    doneAt: { type: Date, default: null },
  },
  { collection: 'renewal_shifts' },
);

renewalShiftSchema.index({ userId: 1, doneAt: 1 });
// For the step that retries.
renewalShiftSchema.index({ doneAt: 1, triedAt: 1 });

export type RenewalShiftRecord = Omit<RenewalShiftRow, '_id' | 'userId'>;

function toShift({ _id, userId: _owner, ...rest }: RenewalShiftRow): RenewalShiftRecord {
  return rest;
}

/** Shifts of charges by credit, and whether they were carried out. */
export function createRenewalShiftRepository(connection: Connection) {
  const model = modelOf<RenewalShiftRow>(connection, 'RenewalShift', renewalShiftSchema);
  return {
    /** Requests a shift. A second call changes nothing. */
    async ask(userId: string, shift: { shiftId: string; days: number }, at: Date): Promise<void> {
      await insertUnlessTaken(model, { _id: `${userId}:${shift.shiftId}`, userId, ...shift, triedAt: at });
    },

    /** An account's open shifts. */
    async listOpen(userId: string): Promise<RenewalShiftRecord[]> {
      return (await model.find({ userId, doneAt: null }).sort({ _id: 1 }).lean()).map(toShift);
    },

    async find(userId: string, shiftId: string): Promise<RenewalShiftRecord | null> {
      const row = await model.findOne({ _id: `${userId}:${shiftId}`, userId }).lean();
      return row === null ? null : toShift(row);
    },

    /** Records the day that the charge moves to, unless one is recorded or the shift is over. @returns the shift afterwards */
    async plan(
      userId: string,
      shiftId: string,
      { subscriptionId, until }: { subscriptionId: string; until: Date },
    ): Promise<RenewalShiftRecord | null> {
      const _id = `${userId}:${shiftId}`;
      await model.updateOne({ _id, userId, until: null, doneAt: null }, { $set: { subscriptionId, until } });
      const row = await model.findOne({ _id, userId }).lean();
      return row === null ? null : toShift(row);
    },

    async markTried(userId: string, shiftId: string, at: Date): Promise<void> {
      await model.updateOne({ _id: `${userId}:${shiftId}`, userId }, { $set: { triedAt: at } });
    },

    async markDone(userId: string, shiftId: string, at: Date): Promise<void> {
      await model.updateOne({ _id: `${userId}:${shiftId}`, userId }, { $set: { doneAt: at } });
    },

    /** Accounts with an open shift, the longest untried first. */
    async findOwnersOfOpen(before: Date, limit: number): Promise<string[]> {
      const rows = await model
        .find({ doneAt: null, triedAt: trusted({ $lte: before }) }, { userId: 1 })
        .sort({ triedAt: 1 })
        .limit(limit)
        .lean();
      return [...new Set(rows.map(({ userId }) => userId))];
    },
  };
}

/** A document of `billing`: everything the payment provider has reported about one account. */
interface BillingRow {
  /** The account's id. */
  _id: string;
  userId: string;
  /** Counts the changes, from 1. */
  version: number;
  state: BillingState;
  /** When we ended a subscription that is still to be cancelled at the provider; otherwise null. */
  toCancelSince: Date | null;
}

const billingSchema = new Schema<BillingRow>(
  {
    _id: { type: String, required: true },
    userId: { type: String, required: true },
    version: { type: Number, required: true },
    state: { type: Schema.Types.Mixed, required: true },
    toCancelSince: { type: Date, default: null },
  },
  { collection: 'billing', minimize: false },
);

billingSchema.index({ userId: 1 });
// For the step that cancels subscriptions that could not be cancelled right away.
billingSchema.index({ toCancelSince: 1 });

/** An account's billing and its version; version 0 means that nothing is known yet. */
interface BillingRecord {
  state: BillingState;
  version: number;
}

/** Billing by account, as reported by the payment provider. */
export function createBillingRepository(connection: Connection) {
  const model = modelOf<BillingRow>(connection, 'Billing', billingSchema);
  return {
    async find(userId: string): Promise<BillingRecord> {
      const row = await model.findOne({ userId }, { state: 1, version: 1 }).lean();
      return row === null ? { state: NO_BILLING, version: 0 } : { state: row.state, version: row.version };
    },

    /**
     * Replaces what is known, in the transaction that read it. The version goes up even if nothing is different, so that
     * whoever asked the provider before notices.
     */
    async replace(userId: string, { state, version: known }: BillingRecord, at: Date): Promise<void> {
      const waits = subscriptionsToCancel(state).length > 0;
      const next = { version: known + 1, state, toCancelSince: waits ? at : null };
      if (known === 0) await model.create({ _id: userId, userId, ...next });
      else await model.updateOne({ userId }, { $set: next });
    },

    /** Accounts with a subscription to cancel at the provider, the longest waiting first. */
    async findToCancel(until: Date, limit: number): Promise<string[]> {
      const rows = await model
        .find({ toCancelSince: trusted({ $lte: until }) }, { userId: 1 })
        .sort({ toCancelSince: 1 })
        .limit(limit)
        .lean();
      return rows.map(({ userId }) => userId);
    },
  };
}
