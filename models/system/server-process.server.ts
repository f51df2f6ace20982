import { Schema, trusted, type Connection } from 'mongoose';
import type { Sample } from '#app/domain/system/system-metrics.ts';
import { modelOf } from '../store/model-of.server.ts';
import { retryOnDuplicate } from '../store/writes.server.ts';

/** A server answers requests and also runs jobs; a worker only runs jobs. */
export type ProcessKind = 'server' | 'worker';

/** A document of `server_processes`, keyed by machine and process id: the status that a process last reported. */
interface ServerProcessRow {
  _id: string;
  host: string;
  pid: number;
  kind: ProcessKind;
  startedAt: Date;
  seenAt: Date;
  /** How many migrations its version knows. Older versions do not say it. */
  migrations?: number;
  sample: Sample;
}

const serverProcessSchema = new Schema<ServerProcessRow>(
  {
    _id: { type: String, required: true },
    host: { type: String, required: true },
    pid: { type: Number, required: true },
    kind: { type: String, required: true },
    startedAt: { type: Date, required: true },
    seenAt: { type: Date, required: true },
    migrations: Number,
    sample: { type: Schema.Types.Mixed, required: true },
  },
  { collection: 'server_processes', minimize: false },
);

/** A process as it last reported. */
export type ServerProcessRecord = Omit<ServerProcessRow, '_id'>;

const idOf = ({ host, pid }: Pick<ServerProcessRow, 'host' | 'pid'>): string => `${host}:${pid}`;

/** Status reports of this server's processes. They have no owner, and there are only a few. */
export function createServerProcessRepository(connection: Connection) {
  const model = modelOf<ServerProcessRow>(connection, 'ServerProcess', serverProcessSchema);
  return {
    /** Replaces a process's last report. */
    async report(process: ServerProcessRecord): Promise<void> {
      await retryOnDuplicate(() =>
        model.updateOne({ _id: idOf(process) }, { $set: process }, { upsert: true }),
      );
    },

    /** Removes the report of a process that shuts down properly. */
    async delete(process: Pick<ServerProcessRow, 'host' | 'pid'>): Promise<void> {
      await model.deleteOne({ _id: idOf(process) });
    },

    /** Processes that reported since an instant, oldest process first. */
    async listSince(since: Date): Promise<ServerProcessRecord[]> {
      const rows = await model
        .find({ seenAt: trusted({ $gte: since }) }, { _id: 0 })
        .sort({ startedAt: 1 })
        .lean();
      return rows;
    },

    /** Removes reports last updated before an instant, from processes that were killed. */
    async deleteBefore(before: Date): Promise<void> {
      const left = await model.find({ seenAt: trusted({ $lt: before }) }, { _id: 1 }).lean();
      for (const { _id } of left) await model.deleteOne({ _id });
    },
  };
}

/** A document of `server_signals`, keyed by the requested action. */
interface ProcessSignalRow {
  _id: string;
  /** How often it was requested; a process that sees a new number acts on it. */
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

/** What can be requested of this server's processes; compacting is done by one of them for all. */
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

    /** Records that requests were fulfilled, unless another has been added since they were counted. */
    async fulfil(signal: Signal, count: number): Promise<void> {
      await model.deleteOne({ _id: signal, count });
    },

    /** How often, and when last, it was requested since it was last fulfilled; null if it was not. */
    async find(signal: Signal): Promise<{ count: number; askedAt: Date } | null> {
      return model.findOne({ _id: signal }, { _id: 0, count: 1, askedAt: 1 }).lean();
    },

    /** How often it was requested. */
    async count(signal: Signal): Promise<number> {
      return (await model.findOne({ _id: signal }).lean())?.count ?? 0;
    },
  };
}
