import { Schema } from 'mongoose';
import type { BadRow, ImportType } from '#app/domain/import/import-types.ts';

/**
 * `reading` has not been read to its end, `checked` waits to be applied; `applying` and `undoing` were begun and may have
 * been cut off.
 */
export type ImportState = 'reading' | 'checked' | 'applying' | 'done' | 'undoing' | 'undone';

/** How many of each type. */
export type ImportCounts = Partial<Record<ImportType, number>>;

/** A document of `imports`: what one file brings in. Each row that it adds names it. */
export interface ImportRow {
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
  /** Pieces of each type that hold its rows until it is done. */
  pieces: ImportCounts;
  createdAt: Date;
  doneAt: Date | null;
  /** When a worker looks at it: what waits is forgotten then, what was cut off finished. Null when all is said. */
  dueAt: Date | null;
}

/** A document of `import_pieces`: some rows of a file that waits. */
export interface ImportPieceRow {
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

export const importSchema = new Schema<ImportRow>(
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
    pieces: counts,
    createdAt: { type: Date, required: true },
    doneAt: { type: Date, default: null },
    dueAt: { type: Date, default: null },
  },
  { collection: 'imports', minimize: false },
);
importSchema.index({ userId: 1, createdAt: -1, _id: -1 });
importSchema.index({ dueAt: 1 });

export const importPieceSchema = new Schema<ImportPieceRow>(
  { _id: text, userId: text, importId: text, text },
  { collection: 'import_pieces' },
);
importPieceSchema.index({ userId: 1, importId: 1 });
