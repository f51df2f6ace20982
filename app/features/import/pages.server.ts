import { data } from '@remix-run/node';
import { isAppError, type AppError } from '#app/domain/errors.ts';
import { IMPORT_TYPES } from '#app/domain/import/import-types.ts';
import { shownInstant } from '#app/domain/time/format-instant.ts';
import { canUndo, undoUntil, type ImportRecord } from './import.server.ts';
import type { Ctx, SignedInUser } from '#app/platform/access/context.server.ts';
import { STATUS } from '#app/platform/http/status.ts';

/** Codes that belong at the form: another file, or less of it, helps. */
const AT_THE_FORM = new Set<AppError['code']>([
  'INVALID_INPUT',
  'PAYLOAD_TOO_LARGE',
  'PREMIUM_REQUIRED',
  'PLAN_LIMIT',
  'BAD_ROWS',
  'CONFLICT',
  'RATE_LIMITED',
  'SWITCHED_OFF',
]);

/** The page again, with what was wrong. @throws what does not belong at the form */
export function refusedImport(error: unknown) {
  if (!isAppError(error) || !AT_THE_FORM.has(error.code)) throw error;
  const headers = new Headers();
  if (error.retryAfterSeconds !== undefined)
    headers.set('Retry-After', String(Math.ceil(error.retryAfterSeconds)));
  return data({ error: error.message }, { status: STATUS[error.code], headers });
}

const untilText = (record: ImportRecord, timeZone: string): string => {
  const until = undoUntil(record);
  return until === null ? '' : shownInstant(until, timeZone);
};

/** An import as the list shows it. */
export function importLine(ctx: Ctx, { timeZone }: SignedInUser, record: ImportRecord) {
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
export function importView(ctx: Ctx, user: SignedInUser, record: ImportRecord) {
  const { rows, fresh, bad, badCount } = record;
  const counts = IMPORT_TYPES.flatMap((type) => {
    const found = rows[type] ?? 0;
    return found === 0 ? [] : [{ type, found, fresh: fresh[type] ?? 0 }];
  });
  const told = bad.map(({ type, line, reason }) => ({ type, line, reason }));
  return { ...importLine(ctx, user, record), counts, bad: told, badCount };
}
