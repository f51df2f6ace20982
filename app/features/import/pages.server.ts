import { data } from '@remix-run/node';
import type { AppError, ErrorCode } from '#app/domain/errors.ts';
import type { HealthFileSummary } from '#app/domain/records/record-type.ts';
import { IMPORT_TYPES, type ImportType, type TypeCounts } from '#app/domain/records/type-names.ts';
import { shownInstant } from '#app/domain/time/zoned-time.ts';
import { canUndo, undoUntil, type ImportRecord } from './import.server.ts';
import type { LastResult } from '#app/platform/http/forms.server.ts';
import { firstError } from '#app/ui/error-summary.tsx';
import type { Ctx, SignedInUser } from '#app/platform/access/context.server.ts';

/** An import as the list shows it. */
export interface ImportLine {
  id: string;
  state: 'reading' | 'checked' | 'applying' | 'done' | 'undoing' | 'undone';
  fileName: string | null;
  /** When it was made, as the reader's zone shows it. */
  at: string;
  added: TypeCounts;
  kept: TypeCounts;
  mayUndo: boolean;
  /** Until when it can be undone; '' while it is not done. */
  undoUntil: string;
}

/** A row that cannot be imported, and why. */
export interface BadLine {
  type: string;
  line: number;
  reason: string;
}

/** An import as its own page shows it. */
export interface ImportView extends ImportLine {
  counts: readonly { type: ImportType; found: number; fresh: number }[];
  /** The first of the rows with errors. */
  bad: readonly BadLine[];
  badCount: number;
  /** The first rows that are probably mistakes, and how many there are. */
  unusual: readonly BadLine[];
  unusualCount: number;
  /** What was recognised in a phone's health file; null for any other file. */
  health: HealthFileSummary | null;
}

/** How the pages of an import answer a refused form: another or a smaller file helps. */
export const refusedImport = {
  also: ['PREMIUM_REQUIRED', 'BAD_ROWS'] as ErrorCode[],
  // The rows of a file have messages of their own, which the error sums up.
  refused: (lastResult: LastResult, init: ResponseInit, error?: AppError) =>
    data({ error: error?.message ?? firstError(lastResult) }, init),
};

const untilText = (record: ImportRecord, timeZone: string): string => {
  const until = undoUntil(record);
  return until === null ? '' : shownInstant(until, timeZone);
};

/** An import as the list shows it. */
export function importLine(ctx: Ctx, { timeZone }: SignedInUser, record: ImportRecord): ImportLine {
  const { id, state, fileName, added, kept, doneAt, createdAt } = record;
  return {
    id,
    state,
    fileName,
    at: shownInstant(doneAt ?? createdAt, timeZone),
    added,
    kept,
    mayUndo: canUndo(record, ctx.now()),
    undoUntil: untilText(record, timeZone),
  };
}

/** An import as its own page shows it. */
export function importView(ctx: Ctx, user: SignedInUser, record: ImportRecord): ImportView {
  const { rows, fresh, bad, badCount, unusual = [], unusualCount = 0, health = null } = record;
  const counts = IMPORT_TYPES.flatMap((type) => {
    const found = rows[type] ?? 0;
    return found === 0 ? [] : [{ type, found, fresh: fresh[type] ?? 0 }];
  });
  const lines = (all: readonly BadLine[]) => all.map(({ type, line, reason }) => ({ type, line, reason }));
  return {
    ...importLine(ctx, user, record),
    counts,
    bad: lines(bad),
    badCount,
    unusual: lines(unusual),
    unusualCount,
    health,
  };
}
