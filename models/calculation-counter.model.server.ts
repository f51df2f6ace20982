import { Schema } from 'mongoose';

/** A write that has begun; one that stays here too long was cut off, and the shelf is counted anew. */
export interface PendingWrite {
  /** Id of the calculation that is written or removed. */
  id: string;
  at: Date;
}

/** A document of `calculation_counters`: the totals of one shelf of one user, kept with every write. */
export interface CalculationCounterRow {
  /** `<userId>/<shelf>` */
  _id: string;
  userId: string;
  shelf: string;
  /** Names the set of tallies that counts; a recount makes a new set. */
  generation: number;
  /** Goes up with every begin and end of a write. */
  revision: number;
  pending: PendingWrite[];
  total: number;
  /** Different compound names. */
  names: number;
  /** Sum of the concentrations: whole mg/ml, and the rest in 10^-9. Whole numbers add up without drift. */
  concentrationWhole: number;
  concentrationNano: number;
}

const pendingSchema = new Schema<PendingWrite>(
  { id: { type: String, required: true }, at: { type: Date, required: true } },
  { _id: false },
);

const count = { type: Number, default: 0 };

export const calculationCounterSchema = new Schema<CalculationCounterRow>(
  {
    _id: { type: String, required: true },
    userId: { type: String, required: true },
    shelf: { type: String, required: true },
    generation: count,
    revision: count,
    pending: { type: [pendingSchema], default: [] },
    total: count,
    names: count,
    concentrationWhole: count,
    concentrationNano: count,
  },
  { collection: 'calculation_counters' },
);

calculationCounterSchema.index({ userId: 1, shelf: 1 });

/** A document of `calculation_tallies`: how many calculations of a shelf have a name, or were made on a day. */
export interface CalculationTallyRow {
  /** `<userId>/<shelf>/<generation>/<kind>/<key>` */
  _id: string;
  userId: string;
  shelf: string;
  generation: number;
  kind: 'name' | 'day';
  /** A name key, or a day of UTC (YYYY-MM-DD). */
  key: string;
  count: number;
}

export const calculationTallySchema = new Schema<CalculationTallyRow>(
  {
    _id: { type: String, required: true },
    userId: { type: String, required: true },
    shelf: { type: String, required: true },
    generation: { type: Number, required: true },
    kind: { type: String, required: true },
    key: { type: String, required: true },
    count: { type: Number, required: true },
  },
  { collection: 'calculation_tallies' },
);

calculationTallySchema.index({ userId: 1, shelf: 1, generation: 1, kind: 1, key: 1 });
