import type { Connection } from 'mongoose';
import { backupSchema, type BackupRow } from './backup.model.server.ts';
import { modelOf } from './model-of.server.ts';

/** A backup that was made, or is being made. */
export interface BackupRecord extends Omit<BackupRow, '_id'> {
  id: string;
}

const toRecord = ({ _id, ...rest }: BackupRow): BackupRecord => ({ id: _id, ...rest });

/** What backups there are. Nobody owns them. */
export function createBackupRepository(connection: Connection) {
  const model = modelOf<BackupRow>(connection, 'Backup', backupSchema);
  return {
    async insert({ id, ...rest }: BackupRecord): Promise<void> {
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

    async change(id: string, changes: Partial<Omit<BackupRow, '_id'>>): Promise<void> {
      await model.updateOne({ _id: id }, { $set: changes });
    },

    async remove(id: string): Promise<void> {
      await model.deleteOne({ _id: id });
    },
  };
}

export type BackupRepository = ReturnType<typeof createBackupRepository>;
