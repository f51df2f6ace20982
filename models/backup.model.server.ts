import { Schema } from 'mongoose';

export const BACKUP_STATES = ['running', 'done', 'failed'] as const;

/** A document of `backups`: one that was made from the administration. Who asked stands in the audit. */
export interface BackupRow {
  /** Also the name of its file; sorts by time. */
  _id: string;
  state: (typeof BACKUP_STATES)[number];
  startedAt: Date;
  /** When it last moved. */
  seenAt: Date;
  bytes: number;
  /** What went wrong. */
  error: string | null;
  /** The machine whose data directory has the file. */
  host: string;
}

export const backupSchema = new Schema<BackupRow>(
  {
    _id: { type: String, required: true },
    state: { type: String, enum: BACKUP_STATES, required: true },
    startedAt: { type: Date, required: true },
    seenAt: { type: Date, required: true },
    bytes: { type: Number, required: true },
    error: { type: String, default: null },
    host: { type: String, required: true },
  },
  { collection: 'backups' },
);
