import { trusted, type Connection } from 'mongoose';
import { claimBatch } from './work-queue.server.ts';
import { deliverySchema, type DeliveryRow, type DeliveryState } from './delivery.model.server.ts';
import { insertNew } from './insert-missing.server.ts';
import { modelOf } from './model-of.server.ts';

/** A delivery that a worker has in hand. */
export interface DeliveryRecord extends Omit<DeliveryRow, '_id'> {
  id: string;
}

/** How a delivery went; a `nextAt` means that it is tried again. */
export interface DeliveryResult {
  state: DeliveryState;
  nextAt: Date | null;
  sentAt: Date | null;
  reason: string | null;
}

function toRecord({ _id, ...rest }: DeliveryRow): DeliveryRecord {
  return { id: _id, ...rest };
}

/** The outbox of reminders. */
export function createDeliveryRepository(connection: Connection) {
  const model = modelOf<DeliveryRow>(connection, 'Delivery', deliverySchema);
  return {
    /** Adds those that are not there yet. */
    insertNew: (rows: readonly DeliveryRow[]) => insertNew(model, rows),

    /** Takes deliveries of anybody that are due, until an instant. */
    async claim(now: Date, until: Date, mark: string, size: number): Promise<DeliveryRecord[]> {
      const rows = await claimBatch(model, {
        free: { nextAt: trusted({ $lte: now }) },
        sort: { nextAt: 1 },
        take: { $set: { claim: mark, nextAt: until }, $inc: { attempts: 1 } },
        taken: { claim: mark },
        size,
      });
      return rows.map(toRecord);
    },

    /** Writes how some went. Nothing is written for one that another worker has in hand by now. */
    async finish(entries: readonly { delivery: DeliveryRecord; result: DeliveryResult }[]): Promise<void> {
      if (entries.length === 0) return;
      await model.bulkWrite(
        entries.map(({ delivery: { id, userId, claim }, result }) => ({
          updateOne: { filter: { userId, _id: id, claim }, update: { $set: { ...result, claim: null } } },
        })),
        { ordered: false },
      );
    },

    /** Gives one back that was not tried. */
    async release({ id, userId, claim }: DeliveryRecord, now: Date): Promise<void> {
      const change = { $set: { claim: null, nextAt: now }, $inc: { attempts: -1 } };
      await model.updateOne({ userId, _id: id, claim }, change);
    },

    /** Deliveries of an owner's reminder, for those who look after the server and for tests. */
    async listOf(userId: string, reminderId: string): Promise<DeliveryRecord[]> {
      return (await model.find({ userId, reminderId }).sort({ _id: 1 }).lean()).map(toRecord);
    },

    /** How many of anybody's wait to be sent, and since when the oldest. */
    async backlog(now: Date): Promise<{ waiting: number; oldestAt: Date | null }> {
      const due = { nextAt: trusted({ $lte: now }) };
      const waiting = await model.countDocuments(due);
      const first = await model.findOne(due, { madeAt: 1 }).sort({ nextAt: 1 }).lean();
      return { waiting, oldestAt: first?.madeAt ?? null };
    },
  };
}

export type DeliveryRepository = ReturnType<typeof createDeliveryRepository>;
