import { Schema, type Connection } from 'mongoose';
import { retryOnDuplicate } from './writes.server.ts';
import { modelOf } from './model-of.server.ts';

/** A document of `server_signals`, keyed by what every process is asked to do. */
interface ProcessSignalRow {
  _id: string;
  /** How often it was requested; a process that sees a new number does it. */
  count: number;
  askedAt: Date;
}

const processSignalSchema = new Schema<ProcessSignalRow>(
  {
    _id: { type: String, required: true },
    count: { type: Number, required: true },
    askedAt: { type: Date, required: true },
  },
  { collection: 'server_signals' },
);

/** What every process of this server can be asked to do; the second is done by one of them for all. */
type Signal = 'restart-worker' | 'compact-database';

/** Requests to all processes, which check for them now and then. */
export function createProcessSignalRepository(connection: Connection) {
  const model = modelOf<ProcessSignalRow>(connection, 'ServerSignal', processSignalSchema);
  return {
    /** Adds a request. */
    async ask(signal: Signal, askedAt: Date): Promise<void> {
      const more = { $inc: { count: 1 }, $set: { askedAt } };
      await retryOnDuplicate(() => model.updateOne({ _id: signal }, more, { upsert: true }));
    },

    /** Notes that requests were fulfilled, unless there has been another since they were counted. */
    async fulfil(signal: Signal, count: number): Promise<void> {
      await model.deleteOne({ _id: signal, count });
    },

    /** How often and when last it was requested since it was fulfilled; null when it was not. */
    async find(signal: Signal): Promise<{ count: number; askedAt: Date } | null> {
      return model.findOne({ _id: signal }, { _id: 0, count: 1, askedAt: 1 }).lean();
    },

    /** How often it was requested. */
    async count(signal: Signal): Promise<number> {
      return (await model.findOne({ _id: signal }).lean())?.count ?? 0;
    },
  };
}
