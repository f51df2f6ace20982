import { Schema } from 'mongoose';
import type { SiteEntry } from '#app/domain/tracking/injection-site-schema.ts';

/** A document of `injection_sites`. */
export interface InjectionSiteRow extends Omit<SiteEntry, 'id'> {
  _id: string;
  userId: string;
  createdAt: Date;
  importId?: string;
  edits?: number;
}

const optionalText = { type: String, default: null };

export const injectionSiteSchema = new Schema<InjectionSiteRow>(
  {
    _id: { type: String, required: true },
    userId: { type: String, required: true },
    site: { type: String, required: true },
    takenAt: { type: Date, required: true },
    name: optionalText,
    compoundId: optionalText,
    dose: optionalText,
    doseUnit: { type: String, required: true },
    volume: optionalText,
    pain: { type: Number, default: null },
    notes: optionalText,
    doseId: optionalText,
    createdAt: { type: Date, required: true },
    importId: String,
    edits: Number,
  },
  { collection: 'injection_sites' },
);

injectionSiteSchema.index({ userId: 1, takenAt: -1, _id: -1 });
// The last use of each site.
injectionSiteSchema.index({ userId: 1, site: 1, takenAt: -1 });
