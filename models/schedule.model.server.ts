import { Schema } from 'mongoose';
import type { Course, Frequency, Ramp, ScheduleDoseUnit } from '#app/domain/schedules/schedule-types.ts';

/** A document of `schedules`. */
export interface ScheduleRow {
  _id: string;
  userId: string;
  name: string;
  /** Preferred vial. */
  compoundId: string | null;
  /** Decimal text in `doseUnit`. */
  doseAmount: string;
  doseUnit: ScheduleDoseUnit;
  frequency: Frequency;
  /** `HH:mm` in the schedule's zone. */
  times: string[];
  /** IANA name. */
  timeZone: string;
  /** Calendar days YYYY-MM-DD, both included. */
  startDate: string;
  endDate: string | null;
  route: string | null;
  reminderLeadMinutes: number;
  notes: string | null;
  ramp: Ramp | null;
  course: Course | null;
  isActive: boolean;
  nextDoseDate: Date | null;
  /** When the last dose was taken. */
  lastDoseDate: Date | null;
  /** The same of the time before it was imported, of which its doses are not known here. */
  lastDoseBefore?: Date | null;
  /** The import that added it. */
  importId?: string;
  createdAt: Date;
  updatedAt: Date;
  /** Goes up with every change that makes other doses; doses remember the one they were made by. */
  revision: number;
  /** Doses due before this instant have been made. */
  madeUntil: Date;
  /** Lease of the worker that makes its doses. */
  claimedUntil: Date | null;
  /** Zone in which its owner said to keep the schedule's own time. */
  keptIn: string | null;
}

const text = { type: String, required: true } as const;
const optionalText = { type: String, default: null } as const;
const optionalDate = { type: Date, default: null } as const;

const frequencySchema = new Schema(
  { kind: text, weekdays: { type: [String], default: undefined }, every: Number, on: Number, off: Number },
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

export const scheduleSchema = new Schema<ScheduleRow>(
  {
    _id: text,
    userId: text,
    name: text,
    compoundId: optionalText,
    doseAmount: text,
    doseUnit: text,
    frequency: { type: frequencySchema, required: true },
    times: { type: [String], required: true },
    timeZone: text,
    startDate: text,
    endDate: optionalText,
    route: optionalText,
    reminderLeadMinutes: { type: Number, default: 0 },
    notes: optionalText,
    ramp: { type: rampSchema, default: null },
    course: { type: courseSchema, default: null },
    isActive: { type: Boolean, required: true },
    nextDoseDate: optionalDate,
    lastDoseDate: optionalDate,
    lastDoseBefore: Date,
    importId: String,
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
    revision: { type: Number, required: true },
    madeUntil: { type: Date, required: true },
    claimedUntil: optionalDate,
    keptIn: optionalText,
  },
  { collection: 'schedules' },
);

scheduleSchema.index({ userId: 1, createdAt: -1, _id: -1 });
scheduleSchema.index({ userId: 1, startDate: 1, _id: 1 });
// Found by the step that makes doses ahead.
scheduleSchema.index({ isActive: 1, madeUntil: 1 });
