import { Schema } from 'mongoose';

/** A document of `demo_interest`: who wants to hear of the demo, and since when. Keyed by the address. */
export interface DemoInterestRow {
  _id: string;
  createdAt: Date;
}

export const demoInterestSchema = new Schema<DemoInterestRow>(
  { _id: { type: String, required: true }, createdAt: { type: Date, required: true } },
  { collection: 'demo_interest' },
);
