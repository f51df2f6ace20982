import { Schema, trusted, type Connection } from 'mongoose';
import type {
  BadRow,
  HealthFileSummary,
  UnusualRow,
  ImportedRecord,
} from '#app/domain/records/record-type.ts';
import type { ImportType } from '#app/domain/records/type-names.ts';
import { LARGE_ROWS_AT_ONCE, removeInBatches, insertMissing } from './writes.server.ts';
import { modelOf } from './model-of.server.ts';
import { recordOf, type OwnedRecord } from './owned-rows.server.ts';
import { conflict } from '#app/domain/errors.ts';

/**
 * `reading` has not been read to its end, `checked` waits to be applied; `applying` and `undoing` were begun and may have
 * been cut off.
 */
type ImportState = 'reading' | 'checked' | 'applying' | 'done' | 'undoing' | 'undone';

/** How many of each type. */
export type ImportCounts = Partial<Record<ImportType, number>>;

/** A document of `imports`: what one file brings in. Each row that it adds names it. */
interface ImportRow {
  _id: string;
  userId: string;
  state: ImportState;
  fileName: string | null;
  /** Sign-in that the calculations of a free account go with; null keeps them. */
  signInId: string | null;
  /** Records of the file, and those of them that were not there when it was checked. */
  rows: ImportCounts;
  fresh: ImportCounts;
  /** What it added, once it is done, and what of that stayed because it was changed when it was undone. */
  added: ImportCounts;
  kept: ImportCounts;
  /** The first bad rows, and how many there are. */
  bad: BadRow[];
  badCount: number;
  /** The first rows with an unusual amount, and how many there are; absent in imports of older versions. */
  unusual?: UnusualRow[];
  unusualCount?: number;
  /** What was understood of a phone's health file; null or absent for others. */
  health?: HealthFileSummary | null;
  /** Pieces of each type that hold its rows until it is done. */
  pieces: ImportCounts;
  createdAt: Date;
  doneAt: Date | null;
  /** When a worker looks at it: what waits is forgotten then, what was cut off finished. Null when all is said. */
  dueAt: Date | null;
}

/** A document of `import_pieces`: some rows of a file that waits. */
interface ImportPieceRow {
  _id: string;
  userId: string;
  importId: string;
  /** Rows as JSON text. */
  text: string;
}

const text = { type: String, required: true };
const count = { type: Number, required: true };
const counts = { type: Schema.Types.Mixed, default: {} };

const badRowSchema = new Schema<BadRow>(
  { type: { type: String, default: '' }, line: count, reason: text },
  { _id: false },
);

const unusualRowSchema = new Schema<UnusualRow>(
  { type: { type: String, default: '' }, line: count, reason: text, code: text },
  { _id: false },
);

const importSchema = new Schema<ImportRow>(
  {
    _id: text,
    userId: text,
    state: text,
    fileName: { type: String, default: null },
    signInId: { type: String, default: null },
    rows: counts,
    fresh: counts,
    added: counts,
    kept: counts,
    bad: { type: [badRowSchema], default: [] },
    badCount: count,
    unusual: { type: [unusualRowSchema], default: [] },
    unusualCount: { type: Number, default: 0 },
    health: { type: Schema.Types.Mixed, default: null },
    pieces: counts,
    createdAt: { type: Date, required: true },
    doneAt: { type: Date, default: null },
    dueAt: { type: Date, default: null },
  },
  { collection: 'imports', minimize: false },
);
importSchema.index({ userId: 1, createdAt: -1, _id: -1 });
importSchema.index({ dueAt: 1 });

const importPieceSchema = new Schema<ImportPieceRow>(
  { _id: text, userId: text, importId: text, text },
  { collection: 'import_pieces' },
);
importPieceSchema.index({ userId: 1, importId: 1 });

export type ImportRecord = OwnedRecord<ImportRow>;

/** An import and whose it is. */
export interface OwnedImport {
  userId: string;
  record: ImportRecord;
}

/** Some rows of a type in an import. */
interface PieceKey {
  id: string;
  type: ImportType;
  index: number;
}

/** States of a file that nobody has brought in. */
const WAITING: ImportState[] = ['reading', 'checked'];
const begun = () => trusted({ $nin: WAITING });
const waiting = () => trusted({ $in: WAITING });

/** JSON has no instants: one stands as an object with this single key. No text of a person becomes an object. */
const INSTANT = '$date';

function isInstant(value: unknown): value is Record<typeof INSTANT, string> {
  return typeof value === 'object' && value !== null && INSTANT in value;
}

/** Records of a checked file as text, until they are imported. */
export function encodeRecords(records: readonly ImportedRecord[]): string {
  const text = JSON.stringify(records, function (this: Record<string, unknown>, key: string, value: unknown) {
    // Date has become text before it arrives as a value.
    const original = this[key];
    return original instanceof Date ? { [INSTANT]: original.toISOString() } : value;
  });
  return `{"records":${text}}`;
}

/**
 * The records that {@link encodeRecords} wrote.
 * @throws AppError CONFLICT for the unread rows that earlier versions stored
 */
export function decodeRecords(text: string): ImportedRecord[] {
  const stored = JSON.parse(text, (_key, value: unknown) =>
    isInstant(value) ? new Date(value[INSTANT]) : value,
  ) as { records: ImportedRecord[] } | unknown[];
  if (!Array.isArray(stored)) return stored.records;
  if (stored.length === 0) return [];
  throw conflict('CHANGED_MEANWHILE', 'Vialbook was updated since this file was checked. Upload it again.');
}

const pieceId = ({ id, type, index }: PieceKey) => `${id}:${type}:${index}`;

/** The rows of files that wait, in pieces. */
function piecesOf(connection: Connection) {
  const pieces = modelOf<ImportPieceRow>(connection, 'ImportPiece', importPieceSchema);
  return {
    async addPiece(userId: string, key: PieceKey, records: readonly ImportedRecord[]): Promise<void> {
      const row = { _id: pieceId(key), userId, importId: key.id, text: encodeRecords(records) };
      await insertMissing(pieces, [row]);
    },

    /** @throws AppError CONFLICT for the unread rows that earlier versions stored */
    async piece(userId: string, key: PieceKey): Promise<ImportedRecord[]> {
      const row = await pieces.findOne({ userId, _id: pieceId(key) }).lean();
      return row === null ? [] : decodeRecords(row.text);
    },

    /** Removes rows that are not needed any more, a few pieces at a time: each holds as much text as 500 rows have. */
    async clearPieces(userId: string, importId: string): Promise<void> {
      await removeInBatches(pieces, { userId, importId }, LARGE_ROWS_AT_ONCE);
    },
  };
}

/** Imports and the rows that wait in them. Every call names the owner. */
export function createImportRepository(connection: Connection) {
  const model = modelOf<ImportRow>(connection, 'Import', importSchema);
  const pieces = piecesOf(connection);
  const discard = async (userId: string, id: string): Promise<void> => {
    const gone = await model.deleteOne({ userId, _id: id, state: waiting() });
    if (gone.deletedCount === 1) await pieces.clearPieces(userId, id);
  };
  return {
    ...pieces,

    async create(userId: string, { id, ...rest }: ImportRecord): Promise<void> {
      await model.create({ _id: id, userId, ...rest });
    },

    async find(userId: string, id: string): Promise<ImportRecord | null> {
      const row = await model.findOne({ userId, _id: id }).lean();
      return row === null ? null : recordOf(row);
    },

    /** Those that were begun, the newest first. */
    async list(userId: string, { skip, limit }: { skip: number; limit: number }): Promise<ImportRecord[]> {
      const query = model.find({ userId, state: begun() }).sort({ createdAt: -1, _id: -1 });
      return (await query.skip(skip).limit(limit).lean()).map(recordOf);
    },

    async count(userId: string): Promise<number> {
      return model.countDocuments({ userId, state: begun() });
    },

    /** Moves on from one of some states. @returns whether it was in one of them */
    async move(
      userId: string,
      id: string,
      from: readonly ImportState[],
      changes: Partial<ImportRow>,
    ): Promise<boolean> {
      const filter = { userId, _id: id, state: trusted({ $in: [...from] }) };
      return (await model.updateOne(filter, { $set: changes })).matchedCount === 1;
    },

    /** Forgets a file that was not brought in. */
    discard,

    /** Forgets files that were looked at and never brought in, but the latest few. */
    async clearWaiting(userId: string, keep: number): Promise<void> {
      const newest = model.find({ userId, state: waiting() }, { _id: 1 }).sort({ createdAt: -1, _id: -1 });
      for (const { _id } of (await newest.lean()).slice(keep)) await discard(userId, _id);
    },

    /** Imports of anybody that a worker has to look at, the longest due first. */
    async findDue(now: Date, limit: number): Promise<OwnedImport[]> {
      const due = model.find({ dueAt: trusted({ $lte: now }) }).sort({ dueAt: 1 });
      const rows = await due.limit(limit).lean();
      return rows.map((row) => ({ userId: row.userId, record: recordOf(row) }));
    },

    /** Takes a due import in hand until an instant; of several workers one gets it. */
    async claimDue(userId: string, { id, dueAt }: ImportRecord, until: Date): Promise<boolean> {
      const taken = await model.updateOne({ userId, _id: id, dueAt }, { $set: { dueAt: until } });
      return taken.matchedCount === 1;
    },
  };
}
