import { usualSyringe } from '#app/domain/calculator/own-syringe.ts';
import { AppError, type FieldErrors, type RowError } from '#app/domain/errors.ts';
import type {
  BadRow,
  HealthFileSummary,
  ImportedMeasurement,
  ImportedRecord,
  ImportedVial,
  RawFile,
  RawRow,
  UnusualRow,
} from '#app/domain/records/record-type.ts';
import { readRows } from '#app/domain/records/record-types.ts';
import { swappedPressure, swappedPressureText } from '#app/domain/tracking/measurements.ts';
import { IMPORT_TYPES, TYPE_NAMES, type ImportType } from '#app/domain/records/type-names.ts';
import { plural } from '#app/domain/text/plural.ts';
import { entitlementOf } from '#app/domain/billing/plans.ts';
import type { ImportCounts } from '#models/index.server.ts';
import { authorise } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { requireRoomFor } from '#app/platform/access/row-quota.server.ts';
import { confirmDoseError, UNUSUAL_AMOUNTS } from '#app/domain/doses/dose-warnings.ts';
import { calendarDay } from '#app/domain/time/zoned-time.ts';
import { futureDayWarning } from '#app/domain/vials/vial-schema.ts';
import { findPlanWarnings, readAmounts, type AmountReader } from '#app/features/amounts/index.server.ts';
import { toScheduleFacts } from '#app/features/schedules/index.server.ts';
import { readInThread } from '#app/platform/threads/reader-thread.server.ts';
import { readImportFile, type ImportBytes } from './import-file.server.ts';
import type { ImportReading } from './import-thread.server.ts';
import { TERMINAL_LIMITS, UPLOAD_LIMITS } from './import-limits.server.ts';
import { importedRows, possibleIds } from './record-importers.server.ts';
import type { Owner } from '#app/platform/access/owner.server.ts';

/** Rows that are looked up and written at once. */
const BATCH = 500;

/** Bad rows that are named one by one. */
const MAX_NAMED_ROWS = 100;

/** The file to import. */
export interface ImportSource {
  bytes: ImportBytes;
  /** Its path, if it is a file: a zip is read from its end. */
  path?: string;
  fileName?: string | null;
  /** Called with the bytes that have been read so far. */
  onRead?: (bytes: number) => void;
  /** Called with the records that have been written so far. */
  onWritten?: (records: number) => void;
}

/** What an import of a file would add. */
export interface ImportCheck {
  rows: ImportCounts;
  /** Those that the owner does not have yet. */
  fresh: ImportCounts;
  /** The first bad rows, and how many there are. */
  bad: BadRow[];
  badCount: number;
  /** The first rows that are probably mistakes, unusual amounts before all others, and how many there are. */
  unusual: UnusualRow[];
  unusualCount: number;
  /** What was recognised in a phone's health file; null for any other file. */
  health: HealthFileSummary | null;
}

/** @throws AppError PREMIUM_REQUIRED for types that a free account, or its personal token, cannot store */
function refusePremiumTypes(ctx: Ctx, owner: Owner, type: ImportType): void {
  const { isPremium } = entitlementOf(owner, ctx);
  const resource = { ownerId: owner.id, ownerIsPremium: isPremium };
  if (type === 'calculations') authorise(ctx.actor, 'import.calculations', resource);
  if (TYPE_NAMES[type].premium.import) authorise(ctx.actor, 'import.premium-types', resource);
}

interface RowWarning {
  readonly code: UnusualRow['code'];
  readonly message: string;
}

/** Whether a row is imported only if its owner confirms it. */
const needsConfirmation = (code: UnusualRow['code']): boolean =>
  UNUSUAL_AMOUNTS.some((amount) => amount === code);

/** Takes records of one type that will be written later. */
type KeepRecords = (type: ImportType, records: readonly ImportedRecord[]) => Promise<void>;

/** Reads the rows of a file, a batch of one type at a time. */
class Survey {
  readonly check: ImportCheck = {
    rows: {},
    fresh: {},
    bad: [],
    badCount: 0,
    unusual: [],
    unusualCount: 0,
    health: null,
  };
  private readonly amounts: AmountReader;
  /** Rows that are only reported, kept apart so that they never crowd out rows that need confirmation. */
  private readonly reported: UnusualRow[] = [];
  private readonly waiting = new Map<ImportType, RawRow[]>();
  private freshRows = 0;
  private readonly seen = new Map<ImportType, Set<string>>();
  /** Blood pressure readings whose counterpart has not been read yet, by time. */
  private readonly pressures = new Map<number, ImportedMeasurement['measurement']>();

  constructor(
    private readonly ctx: Ctx,
    private readonly owner: Owner,
    private readonly keep: KeepRecords,
  ) {
    this.amounts = readAmounts(ctx, this.drawing());
  }

  /** The owner with the syringe they draw with. */
  private drawing() {
    const { id, timeZone } = this.owner;
    return { id, timeZone, syringe: usualSyringe(this.owner) };
  }

  addBad(rows: readonly BadRow[]): void {
    this.check.badCount += rows.length;
    this.check.bad.push(...rows.slice(0, MAX_NAMED_ROWS - this.check.bad.length));
  }

  async add(row: RawRow): Promise<void> {
    let rows = this.waiting.get(row.type);
    if (rows === undefined) {
      refusePremiumTypes(this.ctx, this.owner, row.type);
      this.waiting.set(row.type, (rows = []));
    }
    rows.push(row);
    if (rows.length < BATCH) return;
    this.waiting.delete(row.type);
    await this.read(row.type, rows);
  }

  async finish(): Promise<ImportCheck> {
    for (const type of IMPORT_TYPES) await this.read(type, this.waiting.get(type) ?? []);
    this.check.unusual.push(...this.reported.slice(0, MAX_NAMED_ROWS - this.check.unusual.length));
    this.check.bad.sort((a, b) => (a.type === b.type ? a.line - b.line : a.type < b.type ? -1 : 1));
    return this.check;
  }

  private async read(type: ImportType, rows: readonly RawRow[]): Promise<void> {
    if (rows.length === 0) return;
    const { records, bad, lines } = readRows(rows, { now: this.ctx.now(), timeZone: this.owner.timeZone });
    this.addBad(bad);
    const own = this.unseen(type, records);
    this.check.rows[type] = (this.check.rows[type] ?? 0) + own.length;
    const fresh = await this.freshOf(type, own);
    this.check.fresh[type] = (this.check.fresh[type] ?? 0) + fresh.length;
    await this.requireRoom(fresh.length);
    await this.askAbout(fresh, lines);
    if (this.check.badCount === 0 && own.length > 0) await this.keep(type, own);
  }

  /** @throws AppError PLAN_LIMIT as soon as the file has more new records than its owner has room for */
  private async requireRoom(more: number): Promise<void> {
    this.freshRows += more;
    const { isPremium } = entitlementOf(this.owner, this.ctx);
    if (more > 0) await requireRoomFor(this.ctx, { id: this.owner.id, isPremium }, this.freshRows);
  }

  /** A record that the file has twice counts once. */
  private unseen(type: ImportType, records: readonly ImportedRecord[]): ImportedRecord[] {
    const seen = this.seen.get(type) ?? new Set();
    this.seen.set(type, seen);
    return records.filter(({ id }) => !seen.has(id) && seen.add(id));
  }

  /** The records that the owner does not have yet. */
  private async freshOf(type: ImportType, records: readonly ImportedRecord[]): Promise<ImportedRecord[]> {
    const ids = records.map((record) => possibleIds(this.owner.id, record));
    const there = await importedRows(this.ctx, type).owned(this.owner.id, ids.flat());
    return records.filter((_, index) => !ids[index]?.some((id) => there.has(id)));
  }

  /** Collects the warnings about new records. */
  private async askAbout(
    records: readonly ImportedRecord[],
    lines: ReadonlyMap<string, number>,
  ): Promise<void> {
    for (const record of records) {
      for (const { code, message } of await this.warningsOf(record)) {
        this.check.unusualCount += 1;
        const named = needsConfirmation(code) ? this.check.unusual : this.reported;
        if (named.length >= MAX_NAMED_ROWS) continue;
        named.push({
          type: record.type,
          line: lines.get(record.id) ?? 0,
          code,
          reason: message,
        });
      }
    }
  }

  private async warningsOf(record: ImportedRecord): Promise<RowWarning[]> {
    if (record.type === 'compounds') return this.dayWarnings(record.vial);
    if (record.type === 'measurements') return this.pressureWarnings(record.measurement);
    if (record.type === 'doses') {
      const { name, takenAt, amount, unit, blend = null } = record;
      return this.amounts.next({ name, takenAt, blend, amount: { text: amount, unit } });
    }
    if (record.type !== 'schedules') return [];
    const plan = toScheduleFacts(record.fields, {
      timeZone: this.owner.timeZone,
      lead: 0,
      now: this.ctx.now(),
    });
    const request = {
      name: plan.name,
      plan,
      before: null,
      blend: plan.blend ?? null,
      leftMg: null,
      strength: null,
    };
    return findPlanWarnings(this.ctx, this.drawing(), request);
  }

  /** The two numbers of a blood pressure have the same time. */
  private pressureWarnings(measurement: ImportedMeasurement['measurement']): RowWarning[] {
    if (measurement.metric !== 'systolic' && measurement.metric !== 'diastolic') return [];
    const at = measurement.measuredAt.getTime();
    const other = this.pressures.get(at);
    if (other === undefined || other.metric === measurement.metric) {
      this.pressures.set(at, measurement);
      return [];
    }
    this.pressures.delete(at);
    const [systolic, diastolic] =
      measurement.metric === 'systolic' ? [measurement, other] : [other, measurement];
    const pair = swappedPressure(systolic.value, diastolic.value);
    return pair === null ? [] : [{ code: 'PRESSURE_SWAPPED', message: swappedPressureText(pair) }];
  }

  private dayWarnings({ reconstitutionDate: day }: ImportedVial['vial']): RowWarning[] {
    if (day === null || day <= calendarDay(this.ctx.now(), this.owner.timeZone)) return [];
    return [futureDayWarning(day)];
  }
}

/**
 * Reads a file to its end and finds out which of its records are new. Writes nothing itself.
 * @param keep called with the records as long as no row is bad
 * @throws AppError INVALID_INPUT, PAYLOAD_TOO_LARGE, PREMIUM_REQUIRED, PLAN_LIMIT when the new records do not fit
 */
export async function checkImport(
  ctx: Ctx,
  owner: Owner,
  { bytes, path, onRead }: ImportSource,
  keep: KeepRecords = () => Promise.resolve(),
): Promise<ImportCheck> {
  const limits = ctx.actor.kind === 'user' ? UPLOAD_LIMITS : TERMINAL_LIMITS;
  const survey = new Survey(ctx, owner, keep);
  const source = { bytes, ...(path !== undefined && { path }) };
  const setting = { now: ctx.now(), timeZone: owner.timeZone };
  // The terminal has a process of its own, and its files have no largest size.
  const files =
    ctx.actor.kind === 'user'
      ? readInThread<RawFile>('import', { limits, setting } satisfies ImportReading, bytes)
      : readImportFile(source, limits, setting, onRead);
  for await (const { only, rows, bad, health } of files) {
    if (only !== undefined) refusePremiumTypes(ctx, owner, only);
    survey.addBad(bad);
    for (const row of rows) await survey.add(row);
    if (health !== undefined) survey.check.health = health;
  }
  return survey.finish();
}

/** Refuses a file with unusual amounts that were not confirmed. @throws AppError CONFIRM_DOSE naming the rows */
export function requireUsualAmounts({ unusual = [] }: { unusual?: UnusualRow[] | undefined }): void {
  const questions = unusual.filter(({ code }) => needsConfirmation(code));
  if (questions.length > 0) throw confirmDoseError(questions.map(unusualRowText));
}

/** A row with an unusual amount in a sentence: "doses, line 3: 2.5 mg is 10 × your usual 0.25 mg." */
export const unusualRowText = (row: UnusualRow): { code: string; message: string } => ({
  code: row.code,
  message: `${placeOf(row)}: ${row.reason}`,
});

/** Where a bad row is: "compounds, line 3". */
const placeOf = ({ type, line }: BadRow): string => `${type === '' ? '' : `${type}, `}line ${line}`;

/** "2 rows contain errors. Nothing was imported." */
const badRowsText = (count: number): string =>
  `${plural(count, 'row')} ${count === 1 ? 'contains' : 'contain'} errors. Nothing was imported.`;

/** A bad row for programs. A reason about one field begins with the field's name. */
function rowError({ type, line, reason }: BadRow): RowError {
  const [, field = '', message = reason] = /^([A-Za-z][\w.]*): (.*)$/s.exec(reason) ?? [];
  return { type, line, field, message };
}

/** The error for a file with bad rows, of which nothing is imported. */
export function badRows({ bad, badCount }: Pick<ImportCheck, 'bad' | 'badCount'>): AppError {
  const fields: FieldErrors = {};
  for (const row of bad) (fields[placeOf(row)] ??= []).push(row.reason);
  return new AppError('BAD_ROWS', badRowsText(badCount), { fields, rows: bad.map(rowError) });
}
