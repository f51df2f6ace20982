import { Schema } from 'mongoose';

/** Decimal text as entered, and choices, of a saved calculation. What it did not read is absent. */
export interface CalculationInputRow {
  solveFor: string;
  peptideAmount: string;
  waterVolume?: string;
  desiredDose?: string;
  desiredDoseUnit: string;
  drawVolume?: string;
  syringe: string;
  mark?: string;
  displacement: string;
}

/** A document of `calculations`. */
export interface CalculationRow {
  _id: string;
  userId: string;
  /** {@link KEPT}, or the sign-in that it belongs to and goes with. */
  shelf: string;
  /** Given by the client for one press of the button; the row's own id when there was none. */
  saveKey: string;
  createdAt: Date;
  type: 'reconstitution';
  input: CalculationInputRow;
  peptideName: string | null;
  /** The name in the form it is sorted and counted by; '' without a name. */
  nameKey: string;
  notes: string | null;
  concentration: number;
  injectionVolume: number;
  /** The import that added it. */
  importId?: string;
}

/** The shelf of what stays. */
export const KEPT = 'kept';

const inputSchema = new Schema<CalculationInputRow>(
  {
    solveFor: { type: String, required: true },
    peptideAmount: { type: String, required: true },
    waterVolume: String,
    desiredDose: String,
    desiredDoseUnit: { type: String, required: true },
    drawVolume: String,
    syringe: { type: String, required: true },
    mark: String,
    displacement: { type: String, required: true },
  },
  { _id: false },
);

export const calculationSchema = new Schema<CalculationRow>(
  {
    _id: { type: String, required: true },
    userId: { type: String, required: true },
    shelf: { type: String, required: true },
    saveKey: { type: String, required: true },
    createdAt: { type: Date, required: true },
    type: { type: String, required: true },
    input: { type: inputSchema, required: true },
    peptideName: { type: String, default: null },
    nameKey: { type: String, default: '' },
    notes: { type: String, default: null },
    concentration: { type: Number, required: true },
    injectionVolume: { type: Number, required: true },
    importId: String,
  },
  { collection: 'calculations' },
);

/** One index for each sort of the history, named for the hint that keeps the planner on it. */
export const SORT_INDEXES = {
  date: { userId: 1, createdAt: -1, _id: -1 },
  name: { userId: 1, nameKey: 1, createdAt: -1, _id: -1 },
  concentration: { userId: 1, concentration: -1, createdAt: -1, _id: -1 },
} as const;

calculationSchema.index({ ...SORT_INDEXES.date });
calculationSchema.index({ ...SORT_INDEXES.name });
calculationSchema.index({ ...SORT_INDEXES.concentration });
calculationSchema.index({ userId: 1, shelf: 1 });
calculationSchema.index({ userId: 1, saveKey: 1 }, { unique: true });
