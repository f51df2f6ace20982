import { Schema } from 'mongoose';

/** A document of `server_signals`, keyed by what all processes of this server are asked to do. */
export interface ServerSignalRow {
  _id: string;
  /** How often it was asked for; who sees a new number does it. */
  count: number;
  askedAt: Date;
}

export const serverSignalSchema = new Schema<ServerSignalRow>(
  {
    _id: { type: String, required: true },
    count: { type: Number, required: true },
    askedAt: { type: Date, required: true },
  },
  { collection: 'server_signals' },
);
