import { nameKeysOf } from '#app/domain/vials/contents.ts';
import { createHash } from 'node:crypto';
import { FREE_VIAL_LIMIT, PLAN_LIMIT_MESSAGE } from '#app/domain/billing/plans.ts';
import { AppError } from '#app/domain/errors.ts';
import type {
  ImportedCalculation,
  ImportedDose,
  ImportedInjectionSite,
  ImportedMeasurement,
  ImportedLot,
  ImportedSupply,
  ImportedNutrition,
  ImportedRecord,
  ImportedSchedule,
  ImportedSideEffect,
  ImportedVial,
} from '#app/domain/records/record-type.ts';
import { RECORD_TYPES } from '#app/domain/records/record-types.ts';
import type { ImportType } from '#app/domain/records/type-names.ts';
import { localDateTime } from '#app/domain/time/zoned-time.ts';
import { isFinal } from '#app/domain/vials/vial.ts';
import { toScheduleFacts, generateDoses } from '#app/features/schedules/index.server.ts';
import { afterCommit, type DoseRecord, type ScheduleRecord } from '#models/index.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { lotKeys } from '#app/domain/lots/lot.ts';
import { linkLot } from '#app/features/lots/index.server.ts';
import { idFromKey, newId } from '#app/platform/ids.server.ts';
import { MINUTE_MS } from '#app/domain/time/calendar.ts';
import { doseKeyOf, type ExportedMove, type ScheduleMove } from '#app/domain/schedules/plan-changes.ts';
import { occurrenceOf } from '#app/domain/schedules/occurrences.ts';
import type { ScheduleRule } from '#app/domain/schedules/schedule-rule.ts';
import { repos } from './repositories.server.ts';

/** What one import writes, and for whom. */
export interface ImportJob {
  id: string;
  ownerId: string;
  isPremium: boolean;
  timeZone: string;
  /** The sign-in that a free account's calculations belong to. */
  signInId: string | null;
}

type RecordOf<T extends ImportType> = Extract<ImportedRecord, { type: T }>;

/** The stored rows of a type that imports added. */
interface ImportedRows {
  /** Which of these ids the owner has. */
  owned(ownerId: string, ids: readonly string[]): Promise<ReadonlySet<string>>;
  countImported(ownerId: string, importId: string): Promise<number>;
  /** Removes what an import added. @returns how many are kept because they were changed since */
  deleteImported(ownerId: string, importId: string): Promise<number>;
}

/** The part of a type's description that needs the database. */
interface Importer<T extends ImportType> {
  rows(ctx: Ctx): ImportedRows;
  /** Adds records that the owner does not have yet. Doing it again does nothing. @throws AppError PLAN_LIMIT */
  add(ctx: Ctx, job: ImportJob, records: RecordOf<T>[]): Promise<void>;
}

const IMPORTERS: { readonly [T in ImportType]: Importer<T> } = {
  calculations: { rows: (ctx) => repos(ctx).importedCalculations, add: addCalculations },
  lots: { rows: (ctx) => repos(ctx).importedLots, add: addLots },
  compounds: { rows: (ctx) => repos(ctx).importedVials, add: addVials },
  schedules: { rows: (ctx) => repos(ctx).importedSchedules, add: addSchedules },
  doses: { rows: (ctx) => repos(ctx).importedDoses, add: addDoses },
  nutrition: { rows: (ctx) => repos(ctx).importedNutrition, add: addNutrition },
  sideEffects: { rows: (ctx) => repos(ctx).importedSideEffects, add: addSideEffects },
  injectionSites: { rows: (ctx) => repos(ctx).importedInjectionSites, add: addInjectionSites },
  measurements: { rows: (ctx) => repos(ctx).importedMeasurements, add: addMeasurements },
  supplies: { rows: (ctx) => repos(ctx).importedSupplies, add: addSupplies },
};

export const importedRows = (ctx: Ctx, type: ImportType): ImportedRows => IMPORTERS[type].rows(ctx);

/**
 * Adds records of one type that the owner does not have yet. Doing it again does nothing.
 * @throws AppError PLAN_LIMIT
 */
export async function addRecords<T extends ImportType>(
  ctx: Ctx,
  job: ImportJob,
  type: T,
  records: readonly ImportedRecord[],
): Promise<void> {
  const own = records.filter((record): record is RecordOf<T> => record.type === type);
  if (own.length > 0) await IMPORTERS[type].add(ctx, job, own);
}

/** Whether the file gives the record an id; a plain table of doses does not. */
const hasOwnId = (type: ImportType, id: string): boolean => id.startsWith(`${RECORD_TYPES[type].idPrefix}_`);

/** Characters of a file's id that are kept: all of one that Vialbook made, so that rows of one instant stay in order. */
const KEPT_LENGTH = 30;
/** Characters at the end of an imported record's id that say whose it is. */
const MARK_LENGTH = 16;

const digestOf = (...parts: string[]): string => createHash('sha256').update(parts.join('\n')).digest('hex');
const markOf = (ownerId: string, id: string): string => digestOf('import', ownerId, id).slice(0, MARK_LENGTH);

/** Whether the id ends with the owner's mark, which only an import into their account gives it. */
const isMarked = (ownerId: string, id: string): boolean =>
  id.slice(-MARK_LENGTH) === markOf(ownerId, id.slice(0, -MARK_LENGTH));

/** A file's id with the owner's mark: the same whenever they import it, and never that of another account. */
function markedId(ownerId: string, id: string): string {
  if (isMarked(ownerId, id)) return id;
  const kept = id.length <= KEPT_LENGTH ? id : id.slice(0, KEPT_LENGTH) + digestOf(id).slice(0, MARK_LENGTH);
  return kept + markOf(ownerId, kept);
}

/** The id of a record that the file gives none. */
const idOfKey = (type: ImportType, ownerId: string, key: string): string =>
  `${RECORD_TYPES[type].idPrefix}_${digestOf('import', ownerId, key).slice(0, 24)}`;

/**
 * The id that an imported record gets. It is derived from the owner and what the file calls it, so that no two accounts
 * have the same one, wherever their records are stored.
 */
const importedId = (type: ImportType, ownerId: string, id: string): string =>
  hasOwnId(type, id) ? markedId(ownerId, id) : idOfKey(type, ownerId, id);

/** Other ids that its owner may have a record under: its own in their own export, and one that came back from an export. */
function otherIds(type: ImportType, ownerId: string, id: string): string[] {
  if (!hasOwnId(type, id)) return [markedId(ownerId, idOfKey(type, ownerId, id))];
  if (id.length <= KEPT_LENGTH) return [id];
  // Earlier versions shortened ids without a digest.
  return [id, id.slice(0, KEPT_LENGTH) + markOf(ownerId, id)];
}

/** The ids that a record may already have in the owner's account; a day of nutrition is known by its date. */
export function possibleIds(ownerId: string, { type, id }: Pick<ImportedRecord, 'type' | 'id'>): string[] {
  return type === 'nutrition' ? [id] : [importedId(type, ownerId, id), ...otherIds(type, ownerId, id)];
}

/** What asks about records of a kind that imports add. */
const ADDED = {
  calculations: 'importedCalculations',
  lots: 'importedLots',
  compounds: 'importedVials',
  schedules: 'importedSchedules',
  doses: 'importedDoses',
  sideEffects: 'importedSideEffects',
  injectionSites: 'importedInjectionSites',
  measurements: 'importedMeasurements',
  supplies: 'importedSupplies',
} as const;

type NamedType = keyof typeof ADDED;

/** Which of a file's ids another account, or the owner, has or is about to get. The others are the owner's from now on. */
async function takenIds(
  ctx: Ctx,
  ownerId: string,
  type: NamedType,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const claimants = new Map(ids.map((id) => [id, markOf(ownerId, id)]));
  const claimed = await repos(ctx).idClaims.claim(type, claimants, ctx.now());
  const there = await repos(ctx)[ADDED[type]].taken([...claimants.keys()]);
  return new Set([...there, ...claimed]);
}

/**
 * The ids of records to add: the one in the file as long as nobody has it, so that whoever deletes records and imports an
 * export of them finds them where they were; otherwise one of the owner's own.
 */
async function idsOf(
  ctx: Ctx,
  { ownerId }: ImportJob,
  records: readonly Pick<ImportedRecord & { type: NamedType }, 'type' | 'id'>[],
): Promise<(record: { type: NamedType; id: string }) => { id: string; knownAs: string[] }> {
  const [first] = records;
  const named = records.filter(({ type, id }) => hasOwnId(type, id)).map(({ id }) => id);
  const taken =
    first === undefined || named.length === 0
      ? new Set<string>()
      : await takenIds(ctx, ownerId, first.type, named);
  return ({ type, id }) => {
    const own = importedId(type, ownerId, id);
    const others = otherIds(type, ownerId, id);
    if (!hasOwnId(type, id) || taken.has(id)) return { id: own, knownAs: others };
    return { id, knownAs: [own, ...others].filter((one) => one !== id) };
  };
}

/** The id of a day's nutrition entry that was entered by hand. */
const idOfDay = (ownerId: string, date: string): string =>
  idFromKey(RECORD_TYPES.nutrition.idPrefix, new Date(0), ownerId, `day ${date}`);

/**
 * Maps the vial ids of a file to the owner's vials, which may have other ids here. The id of a vial that the owner does not
 * have is kept, as for a deleted vial.
 */
async function findVialLinks(
  ctx: Ctx,
  ownerId: string,
  vialIds: readonly (string | null)[],
): Promise<(id: string | null) => string | null> {
  const ids = [...new Set(vialIds.filter((id) => id !== null))];
  if (ids.length === 0) return (id) => id;
  const known = ids.map((id) => [id, possibleIds(ownerId, { type: 'compounds', id })] as const);
  const there = await repos(ctx).importedVials.owned(
    ownerId,
    known.flatMap(([, possible]) => possible),
  );
  const links = new Map(known.map(([id, possible]) => [id, possible.find((one) => there.has(one)) ?? id]));
  return (id) => (id === null ? null : (links.get(id) ?? id));
}

async function addCalculations(ctx: Ctx, job: ImportJob, records: ImportedCalculation[]): Promise<void> {
  const ids = await idsOf(ctx, job, records);
  const batch = records.map((record) => {
    const { type, id: saveKey, ...rest } = record;
    const { id, knownAs } = ids(record);
    return { calculation: { id, userId: job.ownerId, signInId: job.signInId, saveKey, ...rest }, knownAs };
  });
  await repos(ctx).importedCalculations.createMissing(job.id, batch);
}

async function addSupplies(ctx: Ctx, job: ImportJob, records: ImportedSupply[]): Promise<void> {
  const { ownerId: userId } = job;
  const ids = await idsOf(ctx, job, records);
  const rows = records.map((record) => {
    const { id, knownAs } = ids(record);
    return {
      row: { _id: id, userId, ...record.supply, version: 0, createdAt: record.createdAt },
      knownAs,
    };
  });
  await repos(ctx).importedSupplies.createMissing(job.id, userId, rows);
}

/** A lot is skipped if the owner, or the file before it, has one with the same number, compound and supplier. */
async function addLots(ctx: Ctx, job: ImportJob, records: ImportedLot[]): Promise<void> {
  const { ownerId: userId } = job;
  const ids = await idsOf(ctx, job, records);
  const rows = [];
  const named = new Set<string>();
  for (const record of records) {
    const { createdAt, lot } = record;
    const keys = lotKeys(lot);
    const name = JSON.stringify([keys, lot.supplierId]);
    if (named.has(name)) continue;
    named.add(name);
    const known = await repos(ctx).lots.findByNumber(userId, keys.numberKey, keys.productKey);
    if (known.some(({ supplierId }) => supplierId === lot.supplierId)) continue;
    const rest = { supplierKey: lot.supplierId ?? '', orderId: null, papers: [], formerVials: [], createdAt };
    const { id, knownAs } = ids(record);
    rows.push({ row: { _id: id, userId, ...lot, ...keys, ...rest }, knownAs });
  }
  await repos(ctx).importedLots.createMissing(job.id, userId, rows);
}

/**
 * Links a vial to its lot: the one with its lot id if the owner has it, otherwise the one with the same number, compound
 * and supplier, which is created if it does not exist.
 */
async function linkedToLots<V extends ImportedVial['vial']>(ctx: Ctx, job: ImportJob, vial: V): Promise<V> {
  if (vial.lot === null) return { ...vial, lotId: null };
  const ids = vial.lotId == null ? [] : possibleIds(job.ownerId, { type: 'lots', id: vial.lotId });
  const { numberKey } = lotKeys({ number: vial.lot, product: vial.name });
  const known = (await repos(ctx).lots.listById(job.ownerId, ids)).find((lot) => lot.numberKey === numberKey);
  const lotId = known?.id ?? (await linkLot(ctx, job.ownerId, vial, { importId: job.id }));
  return { ...vial, lotId };
}

const planLimit = () => new AppError('PLAN_LIMIT', PLAN_LIMIT_MESSAGE);

/** Active vials of a free account need a free place each; if they do not all fit, none is kept. */
async function addVials(ctx: Ctx, job: ImportJob, records: ImportedVial[]): Promise<void> {
  const { ownerId } = job;
  const { importedVials } = repos(ctx);
  const possible = (some: ImportedVial[]) => some.flatMap((record) => possibleIds(ownerId, record));
  const there = await importedVials.owned(ownerId, possible(records));
  const fresh = records.filter((record) => !possibleIds(ownerId, record).some((id) => there.has(id)));
  const taken = job.isPremium ? [] : await repos(ctx).vials.listSlots(ownerId, FREE_VIAL_LIMIT);
  const places = Array.from({ length: FREE_VIAL_LIMIT }, (_, index) => String(index)).filter(
    (place) => !taken.includes(place),
  );
  const ids = await idsOf(ctx, job, fresh);
  const linked = [];
  for (const record of fresh) linked.push({ ...record, vial: await linkedToLots(ctx, job, record.vial) });
  const batch = linked.map((record) => {
    const { vial } = record;
    const isLimited = !job.isPremium && !isFinal(vial);
    const slot = isLimited ? places.shift() : null;
    if (slot === undefined || (isLimited && taken.length >= FREE_VIAL_LIMIT)) throw planLimit();
    const { id, knownAs } = ids(record);
    return { vial: { ...vial, id, userId: ownerId }, knownAs, slot };
  });
  await importedVials.createMissing(job.id, batch);
  const added = await importedVials.owned(ownerId, possible(fresh));
  // Another request took the place in the meantime.
  if (added.size < fresh.length) throw planLimit();
}

/** Adds schedules and generates their doses. */
async function addSchedules(ctx: Ctx, job: ImportJob, records: ImportedSchedule[]): Promise<void> {
  const now = ctx.now();
  const linked = await findVialLinks(
    ctx,
    job.ownerId,
    records.flatMap(({ fields, swaps = [] }) =>
      [fields, ...swaps].map(({ compoundId }) => compoundId ?? null),
    ),
  );
  const ids = await idsOf(ctx, job, records);
  const batch = records.map((record) => {
    const schedule = scheduleOf(job, record, now);
    const compoundId = linked(schedule.compoundId);
    const swaps = schedule.swaps?.map((swap) => ({ ...swap, compoundId: linked(swap.compoundId) }));
    const { id, knownAs } = ids(record);
    return { schedule: { ...schedule, id, compoundId, ...(swaps && { swaps }) }, knownAs };
  });
  await repos(ctx).importedSchedules.createMissing(job.id, job.ownerId, batch);
  const begins = new Map(batch.map(({ schedule }) => [schedule.id, schedule.madeUntil]));
  const added = await repos(ctx).importedSchedules.listAdded(job.ownerId, job.id, [...begins.keys()]);
  // Later, because a plan's doses can be many: what an interruption leaves out, the worker makes.
  await afterCommit(async () => {
    for (const id of added) await generateDoses(ctx, job.ownerId, id, begins.get(id));
  });
}

function scheduleOf(job: ImportJob, record: ImportedSchedule, now: Date): ScheduleRecord {
  const { id, createdAt, fields, isActive, nextDoseDate, lastDoseDate, moves = [], pauses, swaps } = record;
  const { stopsAt } = record;
  const facts = toScheduleFacts(fields, { timeZone: job.timeZone, lead: 0, now });
  return {
    id,
    userId: job.ownerId,
    ...facts,
    ...(stopsAt && { stopsAt }),
    ...(pauses && { pauses }),
    ...(swaps && { swaps: swaps.map((swap) => ({ ...swap, id: newId(now), madeAt: now })) }),
    ...(moves.length > 0 && { moves: moves.flatMap((move) => movesOf(facts, move, now)) }),
    isActive,
    nextDoseDate: null,
    lastDoseDate,
    lastDoseBefore: lastDoseDate,
    ...(fields.frequency.kind === 'after-last' && { resumedAt: now }),
    createdAt,
    updatedAt: now,
    revision: 1,
    // Doses continue where the export left off: earlier ones were handled in the account that was exported.
    madeUntil: nextDoseDate !== null && nextDoseDate > now ? nextDoseDate : now,
    claimedUntil: null,
    keptIn: null,
  };
}

/** A move as its schedule stores it; nothing if the plan has no such dose. */
function movesOf(
  rule: ScheduleRule,
  { key, scope, days, minutes, to }: ExportedMove,
  now: Date,
): ScheduleMove[] {
  const from = occurrenceOf(rule, doseKeyOf(key))?.dueDate;
  if (from === undefined) return [];
  const common = { id: newId(now), key, scope, days, minutes, doseAmount: null, madeAt: now, undoneAt: null };
  return [{ ...common, from, to: to ?? new Date(from.getTime() + (days * 24 * 60 + minutes) * MINUTE_MS) }];
}

async function addDoses(ctx: Ctx, job: ImportJob, records: ImportedDose[]): Promise<void> {
  const ids = await idsOf(ctx, job, records);
  const batch = records.map((record) => {
    const { id, knownAs } = ids(record);
    return { dose: takenDose(job, id, record), knownAs };
  });
  await repos(ctx).importedDoses.createMissing(job.id, job.ownerId, batch);
}

/** Nothing is drawn for an imported dose: the stock already says what is left today. */
function takenDose(job: ImportJob, id: string, dose: ImportedDose): DoseRecord {
  const { takenAt, name, amount, unit, site, notes, blend } = dose;
  const [localDay = '', wallTime = ''] = localDateTime(takenAt, job.timeZone).split(' ');
  const when = { localDay, wallTime, timeZone: job.timeZone, dueDate: takenAt, takenAt };
  const what = {
    ...{ name, ...nameKeysOf(name, blend ?? null), ...(blend && { drawn: blend }) },
    ...{ doseAmount: amount, actualDose: amount, doseUnit: unit },
  };
  const noSchedule = { scheduleId: null, scheduleRevision: 0, compoundId: null, route: null };
  const noReminder = {
    remindAt: null,
    remindStage: 'due' as const,
    remindCount: 0,
    remindClaimedUntil: null,
  };
  const state = { status: 'taken' as const, round: 1, draws: [], version: 0 };
  return { id, ...when, ...what, ...noSchedule, ...noReminder, ...state, site, notes };
}

/** A day that has an entry keeps it. */
async function addNutrition(ctx: Ctx, job: ImportJob, records: ImportedNutrition[]): Promise<void> {
  const { ownerId: userId } = job;
  const rows = records.map(({ id: day, createdAt, entry }) => {
    const _id = idOfDay(userId, day);
    return { _id, userId, ...entry, createdAt };
  });
  await repos(ctx).importedNutrition.createMissing(job.id, userId, rows);
}

async function addSideEffects(ctx: Ctx, job: ImportJob, records: ImportedSideEffect[]): Promise<void> {
  const { ownerId: userId } = job;
  const linked = await findVialLinks(
    ctx,
    userId,
    records.map(({ effect }) => effect.compoundId),
  );
  const ids = await idsOf(ctx, job, records);
  const rows = records.map((record) => {
    const { createdAt, effect } = record;
    const { id, knownAs } = ids(record);
    const times = { createdAt, updatedAt: ctx.now() };
    const row = { _id: id, userId, ...effect, compoundId: linked(effect.compoundId), images: [], ...times };
    return { row, knownAs };
  });
  await repos(ctx).importedSideEffects.createMissing(job.id, userId, rows);
}

async function addInjectionSites(ctx: Ctx, job: ImportJob, records: ImportedInjectionSite[]): Promise<void> {
  const { ownerId: userId } = job;
  const linked = await findVialLinks(
    ctx,
    userId,
    records.map(({ entry }) => entry.compoundId),
  );
  const ids = await idsOf(ctx, job, records);
  const rows = records.map((record) => {
    const { createdAt, entry } = record;
    const { id, knownAs } = ids(record);
    return { row: { _id: id, userId, ...entry, compoundId: linked(entry.compoundId), createdAt }, knownAs };
  });
  await repos(ctx).importedInjectionSites.createMissing(job.id, userId, rows);
}

async function addMeasurements(ctx: Ctx, job: ImportJob, records: ImportedMeasurement[]): Promise<void> {
  const { ownerId: userId } = job;
  const ids = await idsOf(ctx, job, records);
  const rows = records.map((record) => {
    const { id, knownAs } = ids(record);
    return { row: { _id: id, userId, ...record.measurement, createdAt: record.createdAt }, knownAs };
  });
  await repos(ctx).importedMeasurements.createMissing(job.id, userId, rows);
}
