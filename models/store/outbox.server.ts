import { trusted, type Schema, type Model } from 'mongoose';
import { filterOf, updateOf } from './generic-rows.server.ts';
import { insertMissing } from './writes.server.ts';
import { claimBatch } from './work-queue.server.ts';

/** `waiting`, then `sent`, `dropped` (no longer worth sending) or `failed` (given up). */
export const DELIVERY_STATES = ['waiting', 'sent', 'dropped', 'failed'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** The fields that all outboxes share: one delivery to one receiver. */
export interface OutboxRow {
  /** Derived from what is sent and to whom; the same for every attempt. */
  _id: string;
  userId: string;
  madeAt: Date;
  state: DeliveryState;
  /** When it is tried next, or when a worker's lease on it ends. Null when done. */
  nextAt: Date | null;
  /** The worker that has claimed it. */
  claim: string | null;
  attempts: number;
  sentAt: Date | null;
  /** Why it was not sent; contains no personal data. */
  reason: string | null;
  /** When it is deleted. */
  expiresAt: Date;
}

/** The schema fields of {@link OutboxRow}, without the key. */
export const OUTBOX_FIELDS = {
  userId: { type: String, required: true },
  madeAt: { type: Date, required: true },
  state: { type: String, enum: DELIVERY_STATES, default: 'waiting' },
  nextAt: { type: Date, default: null },
  claim: { type: String, default: null },
  attempts: { type: Number, default: 0 },
  sentAt: { type: Date, default: null },
  reason: { type: String, default: null },
  expiresAt: { type: Date, required: true },
} as const;

/** Adds the indexes by which workers find due deliveries and the database expires old ones. */
export function indexOutbox<Row extends OutboxRow>(schema: Schema<Row>): void {
  schema.index({ nextAt: 1 });
  schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });
}

/** A delivery as the rest of the program uses it. */
export type OutboxRecord<Row extends OutboxRow> = Omit<Row, '_id'> & { id: string };

/** The outcome of a delivery attempt; with `nextAt`, it is tried again. */
export type OutboxResult = Pick<OutboxRow, 'state' | 'nextAt' | 'sentAt' | 'reason'>;

export function outboxRecordOf<Row extends OutboxRow>({ _id, ...rest }: Row): OutboxRecord<Row> {
  return { id: _id, ...rest };
}

/** How many deliveries are waiting, and how old the oldest is. */
export interface OutboxBacklog {
  waiting: number;
  oldestAt: Date | null;
}

/** A delivery that a worker has claimed, with its outcome. */
export interface FinishedDelivery<Row extends OutboxRow, Result extends OutboxResult> {
  delivery: OutboxRecord<Row>;
  result: Result;
}

/**
 * Deliveries to send, and the leases under which workers send them. Each delivery is claimed by one atomic
 * update; a worker that has lost its lease records nothing.
 */
export function outboxOf<Row extends OutboxRow, Result extends OutboxResult = OutboxResult>(
  model: Model<Row>,
) {
  const where = filterOf<Row>;
  const change = updateOf<Row>;
  const due = (now: Date) => where({ nextAt: trusted({ $lte: now }) });
  return {
    /** Adds deliveries that do not exist yet. */
    createMissing: (rows: readonly Row[]) => insertMissing(model, rows),

    /** Claims due deliveries, until an instant. */
    async claim(now: Date, until: Date, mark: string, size: number): Promise<OutboxRecord<Row>[]> {
      const rows = await claimBatch<Row>(model, {
        free: due(now),
        sort: { nextAt: 1 },
        take: change({ $set: { claim: mark, nextAt: until }, $inc: { attempts: 1 } }),
        taken: where({ claim: mark }),
        size,
      });
      return rows.map(outboxRecordOf);
    },

    /** Records outcomes, except for deliveries that another worker has claimed meanwhile. */
    async finish(entries: readonly FinishedDelivery<Row, Result>[]): Promise<void> {
      if (entries.length === 0) return;
      const writes = entries.map(({ delivery: { id, userId, claim }, result }) => ({
        updateOne: { filter: { userId, _id: id, claim }, update: { $set: { ...result, claim: null } } },
      }));
      await model.bulkWrite<Record<string, unknown>>(writes, { ordered: false });
    },

    /** Releases a delivery that was not attempted. */
    async release({ id, userId, claim }: OutboxRecord<Row>, now: Date): Promise<void> {
      const update = change({ $set: { claim: null, nextAt: now }, $inc: { attempts: -1 } });
      await model.updateOne(where({ userId, _id: id, claim }), update);
    },

    /** How many deliveries are waiting, and how old the oldest is. */
    async backlog(now: Date): Promise<OutboxBacklog> {
      const waiting = await model.countDocuments(due(now));
      const first = await model
        .findOne(due(now), { madeAt: 1 })
        .sort({ nextAt: 1 })
        .lean<Pick<Row, 'madeAt'>>();
      return { waiting, oldestAt: first?.madeAt ?? null };
    },
  };
}
