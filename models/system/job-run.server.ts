import { Schema, trusted, type Connection } from 'mongoose';
import { isDuplicateKey, retryOnDuplicate } from '../store/writes.server.ts';
import { modelOf } from '../store/model-of.server.ts';

/** A document of `job_runs`, keyed by the name of a job: its last recorded run, on any worker. */
interface JobRunRow {
  _id: string;
  /** When that run ended. */
  at: Date;
  /** How long it took. */
  ms: number;
  /** Consecutive failed runs, 0 when the last one succeeded. */
  failures: number;
  error: string | null;
  /** For a job that only one worker runs: until when no other worker starts it. */
  turnUntil?: Date;
}

const jobRunSchema = new Schema<JobRunRow>(
  {
    _id: { type: String, required: true },
    at: Date,
    ms: Number,
    failures: Number,
    error: String,
    turnUntil: Date,
  },
  { collection: 'job_runs' },
);

/** The last run of a job. */
export interface JobRunRecord extends Omit<JobRunRow, '_id'> {
  name: string;
}

/** The last runs of the worker's jobs, for operators. They have no owner. */
export function createJobRunRepository(connection: Connection) {
  const model = modelOf<JobRunRow>(connection, 'JobRun', jobRunSchema);
  return {
    /** Replaces the record of a job's last run. */
    async note(name: string, run: Omit<JobRunRow, '_id'>): Promise<void> {
      await retryOnDuplicate(() => model.updateOne({ _id: name }, { $set: run }, { upsert: true }));
    },

    /** Records a round with nothing to do: the job has a worker, and the result of its last run stays. */
    async noteIdle(name: string, { at, ms }: Pick<JobRunRow, 'at' | 'ms'>): Promise<void> {
      const first = { failures: 0, error: null };
      await retryOnDuplicate(() =>
        model.updateOne({ _id: name }, { $set: { at, ms }, $setOnInsert: first }, { upsert: true }),
      );
    },

    /** Claims a job that only one worker runs. @returns whether it was free */
    async takeTurn(name: string, now: Date, until: Date): Promise<boolean> {
      try {
        const free = { _id: name, turnUntil: trusted({ $not: { $gt: now } }) };
        await model.updateOne(free, { $set: { turnUntil: until } }, { upsert: true });
        return true;
      } catch (error) {
        // Another worker has claimed it, so the upsert tried to create a second document.
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },

    /** Sets when a claim ends. */
    async keepTurn(name: string, until: Date): Promise<void> {
      await model.updateOne({ _id: name }, { $set: { turnUntil: until } });
    },

    /** All jobs that ever ran, by name. */
    async list(): Promise<JobRunRecord[]> {
      const rows = await model
        .find({ at: trusted({ $exists: true }) })
        .sort({ _id: 1 })
        .limit(100)
        .lean();
      // A job that was claimed but has not finished its first run has neither.
      return rows.map(({ _id, ...rest }) => ({
        name: _id,
        ...rest,
        failures: rest.failures ?? 0,
        error: rest.error ?? null,
      }));
    },
  };
}
