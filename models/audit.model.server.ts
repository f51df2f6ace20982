import { Schema } from 'mongoose';

/** A document of `audit`. People are named by id alone. Nothing in the program changes or removes one. */
export interface AuditRow {
  _id: string;
  at: Date;
  /** A user's id, or `cli:<os user>`. */
  actor: string;
  /** What was done, for example `user.suspend`. */
  action: string;
  /** Whose account it was done to. */
  subjectId: string;
  before: Record<string, unknown>;
  after: Record<string, unknown>;
  reason: string | null;
  /** Where it came from: a client's address, or `terminal`. */
  from: string;
}

export const auditSchema = new Schema<AuditRow>(
  {
    _id: { type: String, required: true },
    at: { type: Date, required: true },
    actor: { type: String, required: true },
    action: { type: String, required: true },
    subjectId: { type: String, required: true },
    before: { type: Schema.Types.Mixed, required: true },
    after: { type: Schema.Types.Mixed, required: true },
    reason: { type: String, default: null },
    from: { type: String, required: true },
  },
  { collection: 'audit', minimize: false },
);

auditSchema.index({ subjectId: 1, at: -1, _id: -1 });
auditSchema.index({ at: -1, _id: -1 });
auditSchema.index({ actor: 1, at: -1, _id: -1 });
auditSchema.index({ action: 1, at: -1, _id: -1 });
