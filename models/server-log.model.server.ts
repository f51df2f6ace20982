import { Schema } from 'mongoose';
import { LOG_LEVELS, type LogLine } from '#app/domain/system/log-line.ts';

/** A document of `server_logs`: a line of the log, without people. */
export interface ServerLogRow extends LogLine {
  /** Sorts by time. */
  _id: string;
  /** Everything that a search looks at. */
  text: string;
  expiresAt: Date;
}

const text = { type: String, required: true } as const;

export const serverLogSchema = new Schema<ServerLogRow>(
  {
    _id: text,
    at: { type: Date, required: true },
    level: { type: String, enum: LOG_LEVELS, required: true },
    message: { type: String, default: '' },
    source: text,
    facts: { type: Schema.Types.Mixed, required: true },
    text: { type: String, default: '' },
    expiresAt: { type: Date, required: true },
  },
  { collection: 'server_logs', minimize: false },
);

serverLogSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });
