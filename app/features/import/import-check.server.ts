import { AppError, type FieldErrors } from '#app/domain/errors.ts';
import {
  IMPORT_TYPES,
  type BadRow,
  type ImportedRecord,
  type ImportType,
  type RawRow,
} from '#app/domain/import/import-types.ts';
import { readRows } from '#app/domain/import/read-row.ts';
import { entitlementOf } from '#app/domain/billing/entitlement.ts';
import type { ImportCounts } from '#models/index.server.ts';
import { authorise } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { readImportFile, TERMINAL_LIMITS, UPLOAD_LIMITS, type ImportBytes } from './import-file.server.ts';
import { idsOf } from './import-ids.server.ts';
import { repositoriesOf } from './import-types.server.ts';
import type { Owner } from '#app/platform/access/owner.server.ts';

export type { ImportCounts };

/** Rows that are looked up and written at once. */
export const IMPORT_BATCH = 500;

/** Bad rows that are named one by one. */
export const MAX_TOLD_ROWS = 100;

/** A file as it was handed in. */
export interface ImportSource {
  bytes: ImportBytes;
  fileName?: string | null;
  /** Is told how many bytes have been read, and how many rows have been written. */
  onRead?: (bytes: number) => void;
  onWritten?: (rows: number) => void;
}

/** What a file would bring in. */
export interface ImportCheck {
  rows: ImportCounts;
  /** Those that are not there yet. */
  fresh: ImportCounts;
  /** The first bad rows, and how many there are. */
  bad: BadRow[];
  badCount: number;
}

/** What belongs to Premium: all that a free account has no place for. */
const FREE_TYPES: readonly ImportType[] = ['calculations', 'compounds'];

/** @throws AppError PREMIUM_REQUIRED for what a free account, or its personal token, has no place for */
function refuseWhatIsPremium(ctx: Ctx, owner: Owner, type: ImportType): void {
  const { isPremium } = entitlementOf(owner, ctx.now());
  // Calculations of a free account live in a session, which a personal token does not have.
  const isToken = ctx.actor.kind === 'user' && ctx.actor.apiToken !== undefined;
  if (!FREE_TYPES.includes(type) || (isToken && type === 'calculations'))
    authorise(ctx.actor, 'import.premium-types', { ownerId: owner.id, ownerIsPremium: isPremium });
}

/** Rows of one type, kept for later. */
export type KeepRows = (type: ImportType, rows: readonly RawRow[]) => Promise<void>;

/** Looks a file's rows through, a batch of one type at a time. */
class Survey {
  readonly check: ImportCheck = { rows: {}, fresh: {}, bad: [], badCount: 0 };
  private readonly waiting = new Map<ImportType, RawRow[]>();
  private readonly seen = new Map<ImportType, Set<string>>();

  constructor(
    private readonly ctx: Ctx,
    private readonly owner: Owner,
    private readonly keep: KeepRows,
  ) {}

  addBad(rows: readonly BadRow[]): void {
    this.check.badCount += rows.length;
    this.check.bad.push(...rows.slice(0, MAX_TOLD_ROWS - this.check.bad.length));
  }

  async add(row: RawRow): Promise<void> {
    const rows = this.waiting.get(row.type) ?? [];
    this.waiting.set(row.type, rows);
    rows.push(row);
    if (rows.length < IMPORT_BATCH) return;
    this.waiting.delete(row.type);
    await this.look(row.type, rows);
  }

  async finish(): Promise<ImportCheck> {
    for (const type of IMPORT_TYPES) await this.look(type, this.waiting.get(type) ?? []);
    this.check.bad.sort((a, b) => (a.type === b.type ? a.line - b.line : a.type < b.type ? -1 : 1));
    return this.check;
  }

  private async look(type: ImportType, rows: readonly RawRow[]): Promise<void> {
    if (rows.length === 0) return;
    refuseWhatIsPremium(this.ctx, this.owner, type);
    const { records, bad } = readRows(rows, { now: this.ctx.now(), timeZone: this.owner.timeZone });
    this.addBad(bad);
    const own = this.unseen(type, records);
    this.check.rows[type] = (this.check.rows[type] ?? 0) + own.length;
    this.check.fresh[type] = (this.check.fresh[type] ?? 0) + (await this.countFresh(type, own));
    if (this.check.badCount === 0) await this.keep(type, rows);
  }

  /** A record that the file has twice counts once. */
  private unseen(type: ImportType, records: readonly ImportedRecord[]): ImportedRecord[] {
    const seen = this.seen.get(type) ?? new Set();
    this.seen.set(type, seen);
    return records.filter(({ id }) => !seen.has(id) && seen.add(id));
  }

  private async countFresh(type: ImportType, records: readonly ImportedRecord[]): Promise<number> {
    const ids = records.map((record) => idsOf(this.owner.id, record));
    const there = await repositoriesOf(this.ctx)[type].owned(this.owner.id, ids.flat());
    return ids.filter((each) => !each.some((id) => there.has(id))).length;
  }
}

/**
 * Reads a file to its end and looks which of its rows are new. Writes nothing itself.
 * @param keep gets the rows as long as none of them is bad
 * @throws AppError INVALID_INPUT, PAYLOAD_TOO_LARGE, PREMIUM_REQUIRED
 */
export async function checkImport(
  ctx: Ctx,
  owner: Owner,
  { bytes, onRead }: ImportSource,
  keep: KeepRows = () => Promise.resolve(),
): Promise<ImportCheck> {
  const limits = ctx.actor.kind === 'user' ? UPLOAD_LIMITS : TERMINAL_LIMITS;
  const survey = new Survey(ctx, owner, keep);
  for await (const { rows, bad } of readImportFile(bytes, limits, onRead)) {
    survey.addBad(bad);
    for (const row of rows) await survey.add(row);
  }
  return survey.finish();
}

/** A bad row's place in words: "compounds, line 3". */
export const placeOf = ({ type, line }: BadRow): string => `${type === '' ? '' : `${type}, `}line ${line}`;

/** The answer to a file with bad rows: nothing of it is taken. */
export function badRows({ bad, badCount }: Pick<ImportCheck, 'bad' | 'badCount'>): AppError {
  const fields: FieldErrors = {};
  for (const row of bad) (fields[placeOf(row)] ??= []).push(row.reason);
  const count = badCount === 1 ? '1 row is wrong' : `${badCount.toLocaleString('en')} rows are wrong`;
  return new AppError('BAD_ROWS', `${count}; nothing was imported.`, { fields });
}
