import { Schema, trusted, type Connection } from 'mongoose';
import type {
  BadRow,
  HealthFileSummary,
  UnusualRow,
  ImportedRecord,
} from '#app/domain/records/record-type.ts';
import type { ImportType } from '#app/domain/records/type-names.ts';
import { LARGE_ROWS_AT_ONCE, removeInBatches, insertMissing } from '../store/writes.server.ts';
import { modelOf } from '../store/model-of.server.ts';
import { readPart } from '../store/queries.server.ts';
import { recordOf, type ListPart, type OwnedRecord } from '../store/owned-rows.server.ts';
import { conflict } from '#app/domain/errors.ts';

/**
 * `reading` is not fully read yet, `checked` is ready to be applied; `applying` and `undoing` were begun and may have
 * been interrupted.
 */
type ImportState = 'reading' | 'checked' | 'applying' | 'done' | 'undoing' | 'undone';

/** Counts by type. */
export type ImportCounts = Partial<Record<ImportType, number>>;

/** A document of `imports`: one imported file. Each row that it adds stores its id. */
interface ImportRow {
  _id: string;
  userId: string;
  state: ImportState;
  fileName: string | null;
  /** The sign-in that a free account's calculations end with; null saves them. */
  signInId: string | null;
  /** Records in the file, and how many of them were new when it was checked. */
  rows: ImportCounts;
  fresh: ImportCounts;
  /** What it added, once done; and what undo left because it had been changed. */
  added: ImportCounts;
  kept: ImportCounts;
  /** The first invalid rows, and how many there are. */
  bad: BadRow[];
  badCount: number;
  /** The first rows with an unusual amount, and how many there are; absent in imports of older versions. */
  unusual?: UnusualRow[];
  unusualCount?: number;
  /** Summary of a phone's health file; null or absent for other files. */
  health?: HealthFileSummary | null;
  /** How many pieces of each type hold its rows until it is done. */
  pieces: ImportCounts;
  createdAt: Date;
  doneAt: Date | null;
  /** When a worker looks at it, to discard a waiting file or finish an interrupted one. Null when nothing is left to do. */
  dueAt: Date | null;
}

/** A document of `import_pieces`: some rows of a file that has not been imported yet. */
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

/** States of a file that has not been imported. */
const WAITING: ImportState[] = ['reading', 'checked'];
const begun = () => trusted({ $nin: WAITING });
const waiting = () => trusted({ $in: WAITING });

/** JSON has no dates: one is stored as an object with this single key. User text never becomes an object. */
const INSTANT = '$date';

function isInstant(value: unknown): value is Record<typeof INSTANT, string> {
  return typeof value === 'object' && value !== null && INSTANT in value;
}

/** Records of a checked file as text, until they are imported. */
export function encodeRecords(records: readonly ImportedRecord[]): string {
  const text = JSON.stringify(records, function (this: Record<string, unknown>, key: string, value: unknown) {
    // A Date has already become text when it arrives as `value`.
    const original = this[key];
    return original instanceof Date ? { [INSTANT]: original.toISOString() } : value;
  });
  return `{"records":${text}}`;
}

/**
 * Reads the records that {@link encodeRecords} wrote.
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

/** The rows of files that have not been imported yet, in pieces. */
function piecesOf(connection: Connection) {
  const pieces = modelOf<ImportPieceRow>(connection, 'ImportPiece', importPieceSchema);
  return {
    async addPiece(userId: string, key: PieceKey, records: readonly ImportedRecord[]): Promise<void> {
      const row = { _id: pieceId(key), userId, importId: key.id, text: encodeRecords(records) };
      await insertMissing(pieces, [row]);
    },

    /**
     * Removes a piece, for the act that writes its rows.
     * @returns its rows; none if they are written already
     * @throws AppError CONFLICT for the unread rows that earlier versions stored
     */
    async takePiece(userId: string, key: PieceKey): Promise<ImportedRecord[]> {
      const row = await pieces.findOneAndDelete({ userId, _id: pieceId(key) }).lean();
      return row === null ? [] : decodeRecords(row.text);
    },

    /** Removes rows that are no longer needed, a few pieces at a time: each holds the text of up to 500 rows. */
    async clearPieces(userId: string, importId: string): Promise<void> {
      await removeInBatches(pieces, { userId, importId }, LARGE_ROWS_AT_ONCE);
    },
  };
}

/** Imports and their waiting rows. Every call names the owner. */
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

    /** Imports that were begun, newest first. */
    async list(userId: string, part: ListPart): Promise<ImportRecord[]> {
      const sort = { createdAt: -1, _id: -1 } as const;
      return (await readPart(model, { userId, state: begun() }, { sort, ...part })).map(recordOf);
    },

    async count(userId: string): Promise<number> {
      return model.countDocuments({ userId, state: begun() });
    },

    /** Changes the state if it is one of `from`. @returns whether it was */
    async move(
      userId: string,
      id: string,
      from: readonly ImportState[],
      changes: Partial<ImportRow>,
    ): Promise<boolean> {
      const filter = { userId, _id: id, state: trusted({ $in: [...from] }) };
      return (await model.updateOne(filter, { $set: changes })).matchedCount === 1;
    },

    /** Discards a file that was not imported. */
    discard,

    /** Discards files that were checked but never imported, except the latest few. */
    async clearWaiting(userId: string, keep: number): Promise<void> {
      const newest = model.find({ userId, state: waiting() }, { _id: 1 }).sort({ createdAt: -1, _id: -1 });
      for (const { _id } of (await newest.lean()).slice(keep)) await discard(userId, _id);
    },

    /** All accounts' imports that a worker has to look at, longest due first. */
    async findDue(now: Date, limit: number): Promise<OwnedImport[]> {
      const due = model.find({ dueAt: trusted({ $lte: now }) }).sort({ dueAt: 1 });
      const rows = await due.limit(limit).lean();
      return rows.map((row) => ({ userId: row.userId, record: recordOf(row) }));
    },

    /** Claims a due import until an instant; only one of several workers gets it. */
    async claimDue(userId: string, { id, dueAt }: ImportRecord, until: Date): Promise<boolean> {
      const taken = await model.updateOne({ userId, _id: id, dueAt }, { $set: { dueAt: until } });
      return taken.matchedCount === 1;
    },
  };
}
