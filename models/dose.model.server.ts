import { Schema } from 'mongoose';
import type { DoseBefore } from '#app/domain/doses/dose-transitions.ts';
import type { DoseStatus } from '#app/domain/doses/dose-status.ts';
import type { ScheduleDoseUnit } from '#app/domain/schedules/schedule-types.ts';

export type { DoseStatus };
export type RemindStage = 'upcoming' | 'due' | 'overdue';

/** What a dose took out of a vial: decimal text in mg. */
export interface DoseDraw {
  compoundId: string;
  mg: string;
}

/** A document of `doses`. */
export interface DoseRow {
  /** Follows from schedule, local day and wall time, so that two makers make one; fresh for a dose without a schedule. */
  _id: string;
  userId: string;
  scheduleId: string | null;
  /** Revision of the schedule it was made by; 0 without a schedule. */
  scheduleRevision: number;
  name: string;
  /** Preferred vial. */
  compoundId: string | null;
  /** Calendar day YYYY-MM-DD and time of day HH:mm in `timeZone`, as the schedule says them. */
  localDay: string;
  wallTime: string;
  timeZone: string;
  dueDate: Date;
  /** Decimal text in `doseUnit`. */
  doseAmount: string;
  doseUnit: ScheduleDoseUnit;
  route: string | null;
  status: DoseStatus;
  takenAt: Date | null;
  /** Decimal text in `doseUnit`. */
  actualDose: string | null;
  notes: string | null;
  /** Id of an injection site. */
  site: string | null;
  /** How often it has been taken, undone ones included; names the ledger entries of the stock. */
  round: number;
  draws: DoseDraw[];
  /** Whether the stock has been told of the last change. */
  stockDone: boolean;
  /** When the next reminder is due; null when there is none. */
  remindAt: Date | null;
  remindStage: RemindStage;
  remindCount: number;
  /** The worker that has its reminder in hand, and until when. */
  remindClaim: string | null;
  remindClaimedUntil: Date | null;
  /** What it was before its owner changed it, which undo goes back to; absent while nobody has. */
  before?: DoseBefore | null;
  /** When its owner last said something about it. */
  actedAt?: Date | null;
  /** Its name as stocks compare names, once it is taken. */
  nameKey?: string | null;
  /** It was logged without a schedule and is being undone: it goes as soon as its stock is returned. */
  undoing?: boolean;
  /** When it becomes missed by itself, as its owner chose; absent until a worker has worked it out. */
  missAt?: Date | null;
  /** Goes up with every change; see `compareAndSet`. */
  version: number;
  /** The import that added it. */
  importId?: string;
}

const text = { type: String, required: true } as const;
const optionalText = { type: String, default: null } as const;
const optionalDate = { type: Date, default: null } as const;
const count = { type: Number, default: 0 } as const;

const drawSchema = new Schema<DoseDraw>({ compoundId: text, mg: text }, { _id: false });

const beforeSchema = new Schema<DoseBefore>({ status: text, notes: optionalText }, { _id: false });

/** Doses of one status by their due date; named for the hint that keeps a planner from walking a long past. */
export const STATUS_INDEX = { userId: 1, status: 1, dueDate: 1, _id: 1 } as const;

export const doseSchema = new Schema<DoseRow>(
  {
    _id: text,
    userId: text,
    scheduleId: optionalText,
    scheduleRevision: count,
    name: text,
    compoundId: optionalText,
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
    stockDone: { type: Boolean, default: true },
    remindAt: optionalDate,
    remindStage: text,
    remindCount: count,
    remindClaim: optionalText,
    remindClaimedUntil: optionalDate,
    before: beforeSchema,
    actedAt: Date,
    nameKey: String,
    undoing: Boolean,
    missAt: Date,
    version: count,
    importId: String,
  },
  { collection: 'doses' },
);

doseSchema.index({ userId: 1, dueDate: 1, _id: 1 });
doseSchema.index({ ...STATUS_INDEX });
doseSchema.index({ userId: 1, scheduleId: 1, dueDate: 1 });
// What was done today, the neighbours of a dose in time, and adherence by day.
doseSchema.index({ userId: 1, actedAt: -1 });
doseSchema.index({ userId: 1, nameKey: 1, takenAt: 1 });
doseSchema.index({ userId: 1, localDay: 1, status: 1 });
// Found by the steps that finish what was cut off, and that mark doses as missed.
doseSchema.index({ stockDone: 1, actedAt: 1 });
doseSchema.index({ status: 1, missAt: 1, dueDate: 1 });
doseSchema.index({ remindAt: 1 });
