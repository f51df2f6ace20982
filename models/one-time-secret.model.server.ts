import { Schema } from 'mongoose';

/** What a secret that works once is good for. */
export const ONE_TIME_PURPOSES = ['reset-password', 'confirm-email', 'sign-in', 'act-on-dose'] as const;
export type OneTimePurpose = (typeof ONE_TIME_PURPOSES)[number];

/** A document of `one_time_secrets`, keyed by the hash of what was given out. */
export interface OneTimeSecretRow {
  _id: string;
  userId: string;
  purpose: OneTimePurpose;
  createdAt: Date;
  expiresAt: Date;
  /** Wrong answers that were given with it. */
  failures: number;
  /** What the purpose needs to know; never a secret. */
  facts: Record<string, unknown>;
}

export const oneTimeSecretSchema = new Schema<OneTimeSecretRow>(
  {
    _id: { type: String, required: true },
    userId: { type: String, required: true },
    purpose: { type: String, enum: ONE_TIME_PURPOSES, required: true },
    createdAt: { type: Date, required: true },
    expiresAt: { type: Date, required: true },
    failures: { type: Number, default: 0 },
    facts: { type: Schema.Types.Mixed, required: true },
  },
  { collection: 'one_time_secrets', minimize: false },
);

oneTimeSecretSchema.index({ userId: 1, purpose: 1 });
oneTimeSecretSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });
