import type { DoseUnit } from '#app/domain/calculator/calculation.ts';
import type { ScheduleMove, PlannedPause, ScheduleSwap } from '#app/domain/schedules/plan-changes.ts';
import { Schema, trusted, type Connection, type QueryFilter } from 'mongoose';
import { hasTimes, type Course, type Frequency, type Ramp } from '#app/domain/schedules/schedule-rule.ts';
import {
  scheduleDetails,
  scheduleDetailsOf,
  type ScheduleDetails,
} from '#app/domain/schedules/schedule-schema.ts';
import { removeInBatches } from '../store/writes.server.ts';
import { modelOf, textColumns } from '../store/model-of.server.ts';
import { changedSince, inBatches, rangesBeyond, readRanges, STREAMING } from '../store/queries.server.ts';
import type { Blend } from '#app/domain/vials/contents.ts';
import { blendSchema, doseSchema, type DoseRow, type DoseStatus } from '../doses/dose.server.ts';
import { importedRows, type ListPart } from '../store/owned-rows.server.ts';
import { createStockCheckRepository } from '../reminders/stock-check.server.ts';
import { claimOne } from '../store/work-queue.server.ts';

/** A document of `schedules`. */
interface ScheduleRow extends ScheduleDetails {
  _id: string;
  userId: string;
  name: string;
  /** Preferred vial. */
  compoundId: string | null;
  /** For a blend: its components, and which of them the dose refers to. */
  blend?: Blend | null;
  /** Decimal text in `doseUnit`. */
  doseAmount: string;
  doseUnit: DoseUnit;
  frequency: Frequency;
  /** `HH:mm` in the schedule's zone. */
  times: string[];
  /** If it counts from the last dose: when the first dose is due. */
  firstDueAt?: Date | null;
  /** When it was resumed or imported. If it counts from the last dose, no dose is due before. */
  resumedAt?: Date;
  /** IANA name. */
  timeZone: string;
  /** Calendar days YYYY-MM-DD, both inclusive. */
  startDate: string;
  endDate: string | null;
  reminderLeadMinutes: number;
  ramp: Ramp | null;
  course: Course | null;
  /** Doses moved from their planned time, latest change last. */
  moves?: ScheduleMove[] | null;
  /** Days without doses, in order. */
  pauses?: PlannedPause[] | null;
  /** The last day of the last pause, stored separately because the embedded engine cannot index arrays. */
  restsUntil?: string | null;
  /** Changes of compound, vial and dose from a day on, in order. */
  swaps?: ScheduleSwap[] | null;
  /** It ends when its vial is empty or discarded. */
  endsWithVial?: boolean;
  /** When that vial was used up; null before. */
  stopsAt?: Date | null;
  isActive: boolean;
  nextDoseDate: Date | null;
  /** When the last dose was taken. */
  lastDoseDate: Date | null;
  /** When the last dose was taken before it was imported; those doses are not stored here. */
  lastDoseBefore?: Date | null;
  /** The import that added it. */
  importId?: string;
  createdAt: Date;
  updatedAt: Date;
  /** Incremented by every change that affects its doses; doses store the revision that created them. */
  revision: number;
  /** Doses due before this instant have been created. */
  madeUntil: Date;
  /** From when its past doses are still to be created; absent when they are. */
  pastFrom?: Date | null;
  /** Until when a worker has claimed it to generate its doses. */
  claimedUntil: Date | null;
  /** The zone in which the owner chose to keep the schedule's own time. */
  keptIn: string | null;
}

const text = { type: String, required: true } as const;
const optionalText = { type: String, default: null } as const;
const optionalDate = { type: Date, default: null } as const;

const frequencySchema = new Schema(
  {
    kind: text,
    weekdays: { type: [String], default: undefined },
    every: Number,
    on: Number,
    off: Number,
    day: Schema.Types.Mixed,
    everyHours: Number,
    minGapHours: Number,
    maxPerDay: Number,
  },
  { _id: false },
);
const rampSchema = new Schema(
  { start: text, step: text, everyWeeks: { type: Number, required: true }, target: text },
  { _id: false },
);
const courseSchema = new Schema(
  { weeksOn: { type: Number, required: true }, weeksOff: { type: Number, required: true } },
  { _id: false },
);

const moveSchema = new Schema<ScheduleMove>(
  {
    id: text,
    key: text,
    scope: text,
    from: { type: Date, required: true },
    to: { type: Date, required: true },
    days: { type: Number, default: 0 },
    minutes: { type: Number, default: 0 },
    doseAmount: optionalText,
    madeAt: { type: Date, required: true },
    undoneAt: optionalDate,
  },
  { _id: false },
);

const pauseSchema = new Schema<PlannedPause>({ firstDay: text, lastDay: text }, { _id: false });

const swapSchema = new Schema<ScheduleSwap>(
  {
    id: text,
    fromDay: text,
    name: text,
    compoundId: optionalText,
    blend: blendSchema,
    doseAmount: optionalText,
    madeAt: { type: Date, required: true },
  },
  { _id: false },
);

const scheduleSchema = new Schema<ScheduleRow>(
  {
    _id: text,
    userId: text,
    name: text,
    compoundId: optionalText,
    blend: blendSchema,
    doseAmount: text,
    doseUnit: text,
    frequency: { type: frequencySchema, required: true },
    times: { type: [String], required: true },
    firstDueAt: Date,
    resumedAt: Date,
    timeZone: text,
    startDate: text,
    endDate: optionalText,
    ...textColumns(scheduleDetails),
    reminderLeadMinutes: { type: Number, default: 0 },
    ramp: { type: rampSchema, default: null },
    course: { type: courseSchema, default: null },
    moves: { type: [moveSchema], default: undefined },
    pauses: { type: [pauseSchema], default: undefined },
    restsUntil: String,
    swaps: { type: [swapSchema], default: undefined },
    endsWithVial: Boolean,
    stopsAt: Date,
    isActive: { type: Boolean, required: true },
    nextDoseDate: optionalDate,
    lastDoseDate: optionalDate,
    lastDoseBefore: Date,
    importId: String,
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
    revision: { type: Number, required: true },
    madeUntil: { type: Date, required: true },
    pastFrom: Date,
    claimedUntil: optionalDate,
    keptIn: optionalText,
  },
  { collection: 'schedules' },
);

/** The fields of {@link ScheduleZone}, in sort order. */
const ZONE_SORT = { isActive: 1, timeZone: 1, keptIn: 1, 'frequency.kind': 1 } as const;

scheduleSchema.index({ userId: 1, createdAt: -1, _id: -1 });
scheduleSchema.index({ userId: 1, startDate: 1, _id: 1 });
// As-needed schedules, for Today.
scheduleSchema.index({ userId: 1, 'frequency.kind': 1, createdAt: -1, _id: -1 });
// Schedules with current or future pauses, for Today and the calendar.
scheduleSchema.index({ userId: 1, restsUntil: 1 });
// Schedules that end with a vial, for when one is used up.
scheduleSchema.index({ userId: 1, endsWithVial: 1 });
// Time zones of active schedules, for Today.
scheduleSchema.index({ userId: 1, ...ZONE_SORT });
// For the step that creates doses ahead.
scheduleSchema.index({ isActive: 1, madeUntil: 1 });

export interface ScheduleRecord extends Omit<ScheduleRow, '_id' | 'importId' | 'restsUntil'> {
  id: string;
}

/** What may change about a schedule; identity and revision may not. */
export type ScheduleChanges = Partial<Omit<ScheduleRecord, 'id' | 'userId' | 'revision'>>;

/** Details that the row lacks are null. */
function toRecord({ _id, importId: _import, restsUntil: _rests, ...rest }: ScheduleRow): ScheduleRecord {
  return { id: _id, ...rest, ...scheduleDetailsOf(rest) };
}

/** The field to store along with changed pauses. */
const restOf = ({ pauses }: ScheduleChanges): Pick<ScheduleRow, 'restsUntil'> =>
  pauses === undefined ? {} : { restsUntil: pauses?.at(-1)?.lastDay ?? null };

const byStart = (userId: string, from: string | null, to: string | null): QueryFilter<ScheduleRow> => {
  const days = { ...(from !== null && { $gte: from }), ...(to !== null && { $lte: to }) };
  return { userId, ...(Object.keys(days).length > 0 && { startDate: trusted(days) }) };
};

/** A time zone of schedules, and the zone in which their owner chose to keep it, if any. */
export interface ScheduleZone {
  timeZone: string;
  keptIn: string | null;
}

type ZoneRow = Pick<ScheduleRow, 'timeZone' | 'keptIn' | 'frequency'>;

/** Rows read before skipping to the next distinct one; most accounts have fewer. */
const ZONES_AT_ONCE = 50;

/** The rows after one that differ in kind, `keptIn` or zone, in the order of {@link ZONE_SORT}. */
const beyondZone = ({ timeZone, keptIn, frequency }: ZoneRow): QueryFilter<ScheduleRow>[] => [
  { timeZone, keptIn, 'frequency.kind': trusted({ $gt: frequency.kind }) },
  // In a query nothing is greater than null, but every zone is greater than an empty text.
  { timeZone, keptIn: trusted({ $gt: keptIn ?? '' }) },
  { timeZone: trusted({ $gt: timeZone }) },
];

/** The distinct zones of schedules with fixed times. @param known zones found before */
function zonesOf(rows: readonly ZoneRow[], known: readonly ScheduleZone[] = []): ScheduleZone[] {
  const byClock = rows.filter(({ frequency }) => hasTimes(frequency));
  const zones = [...known, ...byClock.map(({ timeZone, keptIn = null }) => ({ timeZone, keptIn }))];
  return [...new Map(zones.map((zone) => [`${zone.timeZone} ${zone.keptIn ?? ''}`, zone])).values()];
}

const NEWEST_FIRST = { createdAt: -1, _id: -1 } as const;

/** Schedules whose doses are not generated up to an instant, and that no worker is at. */
const unmadeAt = (madeBefore: Date, now: Date) => ({
  isActive: true,
  madeUntil: trusted({ $lt: madeBefore }),
  claimedUntil: trusted({ $not: { $gt: now } }),
});

/** Schedules. Every call names the owner, except in the step that creates doses ahead. */
export function createScheduleRepository(connection: Connection) {
  const model = modelOf<ScheduleRow>(connection, 'Schedule', scheduleSchema);
  const stockChecks = createStockCheckRepository(connection);
  return {
    async find(userId: string, id: string): Promise<ScheduleRecord | null> {
      const row = await model.findOne({ userId, _id: id }).lean();
      return row === null ? null : toRecord(row);
    },

    /** The newest first. */
    async list(userId: string, skip: number, limit: number): Promise<ScheduleRecord[]> {
      const rows = await model
        .find({ userId })
        .sort({ createdAt: -1, _id: -1 })
        .skip(skip)
        .limit(limit)
        .lean();
      return rows.map(toRecord);
    },

    /** Part of the list, newest first; only what was added or changed at an instant or later, if given. */
    async page(userId: string, since: Date | undefined, part: ListPart): Promise<ScheduleRecord[]> {
      const { skip, limit, after } = part;
      const ranges = after === undefined ? [{}] : rangesBeyond(Object.entries(NEWEST_FIRST), after, false);
      const rows = await readRanges(ranges, limit, (range, most) =>
        model
          .find({ userId, ...range, ...changedSince(since) })
          .sort(NEWEST_FIRST)
          .skip(skip)
          .limit(most)
          .lean(),
      );
      return rows.map(toRecord);
    },

    /** As-needed schedules, newest first. */
    async listAsNeeded(userId: string, limit: number): Promise<ScheduleRecord[]> {
      const filter = { userId, 'frequency.kind': 'as-needed' as const };
      return (await model.find(filter).sort({ createdAt: -1, _id: -1 }).limit(limit).lean()).map(toRecord);
    },

    async count(userId: string, since?: Date): Promise<number> {
      return model.countDocuments({ userId, ...changedSince(since) });
    },

    /** Schedules with a planned pause that ends on a day (YYYY-MM-DD) or later, up to a limit. */
    async listResting(userId: string, fromDay: string, limit: number): Promise<ScheduleRecord[]> {
      const filter = { userId, restsUntil: trusted({ $gte: fromDay }) };
      return (await model.find(filter).sort({ _id: 1 }).limit(limit).lean()).map(toRecord);
    },

    /** Schedules that end with a vial. */
    async listEndingWithVial(userId: string): Promise<ScheduleRecord[]> {
      return (await model.find({ userId, endsWithVial: true }).sort({ _id: 1 }).lean()).map(toRecord);
    },

    /** All active schedules, for looking further ahead than doses have been created. */
    async listActive(userId: string): Promise<ScheduleRecord[]> {
      return (await model.find({ userId, isActive: true }).sort({ createdAt: -1, _id: -1 }).lean()).map(
        toRecord,
      );
    },

    /** The distinct zones of active schedules with fixed times. */
    async listActiveZones(userId: string): Promise<ScheduleZone[]> {
      let zones: ScheduleZone[] = [];
      let ranges: QueryFilter<ScheduleRow>[] = [{}];
      for (;;) {
        const rows: ZoneRow[] = await readRanges(ranges, ZONES_AT_ONCE, (range, limit) =>
          model
            .find({ userId, isActive: true, ...range }, { timeZone: 1, keptIn: 1, frequency: 1 })
            .sort(ZONE_SORT)
            .limit(limit)
            .lean(),
        );
        zones = zonesOf(rows, zones);
        const last = rows.at(-1);
        if (last === undefined || rows.length < ZONES_AT_ONCE) return zones;
        ranges = beyondZone({ ...last, keptIn: last.keptIn ?? null });
      }
    },

    /** How many start from one day to another, both inclusive; null is open. */
    async countStarting(userId: string, from: string | null, to: string | null): Promise<number> {
      return model.countDocuments(byStart(userId, from, to));
    },

    /** The same schedules by start date, in batches. */
    streamStarting(userId: string, from: string | null, to: string | null): AsyncIterable<ScheduleRecord[]> {
      const cursor = model
        .find(byStart(userId, from, to))
        .sort({ startDate: 1, _id: 1 })
        .lean()
        .cursor(STREAMING);
      return inBatches(cursor, (row) => toRecord(row as ScheduleRow));
    },

    async create({ id, ...rest }: ScheduleRecord): Promise<void> {
      await model.create({ _id: id, ...rest, ...restOf(rest) });
      await stockChecks.mark(rest.userId);
    },

    /**
     * Changes fields that affect its doses; increments the revision.
     * @returns the schedule afterwards, or null when it is gone
     */
    async revise(userId: string, id: string, changes: ScheduleChanges): Promise<ScheduleRecord | null> {
      const row = await model
        .findOneAndUpdate(
          { userId, _id: id },
          { $set: { ...changes, ...restOf(changes) }, $inc: { revision: 1 } },
          { returnDocument: 'after' },
        )
        .lean();
      await stockChecks.mark(userId);
      return row === null ? null : toRecord(row);
    },

    /** Changes fields that do not affect its doses. */
    async set(userId: string, id: string, changes: ScheduleChanges): Promise<void> {
      await model.updateOne({ userId, _id: id }, { $set: changes });
    },

    async delete(userId: string, id: string): Promise<boolean> {
      await stockChecks.mark(userId);
      return (await model.deleteOne({ userId, _id: id })).deletedCount === 1;
    },

    /**
     * How many schedules, of all accounts, wait for their doses up to an instant, and since when the first one does.
     */
    async backlog(madeBefore: Date, now: Date): Promise<{ waiting: number; oldestAt: Date | null }> {
      const unmade = unmadeAt(madeBefore, now);
      const waiting = await model.countDocuments(unmade);
      const first = await model.findOne(unmade, { madeUntil: 1 }).sort({ madeUntil: 1 }).lean();
      const ahead = madeBefore.getTime() - now.getTime();
      return { waiting, oldestAt: first === null ? null : new Date(first.madeUntil.getTime() - ahead) };
    },

    /**
     * Claims a schedule, of any account, whose doses have not been created up to an instant.
     * @param until when the claim ends
     */
    async claimUnmade(madeBefore: Date, now: Date, until: Date): Promise<ScheduleRecord | null> {
      const row = await claimOne<ScheduleRow>(model, {
        free: unmadeAt(madeBefore, now),
        sort: { madeUntil: 1 },
        take: { $set: { claimedUntil: until } },
      });
      return row === null ? null : toRecord(row);
    },
  };
}

type ScheduleRepository = ReturnType<typeof createScheduleRepository>;

/** The lists of an owner's schedules that pages need. */
type ScheduleLists = Pick<
  ScheduleRepository,
  'list' | 'listActive' | 'listActiveZones' | 'listAsNeeded' | 'listResting'
>;

type AfterOwner<List extends keyof ScheduleLists> =
  Parameters<ScheduleLists[List]> extends [string, ...infer Rest] ? Rest : never;

/** The same lists, derived from all of the owner's schedules, newest first. */
const LISTS_OF_ALL: {
  [List in keyof ScheduleLists]: (
    all: readonly ScheduleRecord[],
    ...rest: AfterOwner<List>
  ) => Awaited<ReturnType<ScheduleLists[List]>>;
} = {
  list: (all, skip, limit) => all.slice(skip, skip + limit),
  listActive: (all) => all.filter(({ isActive }) => isActive),
  listActiveZones: (all) => zonesOf(all.filter(({ isActive }) => isActive)),
  listAsNeeded: (all, limit) => all.filter(({ frequency }) => frequency.kind === 'as-needed').slice(0, limit),
  listResting: (all, fromDay, limit) =>
    all
      .filter((schedule) => (restOf(schedule).restsUntil ?? '') >= fromDay)
      .sort((a, b) => (a.id < b.id ? -1 : 1))
      .slice(0, limit),
};

/**
 * Lists of one owner's schedules, for pages that show several of them and change nothing: the first call reads all
 * schedules, and every list is derived from them. If there are more than `most`, each list is read by its index.
 */
export function schedulesAtOnce(schedules: ScheduleRepository, ownerId: string, most: number): ScheduleLists {
  let reading: Promise<ScheduleRecord[]> | undefined;
  type Read = (userId: string, ...rest: unknown[]) => Promise<unknown>;
  type Make = (all: readonly ScheduleRecord[], ...rest: unknown[]) => unknown;
  const lists = Object.entries(LISTS_OF_ALL as Record<string, Make>).map(([name, make]) => {
    const read = schedules[name as keyof ScheduleLists] as Read;
    const list: Read = async (userId, ...rest) => {
      if (userId !== ownerId) return read(userId, ...rest);
      const all = await (reading ??= schedules.list(ownerId, 0, most + 1));
      return all.length > most ? read(userId, ...rest) : make(all, ...rest);
    };
    return [name, list];
  });
  return Object.fromEntries(lists) as ScheduleLists;
}

/** Adds many schedules at once. The caller creates their doses, as for any other schedule. */
export function createScheduleImport(connection: Connection) {
  const model = modelOf<ScheduleRow>(connection, 'Schedule', scheduleSchema);
  const doses = modelOf<DoseRow>(connection, 'Dose', doseSchema);
  const stockChecks = createStockCheckRepository(connection);
  const { owned, taken, countImported, add } = importedRows(model, {}, stockChecks.mark);
  const pending: DoseStatus[] = ['pending', 'missed'];

  async function isInUse(userId: string, scheduleId: string): Promise<boolean> {
    const acted = await doses.findOne({ userId, scheduleId, status: trusted({ $nin: pending }) }, { _id: 1 });
    return acted !== null;
  }

  async function remove(userId: string, importId: string, id: string): Promise<void> {
    const gone = await model.deleteOne({ userId, _id: id, importId, revision: 1 });
    if (gone.deletedCount === 1)
      await removeInBatches(doses, {
        userId,
        scheduleId: id,
        status: trusted({ $in: pending }),
      });
  }

  return {
    owned,
    taken,
    countImported,

    async createMissing(
      importId: string,
      userId: string,
      batch: readonly { schedule: ScheduleRecord; knownAs: readonly string[] }[],
    ): Promise<void> {
      const rows = batch.map(({ schedule: { id, ...rest }, knownAs }) => ({
        row: { _id: id, ...rest, ...restOf(rest), importId },
        knownAs,
      }));
      await add(userId, rows);
    },

    /** Which of these schedules an import added. */
    async listAdded(userId: string, importId: string, ids: readonly string[]): Promise<string[]> {
      const filter = { userId, _id: trusted({ $in: [...ids] }), importId };
      return (await model.find(filter, { _id: 1 }).lean()).map(({ _id }) => _id);
    },

    /** Removes imported schedules that are unchanged and have no taken or skipped doses. @returns how many stay */
    async deleteImported(userId: string, importId: string): Promise<number> {
      const rows = await model.find({ userId, importId, revision: 1 }, { _id: 1 }).lean();
      await stockChecks.mark(userId);
      for (const { _id } of rows) if (!(await isInUse(userId, _id))) await remove(userId, importId, _id);
      return model.countDocuments({ userId, importId });
    },
  };
}
