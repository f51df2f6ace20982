import { isAppError, publicCode, type ErrorCode } from '#app/domain/errors.ts';
import { type Io, isOutputClosed, write } from './io.ts';

/** Exit codes. */
export const EXIT = { done: 0, failed: 1, invalid: 2, overdueOrLow: 3, notFound: 4, notAllowed: 5 } as const;

const EXIT_BY_CODE: Readonly<Partial<Record<ErrorCode, number>>> = {
  INVALID_INPUT: EXIT.invalid,
  BAD_ROWS: EXIT.invalid,
  UNREADABLE_FILE: EXIT.invalid,
  CONFIRM_DOSE: EXIT.invalid,
  UNSUPPORTED_MEDIA_TYPE: EXIT.invalid,
  LENGTH_REQUIRED: EXIT.invalid,
  PAYLOAD_TOO_LARGE: EXIT.invalid,
  NOT_FOUND: EXIT.notFound,
  UNAUTHENTICATED: EXIT.notAllowed,
  RECENT_SIGN_IN_REQUIRED: EXIT.notAllowed,
  SECOND_FACTOR_REQUIRED: EXIT.notAllowed,
  SECOND_FACTOR_SETUP_REQUIRED: EXIT.notAllowed,
  INVALID_CREDENTIALS: EXIT.notAllowed,
  SUSPENDED: EXIT.notAllowed,
  EMAIL_NOT_CONFIRMED: EXIT.notAllowed,
  FORBIDDEN: EXIT.notAllowed,
  NOT_IN_DEMO: EXIT.notAllowed,
  PREMIUM_REQUIRED: EXIT.notAllowed,
  PLAN_LIMIT: EXIT.notAllowed,
};

/** The exit code that tells a script what kind of failure this was. */
export function exitCodeOf(error: unknown): number {
  if (isOutputClosed(error)) return EXIT.done;
  return isAppError(error) ? (EXIT_BY_CODE[error.code] ?? EXIT.failed) : EXIT.failed;
}

/** Terminal escapes, or plain text without colour. */
export function paint(io: Io): { bold: (text: string) => string; yellow: (text: string) => string } {
  const wrap = (code: number) => (text: string) => (io.colour ? `\u001b[${code}m${text}\u001b[0m` : text);
  return { bold: wrap(1), yellow: wrap(33) };
}

/** The space between two columns: a name never touches the figure beside it, however long it is. */
const GAP = '  ';

/** A name longer than this pushes only its own line to the right. */
const WIDEST_COLUMN = 40;

/**
 * Lines of text in columns. Each column is as wide as its widest cell, except the last.
 * @param rows cells from left to right; at least one
 * @param rightAligned numbers of the columns with figures, from 0
 */
export function columnsText(
  rows: readonly (readonly string[])[],
  rightAligned: readonly number[] = [],
): string {
  const widths = (rows[0] ?? []).map((_, at) =>
    Math.min(WIDEST_COLUMN, Math.max(...rows.map((row) => row[at]?.length ?? 0))),
  );
  const padded = (cell: string, at: number): string => {
    const width = widths[at] ?? 0;
    return rightAligned.includes(at) ? cell.padStart(width) : cell.padEnd(width);
  };
  return rows.map((row) => `${row.map(padded).join(GAP).trimEnd()}\n`).join('');
}

/** A remark on stderr, unless `--quiet` is given. */
export async function writeNote(io: Io, text: string): Promise<void> {
  if (!io.isQuiet) await write(io.stderr, text);
}

/**
 * What a change has done, on stdout, unless `--quiet` is given.
 * @param isChange false for a dry run or a list, whose text is the data asked for
 */
export async function writeOutcome(io: Io, text: string, isChange = true): Promise<void> {
  if (!isChange || !io.isQuiet) await write(io.stdout, text);
}

/** One line of JSON on stdout. */
export async function writeJson(io: Io, value: unknown): Promise<void> {
  await write(io.stdout, `${JSON.stringify(value)}\n`);
}

/**
 * Reports an error on stderr: as text, or with `json` as one line of JSON.
 * @param label turns a field name into what the user typed ("--amount")
 */
export async function reportError(
  io: Io,
  error: unknown,
  {
    json = false,
    label = (field: string) => field,
  }: { json?: boolean; label?: (field: string) => string } = {},
): Promise<void> {
  if (isOutputClosed(error)) return;
  const known = isAppError(error);
  const message = error instanceof Error ? error.message : String(error);
  const fields = known ? error.fields : undefined;
  const warnings = known
    ? error.warnings?.map(({ id, code, message: text }) => ({ id, code, message: text }))
    : undefined;
  if (json) {
    const code = known ? publicCode(error) : 'FAILED';
    const details = known && error.rows !== undefined ? { rows: error.rows } : { fields, warnings };
    await write(io.stderr, `${JSON.stringify({ success: false, error: code, message, ...details })}\n`);
    return;
  }
  const details = Object.entries(fields ?? {}).flatMap(([field, messages]) =>
    messages.map((text) => `  ${label(field)}: ${text}\n`),
  );
  const confirmation =
    known && error.code === 'CONFIRM_DOSE' ? 'If this is correct, repeat the command with --confirm.\n' : '';
  await write(io.stderr, `vialbook: ${message}\n${details.join('')}${confirmation}`);
}
