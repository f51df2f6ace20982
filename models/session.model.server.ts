import { Schema } from 'mongoose';

/** A document of `sessions`, keyed by the hash of the secret that the browser holds. */
export interface SessionRow {
  _id: string;
  userId: string;
  /** Names the sign-in; stays the same when the secret is rotated. */
  signInId: string;
  createdAt: Date;
  lastUsedAt: Date;
  /** When the password was last entered in it. */
  authenticatedAt: Date;
  /** When it ends unless it is used before. */
  expiresAt: Date;
  /** When it ends however much it is used. */
  endsAt: Date;
  remember: boolean;
  /** Set first when it is ended, so that it is refused while what belongs to it is cleared away. */
  endedAt: Date | null;
  address: string;
  userAgent: string | null;
}

export const sessionSchema = new Schema<SessionRow>(
  {
    _id: { type: String, required: true },
    userId: { type: String, required: true },
    signInId: { type: String, required: true },
    createdAt: { type: Date, required: true },
    lastUsedAt: { type: Date, required: true },
    authenticatedAt: { type: Date, required: true },
    expiresAt: { type: Date, required: true },
    endsAt: { type: Date, required: true },
    remember: { type: Boolean, required: true },
    endedAt: { type: Date, default: null },
    address: { type: String, default: '' },
    userAgent: { type: String, default: null },
  },
  { collection: 'sessions' },
);

sessionSchema.index({ userId: 1, signInId: 1 });
// Found by the step that clears away ended sessions.
sessionSchema.index({ expiresAt: 1 });
