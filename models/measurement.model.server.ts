import { Schema } from 'mongoose';
import type { Measurement } from '#app/domain/tracking/measurement-schema.ts';

/** A document of `measurements`: one value measured at one time. */
export interface MeasurementRow extends Omit<Measurement, 'id'> {
  _id: string;
  userId: string;
  createdAt: Date;
}

const text = { type: String, required: true };

export const measurementRowSchema = new Schema<MeasurementRow>(
  {
    _id: text,
    userId: text,
    metric: text,
    measuredAt: { type: Date, required: true },
    value: { type: Number, required: true },
    text,
    // Mood has none.
    unit: { type: String, default: '' },
    notes: { type: String, default: null },
    createdAt: { type: Date, required: true },
  },
  { collection: 'measurements' },
);

measurementRowSchema.index({ userId: 1, measuredAt: -1, _id: -1 });
measurementRowSchema.index({ userId: 1, metric: 1, measuredAt: -1 });
