import type { ImportType } from '#app/domain/import/import-types.ts';
import type { Counts } from './import-texts.ts';

/** An import as the list shows it. */
export interface ImportLine {
  id: string;
  state: 'reading' | 'checked' | 'applying' | 'done' | 'undoing' | 'undone';
  fileName: string | null;
  /** When it was made, on the reader's clock. */
  at: string;
  added: Counts;
  kept: Counts;
  mayUndo: boolean;
  /** Until when it can be undone; '' while it is not done. */
  undoUntil: string;
}

/** A row that cannot be taken, and why. */
export interface BadLine {
  type: string;
  line: number;
  reason: string;
}

/** An import as its own page shows it. */
export interface ImportView extends ImportLine {
  counts: readonly { type: ImportType; found: number; fresh: number }[];
  /** The first of them. */
  bad: readonly BadLine[];
  badCount: number;
}
