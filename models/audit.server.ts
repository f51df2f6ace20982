import { trusted, type Connection } from 'mongoose';
import { auditSchema, type AuditRow } from './audit.model.server.ts';
import { modelOf } from './model-of.server.ts';

/** One entry of the audit trail. */
export interface AuditRecord extends Omit<AuditRow, '_id'> {
  id: string;
}

/** The audit trail: rows are added and read. There is no function that changes or removes one. */
export function createAuditRepository(connection: Connection) {
  const model = modelOf<AuditRow>(connection, 'Audit', auditSchema);
  return {
    async append(entry: AuditRecord): Promise<void> {
      const { id, ...rest } = entry;
      await model.create({ _id: id, ...rest });
    },

    /** What was done to an account, the newest first; with `after`, from the row behind that one on. */
    async listAbout(
      subjectId: string,
      limit: number,
      after?: Pick<AuditRecord, 'at' | 'id'>,
    ): Promise<AuditRecord[]> {
      const older = after && [
        { at: trusted({ $lt: after.at }) },
        { at: after.at, _id: trusted({ $lt: after.id }) },
      ];
      const rows = await model
        .find({ subjectId, ...(older && { $or: older }) })
        .sort({ at: -1, _id: -1 })
        .limit(limit)
        .lean();
      return rows.map(({ _id, ...rest }) => ({ id: _id, ...rest }));
    },
  };
}

export type AuditRepository = ReturnType<typeof createAuditRepository>;
