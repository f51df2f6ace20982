import { Schema } from 'mongoose';

/** A measure that a person made up. */
export interface OwnMetricRow {
  /** `own-…`; made once, survives renaming. */
  key: string;
  name: string;
  unit: string;
}

/** A document of `tracking_choices`: how a person has set up tracking. One for each account that changed anything. */
export interface TrackingChoiceRow {
  /** The account's id. */
  _id: string;
  userId: string;
  /** Injection sites that are switched off. */
  sitesOff: string[];
  /** Names of own side-effect templates, in the order they were added. */
  templates: string[];
  /** Own health measures, in the order they were added. */
  metrics: OwnMetricRow[];
}

const metricSchema = new Schema<OwnMetricRow>(
  {
    key: { type: String, required: true },
    name: { type: String, required: true },
    unit: { type: String, default: '' },
  },
  { _id: false },
);

export const trackingChoiceSchema = new Schema<TrackingChoiceRow>(
  {
    _id: { type: String, required: true },
    userId: { type: String, required: true },
    sitesOff: { type: [String], default: [] },
    templates: { type: [String], default: [] },
    metrics: { type: [metricSchema], default: [] },
  },
  { collection: 'tracking_choices' },
);

trackingChoiceSchema.index({ userId: 1 });
