import { Schema } from 'mongoose';

/** A document of `job_runs`, keyed by the name of a job: how its last round that was noted went, on whichever worker. */
export interface JobRunRow {
  _id: string;
  /** When that round ended. */
  at: Date;
  /** How long it took. */
  ms: number;
  /** Failed rounds in a row, 0 when it went well. */
  failures: number;
  error: string | null;
  /** For a job that one worker does for all: until when nobody does it again. */
  turnUntil?: Date;
}

export const jobRunSchema = new Schema<JobRunRow>(
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
