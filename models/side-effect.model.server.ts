import { Schema } from 'mongoose';
import type { SideEffectImage } from '#app/domain/tracking/side-effect-schema.ts';

/** A document of `side_effects`. */
export interface SideEffectRow {
  _id: string;
  userId: string;
  name: string;
  severity: number;
  startedAt: Date;
  /** The end as it was told: a day (YYYY-MM-DD) or an instant (ISO 8601, UTC). */
  resolvedDate: string | null;
  /** The end as an instant, for reckoning; null while it lasts. */
  resolvedAt: Date | null;
  compoundId: string | null;
  doseId: string | null;
  notes: string | null;
  /** What is known of its pictures; they themselves are in GridFS. */
  images: SideEffectImage[];
  createdAt: Date;
  updatedAt: Date;
  importId?: string;
  edits?: number;
}

const text = { type: String, required: true };
const number = { type: Number, required: true };
const instant = { type: Date, required: true };
const optionalText = { type: String, default: null };

const imageSchema = new Schema<SideEffectImage>(
  { id: text, contentType: text, bytes: number, width: number, height: number, addedAt: instant },
  // The picture's own `id` is stored; mongoose would put a virtual one before it.
  { _id: false, id: false },
);

export const sideEffectRowSchema = new Schema<SideEffectRow>(
  {
    _id: text,
    userId: text,
    name: text,
    severity: number,
    startedAt: instant,
    resolvedDate: optionalText,
    resolvedAt: { type: Date, default: null },
    compoundId: optionalText,
    doseId: optionalText,
    notes: optionalText,
    images: { type: [imageSchema], default: [] },
    createdAt: instant,
    updatedAt: instant,
    importId: String,
    edits: Number,
  },
  { collection: 'side_effects' },
);

sideEffectRowSchema.index({ userId: 1, startedAt: -1, _id: -1 });
