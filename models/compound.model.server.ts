import { Schema } from 'mongoose';
import type { LedgerKind, VialStatus } from '#app/domain/vials/vial-types.ts';

/** An entry of a vial's ledger. */
export interface LedgerRow {
  id: string;
  kind: LedgerKind;
  /** Decimal text in mg, with a sign. */
  mg: string;
  reason: string | null;
  at: Date;
}

/** A document of `compounds`: one vial with its ledger, so that an amount and its entry change together. */
export interface CompoundRow {
  _id: string;
  userId: string;
  /**
   * One of the places that a free account has ("0", "1" …) while the vial is active and was added under that limit;
   * its own id otherwise. Unique for the owner: two vials cannot take one place, however many requests try.
   */
  slot: string;
  /** Counts the changes; each is written over the one it was made from. */
  version: number;
  name: string;
  nameKey: string;
  status: VialStatus;
  totalAmount: string;
  remaining: string;
  /** The same as a double, for the sort. */
  remainingMg: number;
  /** remaining ÷ total as a double, for the filter. */
  share: number;
  waterMl: string | null;
  concentration: string | null;
  displacement: string;
  reconstitutionDate: string | null;
  expirationDate: string | null;
  /** The last day of use, {@link NO_DAY} when none is known. */
  lastDay: string;
  openedAt: Date | null;
  createdAt: Date;
  storageTemp: string | null;
  notes: string | null;
  lot: string | null;
  supplierId: string | null;
  cost: string | null;
  currency: string | null;
  ledger: LedgerRow[];
  foldedCount: number;
  foldedMg: string;
  /** The import that added it. */
  importId?: string;
}

/** Sorts after every day. */
export const NO_DAY = '9999-99-99';

const text = { type: String, required: true };
const optionalText = { type: String, default: null };
const number = { type: Number, required: true };

const ledgerSchema = new Schema<LedgerRow>(
  {
    id: text,
    kind: text,
    mg: text,
    reason: optionalText,
    at: { type: Date, required: true },
  },
  { _id: false, id: false },
);

export const compoundSchema = new Schema<CompoundRow>(
  {
    _id: text,
    userId: text,
    slot: text,
    version: number,
    name: text,
    nameKey: text,
    status: text,
    totalAmount: text,
    remaining: text,
    remainingMg: number,
    share: number,
    waterMl: optionalText,
    concentration: optionalText,
    displacement: text,
    reconstitutionDate: optionalText,
    expirationDate: optionalText,
    lastDay: text,
    openedAt: { type: Date, default: null },
    createdAt: { type: Date, required: true },
    storageTemp: optionalText,
    notes: optionalText,
    lot: optionalText,
    supplierId: optionalText,
    cost: optionalText,
    currency: optionalText,
    ledger: { type: [ledgerSchema], default: [] },
    foldedCount: { type: Number, default: 0 },
    foldedMg: { type: String, default: '0' },
    importId: String,
  },
  { collection: 'compounds' },
);

/** One index for each sort of the list, named for the hint that keeps the planner on it. */
export const COMPOUND_INDEXES = {
  name: { userId: 1, nameKey: 1, _id: 1 },
  expiry: { userId: 1, lastDay: 1, _id: 1 },
  remaining: { userId: 1, remainingMg: 1, _id: 1 },
  added: { userId: 1, createdAt: -1, _id: -1 },
} as const;

compoundSchema.index({ ...COMPOUND_INDEXES.name });
compoundSchema.index({ ...COMPOUND_INDEXES.expiry });
compoundSchema.index({ ...COMPOUND_INDEXES.remaining });
compoundSchema.index({ ...COMPOUND_INDEXES.added });
compoundSchema.index({ userId: 1, status: 1 });
compoundSchema.index({ userId: 1, slot: 1 }, { unique: true });
