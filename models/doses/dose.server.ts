import { Schema, trusted, type Connection, type Model, type QueryFilter } from 'mongoose';
import type { DoseBefore, DoseStatus } from '#app/domain/doses/dose.ts';
import { DEFAULT_SYRINGE, type SyringeChoice } from '#app/domain/calculator/calculation.ts';
import { amountUnder, BLEND_KEY, type Blend } from '#app/domain/vials/contents.ts';
import type { DoseChain } from '#app/domain/schedules/occurrences.ts';
import type { DoseKey, MovedDose } from '#app/domain/schedules/plan-changes.ts';
import type { DoseUnit } from '#app/domain/calculator/calculation.ts';
import { removeInBatches, insertMissing } from '../store/writes.server.ts';
import { createDoseDrawRepository } from './dose-draw.server.ts';
import { modelOf, NOTES_CHANGES } from '../store/model-of.server.ts';
import {
  CHANGES_INDEX,
  changedSince,
  changesHint,
  during,
  inBatches,
  rangesBeyond,
  readRanges,
  rowsOfLatest,
  STREAMING,
} from '../store/queries.server.ts';
import { DAY_MS } from '#app/domain/time/calendar.ts';
import type { InstantRange } from '#app/domain/time/zoned-time.ts';
import type { StatusCount } from '#app/domain/doses/adherence.ts';
import type { ReminderStep } from '#app/domain/reminders/reminder-stages.ts';
import { chooseBatch, claimBatch } from '../store/work-queue.server.ts';
import { importedRows, type ListPart } from '../store/owned-rows.server.ts';
import { createStockCheckRepository } from '../reminders/stock-check.server.ts';

export type { DoseStatus };
export type RemindStage = 'upcoming' | 'due' | 'overdue';

/** What a dose drew from a vial: decimal text in mg. */
export interface DoseDraw {
  compoundId: string;
  mg: string;
  /** In a blend, the index of the component that `mg` counts; absent for the first. */
  component?: number | undefined;
}

/** A document of `doses`. */
export interface DoseRow {
  /** Derived from schedule, local day and time, so that two workers create one dose; random without a schedule. */
  _id: string;
  userId: string;
  scheduleId: string | null;
  /** Revision of the schedule that created it; 0 without a schedule. */
  scheduleRevision: number;
  name: string;
  /** Preferred vial. */
  compoundId: string | null;
  /** The planned blend, and which component the dose refers to; absent for a single peptide. */
  blend?: Blend | null;
  /** The blend it was drawn from; absent until it is taken, and for a single peptide. */
  drawn?: Blend | null;
  /** Calendar day YYYY-MM-DD and time of day HH:mm in `timeZone`, as scheduled. */
  localDay: string;
  wallTime: string;
  timeZone: string;
  dueDate: Date;
  /** Decimal text in `doseUnit`. */
  doseAmount: string;
  doseUnit: DoseUnit;
  route: string | null;
  status: DoseStatus;
  takenAt: Date | null;
  /** Decimal text in `doseUnit`. */
  actualDose: string | null;
  notes: string | null;
  /** Id of an injection site. */
  site: string | null;
  /**
   * Identifies its stock ledger entries: higher each time it is taken, even if it was removed and recreated in between.
   * The time in ms; 0 before the first time. Rows of earlier versions hold a count.
   */
  round: number;
  draws: DoseDraw[];
  /** What it was drawn with; absent if not taken, and in rows from before syringes could be chosen. */
  syringe?: SyringeChoice | null;
  /** When the next reminder is due; null when there is none. */
  remindAt: Date | null;
  remindStage: RemindStage;
  remindCount: number;
  /** The worker that has claimed its reminder, and until when. */
  remindClaim: string | null;
  remindClaimedUntil: Date | null;
  /** Its state before the owner's last change, which undo restores; absent if unchanged. */
  before?: DoseBefore | null;
  /** When its owner last changed it. */
  actedAt?: Date | null;
  /** Its name, normalised as for stock, once taken; {@link BLEND_KEY} for a blend, which has several names. */
  nameKey?: string | null;
  /** For a taken blend: its own name and its components' names; it can be found by each of them. */
  nameKeys?: readonly string[] | null;
  /** When it is marked as missed, by its owner's setting; absent until a worker has calculated it. */
  missAt?: Date | null;
  /** For a dose that counts from the last one: the dose before it, and how many hours later it is due. */
  chain?: DoseChain | null;
  /** Its planned day and time, if it was moved: its id is derived from them. */
  movedFrom?: DoseKey | null;
  /** Every move, including undone ones; absent if it was never moved. */
  moveHistory?: MovedDose[] | null;
  /** When its owner last moved it: reminders created before are not sent. */
  movedAt?: Date | null;
  /** True when it was taken so early or late that adherence counts it as missed. */
  offTime?: boolean | null;
  /** Taken as needed, without a planned time; undoing it removes it. */
  asNeeded?: boolean;
  /** Incremented by every change: undoing an import leaves changed doses alone. */
  version: number;
  /** The import that added it. */
  importId?: string;
  /** When it was made or last changed, other than by its reminders; set by mongoose. */
  updatedAt?: Date;
}

const text = { type: String, required: true } as const;
const optionalText = { type: String, default: null } as const;
const optionalDate = { type: Date, default: null } as const;
const count = { type: Number, default: 0 } as const;

const drawSchema = new Schema<DoseDraw>({ compoundId: text, mg: text, component: Number }, { _id: false });

/** How a plan and a dose store a blend. */
export const blendSchema = new Schema<Blend>(
  {
    doseOf: text,
    components: [new Schema({ name: text, amount: text }, { _id: false })],
  },
  { _id: false },
);

const beforeSchema = new Schema<DoseBefore>({ status: text, notes: optionalText }, { _id: false });

const chainSchema = new Schema<DoseChain>(
  { after: optionalText, everyHours: { type: Number, required: true } },
  { _id: false },
);

const keySchema = new Schema<DoseKey>({ localDay: text, wallTime: text }, { _id: false });

const movedSchema = new Schema<MovedDose>(
  {
    from: { type: Date, required: true },
    to: { type: Date, required: true },
    at: { type: Date, required: true },
    isUndo: { type: Boolean, required: true },
  },
  { _id: false },
);

/** Doses of one status by due date; named so that a hint can keep the planner from scanning a long history. */
const STATUS_INDEX = { userId: 1, status: 1, dueDate: 1, _id: 1 } as const;

export const doseSchema = new Schema<DoseRow>(
  {
    _id: text,
    userId: text,
    scheduleId: optionalText,
    scheduleRevision: count,
    name: text,
    compoundId: optionalText,
    blend: blendSchema,
    drawn: blendSchema,
    localDay: text,
    wallTime: text,
    timeZone: text,
    dueDate: { type: Date, required: true },
    doseAmount: text,
    doseUnit: text,
    route: optionalText,
    status: text,
    takenAt: optionalDate,
    actualDose: optionalText,
    notes: optionalText,
    site: optionalText,
    round: count,
    draws: { type: [drawSchema], default: [] },
    // A built-in one's id, or one of their own as it was then.
    syringe: Schema.Types.Mixed,
    remindAt: optionalDate,
    remindStage: text,
    remindCount: count,
    remindClaim: optionalText,
    remindClaimedUntil: optionalDate,
    before: beforeSchema,
    actedAt: Date,
    nameKey: String,
    nameKeys: { type: [String], default: undefined },
    missAt: Date,
    chain: chainSchema,
    movedFrom: keySchema,
    moveHistory: { type: [movedSchema], default: undefined },
    movedAt: Date,
    offTime: Boolean,
    asNeeded: Boolean,
    version: count,
    importId: String,
  },
  { collection: 'doses', ...NOTES_CHANGES },
);

doseSchema.index({ userId: 1, dueDate: 1, _id: 1 });
doseSchema.index({ ...STATUS_INDEX });
// For today's changes, and a dose's neighbours in time.
doseSchema.index({ userId: 1, actedAt: -1 });
doseSchema.index({ userId: 1, nameKey: 1, takenAt: 1 });
// For the step that marks doses as missed.
doseSchema.index({ status: 1, missAt: 1, dueDate: 1 });
doseSchema.index({ remindAt: 1 });
doseSchema.index({ ...CHANGES_INDEX });

export interface DoseRecord extends Omit<DoseRow, '_id' | 'userId' | 'remindClaim'> {
  id: string;
}

/**
 * What may change about a dose; not its identity and version. Clearing `remindClaim` stops the worker that holds the
 * dose from planning its next reminder.
 */
export type DoseChanges = Partial<Omit<DoseRecord, 'id' | 'scheduleId' | 'version'>> & { remindClaim?: null };

/** For changes that no client sees, which leave `updatedAt` as it is. */
const QUIETLY = { timestamps: false } as const;

/** Which of an owner's doses to read. Instants: from (inclusive) to the end (exclusive). */
export interface DoseSelection {
  from?: Date;
  before?: Date;
  status?: DoseStatus | readonly DoseStatus[];
  scheduleId?: string;
  /** Only those made or changed then or later. */
  updatedSince?: Date | undefined;
  skip?: number;
  limit?: number;
  /** Begin after the dose with this due date and id. */
  after?: readonly unknown[] | undefined;
  /** Latest first; otherwise earliest first. */
  latestFirst?: boolean;
}

/** The fields of {@link PlannedDoseRecord}. */
const PLANNED_FIELDS = {
  scheduleId: 1,
  name: 1,
  compoundId: 1,
  blend: 1,
  drawn: 1,
  dueDate: 1,
  doseAmount: 1,
  actualDose: 1,
  doseUnit: 1,
  route: 1,
} as const;

/** The planned part of a dose: when, how much, and of what. */
export type PlannedDoseRecord = Pick<DoseRecord, 'id' | keyof typeof PLANNED_FIELDS>;

/** Maps a stored row to the record that the rest of the program uses. */
function toDoseRecord({
  _id,
  userId: _owner,
  remindClaim: _mark,
  importId: _import,
  ...rest
}: DoseRow): DoseRecord {
  return { id: _id, ...rest };
}

function selectionFilter(userId: string, chosen: DoseSelection): QueryFilter<DoseRow> {
  const { from, before, status, scheduleId, updatedSince } = chosen;
  const due = { ...(from && { $gte: from }), ...(before && { $lt: before }) };
  const states = status === undefined ? [] : [status].flat();
  return {
    userId,
    ...(scheduleId !== undefined && { scheduleId }),
    ...(states.length > 1 && { status: trusted({ $in: states }) }),
    ...(states.length === 1 && { status: states[0] }),
    ...(Object.keys(due).length > 0 && { dueDate: trusted(due) }),
    ...changedSince(updatedSince),
  };
}

/** Whether to use the index by status: for doses of one status across all schedules. */
const isByStatus = ({ status, scheduleId }: DoseSelection): boolean =>
  scheduleId === undefined && status !== undefined && [status].flat().length === 1;

type DoseDraws = ReturnType<typeof createDoseDrawRepository>;

const readerOf = (model: Model<DoseRow>) => ({
  /** The blends that some doses were drawn from, by dose id; other doses are left out. */
  async blendsDrawn(userId: string, ids: readonly string[]): Promise<Map<string, Blend>> {
    if (ids.length === 0) return new Map();
    const some = trusted({ $in: [...new Set(ids)] });
    const rows = await model.find({ userId, _id: some }, { drawn: 1 }).lean();
    return new Map(rows.flatMap(({ _id, drawn: blend }) => (blend ? [[_id, blend] as const] : [])));
  },

  async find(userId: string, id: string): Promise<DoseRecord | null> {
    const row = await model.findOne({ userId, _id: id }).lean();
    return row === null ? null : toDoseRecord(row);
  },

  /** The selected doses by due date. */
  async list(userId: string, chosen: DoseSelection): Promise<DoseRecord[]> {
    const order = chosen.latestFirst ? -1 : 1;
    const sort = { dueDate: order, _id: order } as const;
    const filter = selectionFilter(userId, chosen);
    const ofStatus = isByStatus(chosen) ? { ...STATUS_INDEX } : undefined;
    const hint = (await changesHint(model, userId, chosen.updatedSince)) ?? ofStatus;
    const read = (these: QueryFilter<DoseRow>, limit: number | undefined) => {
      const query = model.find(these).sort(sort);
      if (hint !== undefined) query.hint(hint);
      if (chosen.skip !== undefined) query.skip(chosen.skip);
      // In one reply instead of batches of 101.
      if (limit !== undefined) query.limit(limit).batchSize(limit);
      return query.lean();
    };
    const { after, limit = Infinity } = chosen;
    if (after === undefined) return (await read(filter, chosen.limit)).map(toDoseRecord);
    const ranges = rangesBeyond(Object.entries(sort), after, false);
    const rows = await readRanges(ranges, limit, (range, most) =>
      read({ ...filter, $and: [range] } as QueryFilter<DoseRow>, most === Infinity ? undefined : most),
    );
    return rows.map(toDoseRecord);
  },

  /** How many doses match, on all pages together. */
  async count(userId: string, chosen: DoseSelection): Promise<number> {
    const query = model.countDocuments(selectionFilter(userId, chosen));
    if (chosen.updatedSince !== undefined) query.hint({ ...CHANGES_INDEX });
    else if (isByStatus(chosen)) query.hint({ ...STATUS_INDEX });
    return query;
  },

  /** Pending doses of a schedule that another revision created and that are due from an instant on. */
  async listOutdated(
    userId: string,
    scheduleId: string,
    from: Date,
    revision: number,
  ): Promise<DoseRecord[]> {
    const filter = {
      ...selectionFilter(userId, { scheduleId, status: 'pending', from }),
      scheduleRevision: trusted({ $ne: revision }),
    };
    return (await model.find(filter).sort({ dueDate: 1, _id: 1 }).lean()).map(toDoseRecord);
  },

  /** All doses due from one instant (inclusive) to another (exclusive), earliest first. */
  async listBetween(userId: string, from: Date, before: Date): Promise<DoseRecord[]> {
    const rows = await model
      .find(selectionFilter(userId, { from, before }))
      .sort({ dueDate: 1, _id: 1 })
      .lean();
    return rows.map(toDoseRecord);
  },

  /** The planned part of pending doses due from one instant (inclusive) to another (exclusive), earliest first. */
  async futureOf(userId: string, from: Date, before: Date): Promise<PlannedDoseRecord[]> {
    const filter = selectionFilter(userId, { from, before, status: 'pending' });
    const query = model
      .find(filter, PLANNED_FIELDS)
      .sort({ dueDate: 1, _id: 1 })
      .hint({ ...STATUS_INDEX });
    return (await query.lean()).map(({ _id, ...rest }) => ({ id: _id, ...rest }));
  },
});

/** Doses that were taken, by the time they were taken. */
const readingTaken = (model: Model<DoseRow>) => {
  const filter = (userId: string, range: InstantRange) => ({
    userId,
    status: 'taken' as const,
    ...during('takenAt', range),
  });
  return {
    /** How many of the doses planned for `plannedFrom` or later were taken at or after an instant. */
    async countTakenAfter(userId: string, at: Date, plannedFrom: Date): Promise<number> {
      const after = { takenAt: trusted({ $gte: at }), dueDate: trusted({ $gte: plannedFrom }) };
      return await model.countDocuments({ userId, status: 'taken', ...after }).hint({ ...STATUS_INDEX });
    },

    async countTakenDuring(userId: string, range: InstantRange): Promise<number> {
      return await model.countDocuments(filter(userId, range)).hint({ ...STATUS_INDEX });
    },

    /** By due date, in batches: no index has them by the time they were taken. */
    streamTakenDuring(userId: string, range: InstantRange): AsyncIterable<DoseRecord[]> {
      const cursor = model
        .find(filter(userId, range))
        .sort({ dueDate: 1, _id: 1 })
        .hint({ ...STATUS_INDEX })
        .lean()
        .cursor(STREAMING);
      return inBatches(cursor, (row) => toDoseRecord(row as DoseRow));
    },
  };
};

type StockChecks = ReturnType<typeof createStockCheckRepository>;

const writing = (model: Model<DoseRow>, stockChecks: StockChecks) => ({
  /** Adds doses whose id does not exist yet; existing ones are left unchanged. */
  async createMany(userId: string, doses: readonly DoseRecord[]): Promise<void> {
    const rows = doses.map(({ id, ...rest }) => ({ _id: id, userId, ...rest }));
    await insertMissing(model, rows as DoseRow[]);
  },

  /**
   * Removes a schedule's pending doses due after an instant, or all pending ones.
   * @param keepRevision keeps doses created by this revision of the schedule
   */
  async deleteFuturePending(
    userId: string,
    scheduleId: string,
    after: Date | null,
    keepRevision?: number,
  ): Promise<void> {
    await removeInBatches(model, {
      userId,
      scheduleId,
      status: 'pending',
      ...(after !== null && { dueDate: trusted({ $gt: after }) }),
      ...(keepRevision !== undefined && { scheduleRevision: trusted({ $ne: keepRevision }) }),
    });
  },

  /** Removes a schedule's pending doses due from one instant (inclusive) to another (exclusive). */
  async deletePendingBetween(
    userId: string,
    scheduleId: string,
    { from, before }: { from: Date; before: Date },
  ): Promise<void> {
    await removeInBatches(model, selectionFilter(userId, { scheduleId, status: 'pending', from, before }));
  },

  async create(userId: string, { id, ...rest }: DoseRecord): Promise<void> {
    await model.create({ _id: id, userId, ...rest });
    await stockChecks.mark(userId);
  },

  /** Changes a dose. @returns the dose afterwards, or null when it is gone */
  async change(userId: string, id: string, changes: DoseChanges): Promise<DoseRecord | null> {
    const row = await model
      .findOneAndUpdate(
        { userId, _id: id },
        { $set: changes, $inc: { version: 1 } },
        { returnDocument: 'after' },
      )
      .lean();
    await stockChecks.mark(userId);
    return row === null ? null : toDoseRecord(row);
  },

  /**
   * Changes a pending dose whose missed time has come.
   * @returns the dose afterwards, or null when its owner was faster
   */
  async miss(userId: string, id: string, now: Date): Promise<DoseRecord | null> {
    const changes = { status: 'missed' as const, remindAt: null, remindClaimedUntil: null };
    const row = await model
      .findOneAndUpdate(
        { userId, _id: id, status: 'pending', missAt: trusted({ $lte: now }) },
        { $set: changes, $inc: { version: 1 } },
        { returnDocument: 'after' },
      )
      .lean();
    return row === null ? null : toDoseRecord(row);
  },

  async delete(userId: string, id: string): Promise<void> {
    await model.deleteOne({ userId, _id: id });
    await stockChecks.mark(userId);
  },
});

/** When the nearest doses of the same name were taken before and after a moment. */
interface Neighbours {
  before: Date | null;
  after: Date | null;
}

/** How much of a compound was taken, and when. */
export interface LoggedAmount {
  takenAt: Date;
  /** Decimal text in `unit`; for a blend, the requested component's amount. */
  amount: string;
  unit: DoseUnit;
}

/** The fields that say how much was taken. */
export const AMOUNT = {
  name: 1,
  takenAt: 1,
  actualDose: 1,
  doseAmount: 1,
  doseUnit: 1,
  dueDate: 1,
  blend: 1,
  drawn: 1,
} as const;

/** More doses of one compound than anybody takes in two weeks. */
const MOST_AMOUNTS = 1000;

/** @param nameKey for a blend: a component's name, or the blend's own name for the component the dose refers to */
export function toLoggedAmount(row: Pick<DoseRow, keyof typeof AMOUNT>, nameKey: string): LoggedAmount {
  const { takenAt, dueDate, doseUnit } = row;
  return { takenAt: takenAt ?? dueDate, amount: amountUnder(row, nameKey), unit: doseUnit };
}

/**
 * Filters for what was taken under a name: doses of that name, and blends that contain it. All of an owner's blends share
 * one index key, in the order in which they were taken, because our indexes cannot cover lists.
 */
export const takenUnder = (userId: string, nameKey: string) => [
  { userId, nameKey },
  { userId, nameKey: BLEND_KEY, nameKeys: nameKey },
];

/** Reads by each of these filters, one after the other, as an act has to. */
async function eachUnder<T>(
  userId: string,
  nameKey: string,
  read: (under: ReturnType<typeof takenUnder>[number]) => PromiseLike<T>,
): Promise<T[]> {
  const found: T[] = [];
  for (const under of takenUnder(userId, nameKey)) found.push(await read(under));
  return found;
}

const time = (at: Date | null | undefined): number => at?.getTime() ?? 0;

/** Merges lists that are each sorted by `takenAt`. */
export function inOrder<T extends { takenAt: Date | null }>(lists: readonly T[][], order: 1 | -1): T[] {
  return lists.flat().sort((a, b) => order * (time(a.takenAt) - time(b.takenAt)));
}

/** Sorts doses that were taken at the same instant, last one first. */
function lastRecordedFirst(
  a: Pick<DoseRow, '_id' | 'actedAt' | 'dueDate'>,
  b: Pick<DoseRow, '_id' | 'actedAt' | 'dueDate'>,
): number {
  return time(b.actedAt) - time(a.actedAt) || time(b.dueDate) - time(a.dueDate) || (a._id < b._id ? 1 : -1);
}

/** How much of a compound was taken, to detect unusual amounts. Always for one owner. */
const amounts = (model: Model<DoseRow>) => ({
  /** The amounts of the last doses of a name taken before a moment, newest first, except one dose. */
  async lastAmounts(
    userId: string,
    nameKey: string,
    before: Date,
    exceptId: string,
    limit: number,
  ): Promise<LoggedAmount[]> {
    const which = { takenAt: trusted({ $lte: before }), _id: trusted({ $ne: exceptId }) };
    const found = await eachUnder(userId, nameKey, (under) =>
      model
        .find({ ...under, ...which }, AMOUNT)
        .sort({ takenAt: -1 })
        .limit(limit)
        .lean(),
    );
    return inOrder(found, -1)
      .slice(0, limit)
      .map((row) => toLoggedAmount(row, nameKey));
  },

  /** The amounts of a name taken from one instant (inclusive) to another (exclusive), except one dose. */
  async amountsBetween(
    userId: string,
    nameKey: string,
    { from, before }: { from: Date; before: Date },
    exceptId: string,
  ): Promise<LoggedAmount[]> {
    const takenAt = trusted({ $gte: from, $lt: before });
    const found = await eachUnder(userId, nameKey, (under) =>
      model
        .find({ ...under, takenAt, _id: trusted({ $ne: exceptId }) }, AMOUNT)
        .sort({ takenAt: 1 })
        .limit(MOST_AMOUNTS)
        .lean(),
    );
    return inOrder(found, 1).map((row) => toLoggedAmount(row, nameKey));
  },
});

/** The last taken dose of a name, and what it drew. */
export type LastTaken = LoggedAmount & { draws: DoseDraw[]; syringe: SyringeChoice };

const LAST_TAKEN = { ...AMOUNT, actedAt: 1, draws: 1, syringe: 1 } as const;
type LastTakenRow = Pick<DoseRow, keyof typeof LAST_TAKEN | '_id'>;

/** Long enough to cover weekly doses, in ms; and more doses than most people take in that time. */
const LATELY_MS = 8 * DAY_MS;
const MOST_LATELY = 200;

const lastTakenFirst = (a: LastTakenRow, b: LastTakenRow): number =>
  time(b.takenAt) - time(a.takenAt) || lastRecordedFirst(a, b);

function lastTakenOf(row: LastTakenRow, nameKey: string): LastTaken {
  const draws = row.draws.map(({ compoundId, mg, component }) => ({ compoundId, mg, component }));
  // Before syringes could be chosen, every page used the default one's units.
  return { ...toLoggedAmount(row, nameKey), draws, syringe: row.syringe ?? DEFAULT_SYRINGE };
}

/** The last dose of one name taken up to a moment, however long ago; null if none. */
async function everTaken(
  model: Model<DoseRow>,
  userId: string,
  nameKey: string,
  upTo: Date,
): Promise<LastTakenRow | null> {
  const read = async (limit: number, at?: Date) => {
    const takenAt = at ?? trusted({ $lte: upTo });
    const lists: LastTakenRow[][] = [];
    // One after the other, because this may be part of a transaction.
    for (const under of takenUnder(userId, nameKey))
      lists.push(
        await model
          .find({ ...under, takenAt }, LAST_TAKEN)
          .sort({ takenAt: -1 })
          .limit(limit)
          .lean(),
      );
    return inOrder(lists, -1);
  };
  const [row] = (await rowsOfLatest(read, ({ takenAt }) => takenAt)).sort(lastRecordedFirst);
  return row ?? null;
}

/** What the next dose is compared with. Always for one owner. */
const comparing = (model: Model<DoseRow>) => ({
  /**
   * The last dose of each name taken up to a moment, with what it drew, by name key; null if none. If several were
   * taken at the same instant, the one recorded last counts, then the one due last, then the one with
   * the highest id. One index read finds recent doses, which for most owners is all that is needed.
   */
  async lastTaken(
    userId: string,
    nameKeys: readonly string[],
    upTo: Date,
  ): Promise<ReadonlyMap<string, LastTaken | null>> {
    if (nameKeys.length === 0) return new Map();
    const lately = await model
      .find(
        {
          userId,
          nameKey: trusted({ $in: [...nameKeys, BLEND_KEY] }),
          takenAt: trusted({ $gt: new Date(upTo.getTime() - LATELY_MS), $lte: upTo }),
        },
        { ...LAST_TAKEN, nameKey: 1, nameKeys: 1 },
      )
      .limit(MOST_LATELY)
      .lean();
    const known = lately.length < MOST_LATELY ? lately.sort(lastTakenFirst) : [];
    const found = new Map<string, LastTaken | null>();
    for (const key of nameKeys) {
      const isOf = ({ nameKey: own, nameKeys: held }: (typeof known)[number]) =>
        own === key || (own === BLEND_KEY && held?.includes(key) === true);
      const row = known.find(isOf) ?? (await everTaken(model, userId, key, upTo));
      found.set(key, row === null ? null : lastTakenOf(row, key));
    }
    return found;
  },
});

/** Logging doses: queries for Today and for changing a dose, always for one owner. */
function loggerOf(model: Model<DoseRow>) {
  /** The nearest taken dose of a name on one side. */
  async function neighbour(filter: object, order: 1 | -1): Promise<Date | null> {
    const row = await model.findOne(filter, { takenAt: 1 }).sort({ takenAt: order }).lean();
    return row?.takenAt ?? null;
  }

  return {
    /** The taken doses of a name around a moment, except one of them. */
    async neighbours(userId: string, nameKey: string, at: Date, exceptId: string): Promise<Neighbours> {
      const others = { _id: trusted({ $ne: exceptId }) };
      const nearest = async (takenAt: object, order: 1 | -1): Promise<Date | null> => {
        const found = await eachUnder(userId, nameKey, (under) =>
          neighbour({ ...under, ...others, takenAt }, order),
        );
        const times = found.filter((one) => one !== null).map((one) => order * one.getTime());
        return times.length === 0 ? null : new Date(order * Math.min(...times));
      };
      const before = await nearest(trusted({ $lte: at }), -1);
      return { before, after: await nearest(trusted({ $gt: at }), 1) };
    },

    /** Doses that their owner changed since an instant, latest change first. */
    async actedSince(userId: string, since: Date, limit: number): Promise<DoseRecord[]> {
      const filter = { userId, actedAt: trusted({ $gte: since }) };
      const rows = await model.find(filter).sort({ actedAt: -1 }).limit(limit).lean();
      return rows.map(toDoseRecord);
    },
  };
}

/** What doses are counted by. */
export type CountedBy = 'localDay' | 'scheduleId' | 'name';

/** The status for adherence: a dose taken far from its time counts as missed. */
export const COUNTED_STATUS = { $cond: [{ $eq: ['$offTime', true] }, 'missed', '$status'] };

/** Planned doses: the ones that count in adherence. */
export const PLANNED = { scheduleId: { $ne: null }, asNeeded: { $ne: true } };

/** Local days, both inclusive. */
interface DayRange {
  first: string;
  last: string;
}

const DAY_BEGINS = 'T00:00:00Z';

/**
 * Matches doses of some local days that are already due. Its bounds of due dates are those of the days in any zone (UTC+14 to
 * UTC-12) and a few hours more, so that the index of due dates is read for these days only.
 */
export const dueOnDays = ({ first, last }: DayRange, now: Date) => {
  const from = new Date(Date.parse(`${first}${DAY_BEGINS}`) - DAY_MS);
  const to = new Date(Date.parse(`${last}${DAY_BEGINS}`) + 2 * DAY_MS);
  return { localDay: { $gte: first, $lte: last }, dueDate: { $gte: from, $lte: to < now ? to : now } };
};

/** Counts over doses, always for one owner. The cost depends only on the doses of those days. */
function counting(model: Model<DoseRow>) {
  return {
    /** Counts doses that are already due by status, per day, schedule or name. */
    async countBy(userId: string, days: DayRange, by: CountedBy, now: Date): Promise<StatusCount[]> {
      const rows = await model.aggregate<{ _id: { key: string | null; status: DoseStatus }; count: number }>([
        { $match: { userId, ...dueOnDays(days, now), ...PLANNED } },
        { $group: { _id: { key: `$${by}`, status: COUNTED_STATUS }, count: { $sum: 1 } } },
      ]);
      return rows.map(({ _id, count }) => ({ key: _id.key ?? '', status: _id.status, count }));
    },

    /** Statuses of planned doses that are already due, latest first, up to a limit. */
    async latestStatuses(userId: string, now: Date, limit: number): Promise<DoseStatus[]> {
      const planned = { scheduleId: trusted({ $ne: null }), asNeeded: trusted({ $ne: true }) };
      const filter = { userId, dueDate: trusted({ $lte: now }), ...planned };
      const rows = await model
        .find(filter, { status: 1, offTime: 1 })
        .sort({ dueDate: -1, _id: -1 })
        .limit(limit)
        .lean();
      return rows.map(({ status, offTime }) => (offTime ? 'missed' : status));
    },
  };
}

/** A dose with its owner, for the worker. */
export interface OwnedDose {
  userId: string;
  dose: DoseRecord;
}

const owned = (row: DoseRow): OwnedDose => ({ userId: row.userId, dose: toDoseRecord(row) });

/** All accounts' doses, for the worker. Changes name the owner and apply only to the state that was read. */
function sweeperOf(model: Model<DoseRow>) {
  return {
    /** Some of the pending doses due up to an instant whose missed time has not been calculated yet; none if there are none. */
    async chooseUntimed(dueUpTo: Date, size: number): Promise<OwnedDose[]> {
      const free = { status: 'pending' as const, missAt: null, dueDate: trusted({ $lte: dueUpTo }) };
      return (await chooseBatch<DoseRow>(model, { free, sort: { dueDate: 1 }, size })).map(owned);
    },

    /** Some of the pending doses that have become missed by an instant; none if there are none. */
    async chooseMissed(now: Date, size: number): Promise<OwnedDose[]> {
      const free = { status: 'pending' as const, missAt: trusted({ $lte: now }) };
      return (await chooseBatch<DoseRow>(model, { free, sort: { missAt: 1 }, size })).map(owned);
    },

    /** Records when pending doses become missed. */
    async setMissTimes(times: readonly { userId: string; id: string; missAt: Date }[]): Promise<void> {
      if (times.length === 0) return;
      await model.bulkWrite(
        times.map(({ userId, id, missAt }) => ({
          updateOne: {
            filter: { userId, _id: id, status: 'pending' },
            update: { $set: { missAt } },
            ...QUIETLY,
          },
        })),
        { ordered: false },
      );
    },

    /** Clears the missed times of pending doses, because their owner has changed the setting. */
    async forgetMissTimes(userId: string): Promise<void> {
      const timed = { userId, status: 'pending' as const, missAt: trusted({ $gt: new Date(0) }) };
      await model.updateMany(timed, { $unset: { missAt: 1 } }, QUIETLY);
    },
  };
}

/** Ids per query. */
const IDS_AT_ONCE = 500;

/** Doses by the vials that they were drawn from. The cost depends only on the doses of those vials. */
function drawn(model: Model<DoseRow>, draws: DoseDraws) {
  const byIds = (userId: string, ids: readonly string[]) => ({
    userId,
    _id: trusted({ $in: [...ids] }),
    status: 'taken' as const,
  });

  /** The taken doses drawn from any of these vials, latest first. */
  async function placesOf(userId: string, vialIds: readonly string[]): Promise<{ id: string; at: number }[]> {
    const candidates = await draws.dosesOf(userId, vialIds);
    const vials = new Set(vialIds);
    const found: { id: string; at: number }[] = [];
    for (let from = 0; from < candidates.length; from += IDS_AT_ONCE) {
      const ids = candidates.slice(from, from + IDS_AT_ONCE);
      const rows = await model.find(byIds(userId, ids), { draws: 1, takenAt: 1, dueDate: 1 }).lean();
      for (const { _id, draws: own, takenAt, dueDate } of rows)
        if (own.some(({ compoundId }) => vials.has(compoundId)))
          found.push({ id: _id, at: (takenAt ?? dueDate).getTime() });
    }
    return found.sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1));
  }

  /** The doses with these ids, in that order. */
  async function inOrder(userId: string, ids: readonly string[]): Promise<DoseRecord[]> {
    const rows = new Map((await model.find(byIds(userId, ids)).lean()).map((row) => [row._id, row]));
    return ids.flatMap((id) => {
      const row = rows.get(id);
      return row === undefined ? [] : [toDoseRecord(row)];
    });
  }

  return {
    /**
     * Part of the taken doses drawn from any of these vials, latest first, and their total count.
     * @param part `after`: when the dose before was taken (or due), and its id
     */
    async listDrawnFrom(
      userId: string,
      vialIds: readonly string[],
      { skip, limit, after }: ListPart,
    ): Promise<{ doses: DoseRecord[]; total: number }> {
      const places = await placesOf(userId, vialIds);
      const [last, lastId] = [Number(after?.[0]), String(after?.[1])];
      const isBeyond = ({ at, id }: { at: number; id: string }) => at < last || (at === last && id < lastId);
      const rest = after === undefined ? places : places.filter(isBeyond);
      const ids = rest.slice(skip, skip + limit).map(({ id }) => id);
      return { doses: await inOrder(userId, ids), total: places.length };
    },

    /** All of them, in batches. */
    async *streamDrawnFrom(userId: string, vialIds: readonly string[]): AsyncGenerator<DoseRecord[]> {
      const ids = (await placesOf(userId, vialIds)).map(({ id }) => id);
      for (let from = 0; from < ids.length; from += IDS_AT_ONCE)
        yield await inOrder(userId, ids.slice(from, from + IDS_AT_ONCE));
    },

    /** Records which vials doses that are being taken are drawn from. */
    addDraws: (userId: string, doses: readonly DoseRecord[]): Promise<void> =>
      draws.add(
        userId,
        doses.map(({ id: doseId, round, draws: own }) => ({ doseId, round, draws: own })),
      ),

    /** Removes that record when the dose is undone. */
    removeDraws: (userId: string, { id, round }: DoseRecord): Promise<void> =>
      draws.remove(userId, id, round),
  };
}

export function createDoseRepository(connection: Connection) {
  const model = modelOf<DoseRow>(connection, 'Dose', doseSchema);
  const draws = createDoseDrawRepository(connection);
  return {
    ...readerOf(model),
    ...readingTaken(model),
    ...writing(model, createStockCheckRepository(connection)),
    ...loggerOf(model),
    ...amounts(model),
    ...comparing(model),
    ...counting(model),
    ...drawn(model, draws),
    ...sweeperOf(model),
  };
}

/** When doses were taken, for calculations. Every call names the owner. */
export function createTakenDosesRepository(connection: Connection) {
  const model = modelOf<DoseRow>(connection, 'Dose', doseSchema);
  return {
    /** When doses due before an instant were taken, oldest first. */
    async takenTimes(userId: string, dueBefore: Date, dueFrom = new Date(0)): Promise<Date[]> {
      const due = trusted({ $gte: dueFrom, $lt: dueBefore });
      const rows = await model.find({ userId, status: 'taken', dueDate: due }, { takenAt: 1 }).lean();
      return rows
        .flatMap(({ takenAt }) => (takenAt === null ? [] : [takenAt]))
        .sort((a, b) => a.getTime() - b.getTime());
    },

    /** The most recently taken doses, to choose one from. */
    async lastTaken(
      userId: string,
      limit: number,
    ): Promise<(Pick<DoseRow, 'name' | 'takenAt'> & { id: string })[]> {
      const rows = await model
        .find({ userId, status: 'taken' }, { name: 1, takenAt: 1 })
        .sort({ dueDate: -1 })
        .limit(limit)
        .lean();
      return rows.map(({ _id, name, takenAt }) => ({ id: _id, name, takenAt }));
    },
  };
}

/** A pending dose whose due reminder a worker has claimed. */
export interface RemindableDose extends Pick<
  DoseRow,
  | 'userId'
  | 'scheduleId'
  | 'name'
  | 'dueDate'
  | 'timeZone'
  | 'doseAmount'
  | 'doseUnit'
  | 'blend'
  | 'status'
  | 'remindCount'
> {
  id: string;
  step: ReminderStep;
}

/** A dose's next reminder; null if none. */
export interface ReminderMove {
  userId: string;
  id: string;
  next: ReminderStep | null;
}

function toRemindable(row: DoseRow): RemindableDose {
  const { _id, userId, scheduleId, name, dueDate, timeZone, doseAmount, doseUnit, status, remindCount } = row;
  const { blend } = row;
  const step = { at: row.remindAt ?? dueDate, stage: row.remindStage };
  return {
    id: _id,
    userId,
    scheduleId,
    name,
    dueDate,
    timeZone,
    doseAmount,
    doseUnit,
    ...(blend && { blend }),
    status,
    remindCount,
    step,
  };
}

/** For a dose without further reminders. */
const NO_REMINDER = { remindAt: null };
const planned = (next: ReminderStep | null) =>
  next === null ? NO_REMINDER : { remindAt: next.at, remindStage: next.stage };

/** When to remind people of doses. */
export function createDoseRemindingRepository(connection: Connection) {
  const model = modelOf<DoseRow>(connection, 'Dose', doseSchema);
  return {
    /** Claims, until an instant, doses whose reminder is due. */
    async claim(now: Date, until: Date, mark: string, size: number): Promise<RemindableDose[]> {
      const rows = await claimBatch<DoseRow>(model, {
        free: { remindAt: trusted({ $lte: now }), remindClaimedUntil: trusted({ $not: { $gt: now } }) },
        sort: { remindAt: 1 },
        take: { $set: { remindClaim: mark, remindClaimedUntil: until } },
        taken: { remindClaim: mark },
        size,
      });
      return rows.map(toRemindable);
    },

    /** Claims further pending doses for the same worker, except those that another one holds. */
    async join(
      now: Date,
      until: Date,
      mark: string,
      doses: readonly { userId: string; id: string }[],
    ): Promise<void> {
      if (doses.length === 0) return;
      await model.bulkWrite(
        doses.map(({ userId, id }) => ({
          updateOne: {
            filter: {
              userId,
              _id: id,
              status: 'pending',
              remindClaimedUntil: trusted({ $not: { $gt: now } }),
            },
            update: { $set: { remindClaim: mark, remindClaimedUntil: until } },
            ...QUIETLY,
          },
        })),
        { ordered: false },
      );
    },

    /** Plans the next reminder of doses that this worker still holds, and releases them. */
    async move(mark: string, moves: readonly ReminderMove[]): Promise<void> {
      if (moves.length === 0) return;
      await model.bulkWrite(
        moves.map(({ userId, id, next }) => ({
          updateOne: {
            filter: { userId, _id: id, remindClaim: mark },
            update: {
              $set: { ...planned(next), remindClaim: null, remindClaimedUntil: null },
              $inc: { remindCount: 1 },
            },
            ...QUIETLY,
          },
        })),
        { ordered: false },
      );
    },

    /** Puts a pending dose's reminder off. @returns whether the dose is still pending */
    async snooze(userId: string, id: string, step: ReminderStep): Promise<boolean> {
      const { matchedCount } = await model.updateOne(
        { userId, _id: id, status: 'pending' },
        { $set: { ...planned(step), remindClaim: null, remindClaimedUntil: null } },
        QUIETLY,
      );
      return matchedCount === 1;
    },

    /** Which of these doses are pending, and when each was last moved. */
    async pendingAmong(userId: string, ids: readonly string[]): Promise<Map<string, Date | null>> {
      const rows = await model
        .find({ userId, _id: trusted({ $in: [...ids] }), status: 'pending' }, { _id: 1, movedAt: 1 })
        .lean();
      return new Map(rows.map(({ _id, movedAt }) => [_id, movedAt ?? null]));
    },

    /** How many due reminders have not been created yet, and how old the oldest is. */
    async backlog(now: Date): Promise<{ waiting: number; oldestAt: Date | null }> {
      const due = { remindAt: trusted({ $lte: now }) };
      const waiting = await model.countDocuments(due);
      const first = await model.findOne(due, { remindAt: 1 }).sort({ remindAt: 1 }).lean();
      return { waiting, oldestAt: first?.remindAt ?? null };
    },
  };
}

/** Adds many taken doses at once. */
export function createDoseImport(connection: Connection) {
  const model = modelOf<DoseRow>(connection, 'Dose', doseSchema);
  const rows = importedRows(model, { version: 0 }, createStockCheckRepository(connection).mark);
  return {
    ...rows,
    /** @param batch each with other ids that its owner may have it under */
    async createMissing(
      importId: string,
      userId: string,
      batch: readonly { dose: DoseRecord; knownAs: readonly string[] }[],
    ): Promise<void> {
      const newRows = batch.map(({ dose: { id, ...dose }, knownAs }) => ({
        row: { _id: id, userId, ...dose, remindClaim: null, importId },
        knownAs,
      }));
      await rows.add(userId, newRows);
    },
  };
}
