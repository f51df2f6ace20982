import { Schema } from 'mongoose';
import { ROLES, type Profile, type Role } from '#app/domain/accounts/index.ts';
import type { BillingStatus } from '#app/domain/plans/index.ts';

/** A document of `users`. */
export interface UserRow extends Profile {
  _id: string;
  email: string;
  passwordHash: string;
  role: Role;
  createdAt: Date;
  lastLogin: Date | null;
  lastSeenAt: Date;
  suspendedAt: Date | null;
  trialStartedAt: Date | null;
  trialEndsAt: Date | null;
  creditUntil: Date | null;
  grantedAt: Date | null;
  billingStatus: BillingStatus;
  pastDueSince: Date | null;
  stripeCustomerId: string | null;
  referredByCode: string | null;
  termsAcceptedAt: Date | null;
  /** Since when signing in asks for a code; null when it does not. */
  secondFactorAt: Date | null;
  /** When the account and everything of it goes; null while nobody asked for that. */
  deleteAfter: Date | null;
  /** A worker that deletes it has it in hand until then. */
  deletionClaimedUntil: Date | null;
}

const instant = { type: Date, default: null };

export const userSchema = new Schema<UserRow>(
  {
    _id: { type: String, required: true },
    email: { type: String, required: true },
    passwordHash: { type: String, required: true },
    role: { type: String, enum: ROLES, required: true },
    name: { type: String, default: null },
    timeZone: { type: String, required: true },
    doseUnit: { type: String, default: 'mg' },
    units: { type: String, default: 'metric' },
    createdAt: { type: Date, required: true },
    lastLogin: instant,
    lastSeenAt: { type: Date, required: true },
    suspendedAt: instant,
    trialStartedAt: instant,
    trialEndsAt: instant,
    creditUntil: instant,
    grantedAt: instant,
    billingStatus: { type: String, default: 'none' },
    pastDueSince: instant,
    stripeCustomerId: { type: String, default: null },
    referredByCode: { type: String, default: null },
    termsAcceptedAt: instant,
    secondFactorAt: instant,
    deleteAfter: instant,
    deletionClaimedUntil: instant,
  },
  { collection: 'users' },
);

// Counted by the admin statistics.
userSchema.index({ lastSeenAt: 1 });
userSchema.index({ trialEndsAt: 1 });
userSchema.index({ creditUntil: 1 });
userSchema.index({ grantedAt: 1 });
userSchema.index({ billingStatus: 1, pastDueSince: 1 });
// Found by the step that deletes accounts.
userSchema.index({ deleteAfter: 1 });
