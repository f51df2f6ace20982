import { Schema, type Connection } from 'mongoose';
import { modelOf } from '../store/model-of.server.ts';

const BACKUP_STATES = ['running', 'done', 'failed'] as const;

/** A document of `backups`: a backup requested by an administrator. The audit trail records by whom. */
interface BackupRow {
  /** Also the name of its file; sorts by time. */
  _id: string;
  state: (typeof BACKUP_STATES)[number];
  startedAt: Date;
  /** When it last made progress. */
  seenAt: Date;
  bytes: number;
  /** Why it failed or, if it is done, why it could not be restored as a trial. */
  error: string | null;
  /** The machine that has the file. */
  host: string;
}

const backupSchema = new Schema<BackupRow>(
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

/** A finished or running backup. */
export interface BackupRecord extends Omit<BackupRow, '_id'> {
  id: string;
}

const toRecord = ({ _id, ...rest }: BackupRow): BackupRecord => ({ id: _id, ...rest });

/** Requested backups. They have no owner. */
export function createBackupRepository(connection: Connection) {
  const model = modelOf<BackupRow>(connection, 'Backup', backupSchema);
  return {
    async create({ id, ...rest }: BackupRecord): Promise<void> {
      await model.create({ _id: id, ...rest });
    },

    async find(id: string): Promise<BackupRecord | null> {
      const row = await model.findOne({ _id: id }).lean();
      return row === null ? null : toRecord(row);
    },

    /** The latest first. */
    async list(limit: number): Promise<BackupRecord[]> {
      return (await model.find({}).sort({ _id: -1 }).limit(limit).lean()).map(toRecord);
    },

    async update(id: string, changes: Partial<Omit<BackupRow, '_id'>>): Promise<void> {
      await model.updateOne({ _id: id }, { $set: changes });
    },

    async delete(id: string): Promise<void> {
      await model.deleteOne({ _id: id });
    },
  };
}
