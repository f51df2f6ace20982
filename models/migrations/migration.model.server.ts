import { Schema } from 'mongoose';

/** A document of `migrations`, keyed by the id of a migration: how far it has come. */
export interface MigrationRow {
  _id: string;
  startedAt: Date;
  /** Set when all of it is done; it is never run again. */
  doneAt: Date | null;
  /** Where the next piece begins; null before the first. */
  cursor: string | null;
  /** Documents changed so far. */
  changed: number;
  /** Who runs it, and until when nobody else does. */
  claim: string;
  claimedUntil: Date;
}

export const migrationSchema = new Schema<MigrationRow>(
  {
    _id: { type: String, required: true },
    startedAt: { type: Date, required: true },
    doneAt: { type: Date, default: null },
    cursor: { type: String, default: null },
    changed: { type: Number, required: true },
    claim: { type: String, required: true },
    claimedUntil: { type: Date, required: true },
  },
  { collection: 'migrations' },
);
