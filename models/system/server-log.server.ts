import { Schema, trusted, type Connection } from 'mongoose';
import { randomBytes } from 'node:crypto';
import { LOG_LEVELS, type LogLine, type LogLevel } from '#app/domain/system/log-line.ts';
import { removeInBatches } from '../store/writes.server.ts';
import { modelOf } from '../store/model-of.server.ts';

/** A document of `server_logs`: a log line without personal data. */
interface ServerLogRow extends LogLine {
  /** Sorts by time. */
  _id: string;
  /** The text that searches match. */
  text: string;
  expiresAt: Date;
}

const text = { type: String, required: true } as const;

const serverLogSchema = new Schema<ServerLogRow>(
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
serverLogSchema.index({ message: 1, _id: -1 });

/** How long a line is kept, in ms. */
const KEPT_MS = 14 * 86_400_000;

/** A kept line. */
export interface ServerLogRecord extends LogLine {
  id: string;
}

/** Which lines to read. */
export interface ServerLogSelection {
  level?: LogLevel | undefined;
  /** Matched literally. */
  search: string;
  /** Only lines before this one. */
  before?: string | undefined;
}

const escaped = (search: string): string => search.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

let written = 0;

/** Sorts by time, within a process also by order. */
function idOf(at: Date): string {
  written = (written + 1) % 1_000_000;
  const order = String(written).padStart(6, '0');
  return `${String(at.getTime()).padStart(15, '0')}-${order}-${randomBytes(3).toString('hex')}`;
}

function toRow(line: LogLine): ServerLogRow {
  const facts = Object.values(line.facts).join(' ');
  const expiresAt = new Date(line.at.getTime() + KEPT_MS);
  return { _id: idOf(line.at), ...line, text: `${line.message} ${line.source} ${facts}`, expiresAt };
}

/** The stored part of the log. Nobody owns it, and it contains no personal data. */
export function createServerLogRepository(connection: Connection) {
  const model = modelOf<ServerLogRow>(connection, 'ServerLog', serverLogSchema);
  return {
    async add(lines: readonly LogLine[]): Promise<void> {
      if (lines.length > 0) await model.insertMany(lines.map(toRow), { ordered: false });
    },

    /** Latest first. */
    async list(
      { level, search, before = '~' }: ServerLogSelection,
      limit: number,
    ): Promise<ServerLogRecord[]> {
      const rows = await model
        .find({
          _id: trusted({ $lt: before }),
          level: trusted({ $in: level === undefined ? LOG_LEVELS : [level] }),
          text: trusted({ $regex: escaped(search), $options: 'i' }),
        })
        .sort({ _id: -1 })
        .limit(limit)
        .lean();
      return rows.map(({ _id, at, level: of, message, source, facts }) => ({
        id: _id,
        at,
        level: of,
        message,
        source,
        facts,
      }));
    },

    /**
     * Deletes the oldest lines beyond a limit, after applying a limit per message, so that a line which one visitor can
     * cause repeatedly does not push out others.
     */
    async trim(most: number, mostOfAKind: number): Promise<void> {
      const removeBeyond = async (filter: { message?: string }, left: number) => {
        const last = await model.findOne(filter, { _id: 1 }).sort({ _id: -1 }).skip(left).lean();
        if (last !== null) await removeInBatches(model, { ...filter, _id: trusted({ $lte: last._id }) });
      };
      for (const message of await model.distinct('message')) await removeBeyond({ message }, mostOfAKind);
      await removeBeyond({}, most);
    },
  };
}
