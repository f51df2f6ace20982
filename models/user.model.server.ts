import { Schema } from 'mongoose';
import { ROLES, type Role } from '#app/domain/accounts/roles.ts';
import type { Profile } from '#app/domain/accounts/profile.ts';
import type { BillingStatus } from '#app/domain/billing/entitlement.ts';
import type { CreditGrant } from '#app/domain/referrals/referral-credit.ts';

/** A document of `users`. */
export interface UserRow extends Profile {
  _id: string;
  email: string;
  /** The part of the address behind the @. */
  emailDomain: string;
  passwordHash: string;
  role: Role;
  createdAt: Date;
  lastLogin: Date | null;
  lastSeenAt: Date;
  suspendedAt: Date | null;
  trialStartedAt: Date | null;
  trialEndsAt: Date | null;
  /** End of the last of `creditGrants`, kept with every change of them. */
  creditUntil: Date | null;
  creditGrants: CreditGrant[];
  /** Moves with every change of `creditGrants`; null before the first. */
  creditRevision: number | null;
  grantedAt: Date | null;
  billingStatus: BillingStatus;
  pastDueSince: Date | null;
  stripeCustomerId: string | null;
  /** The version of `billing` that the fields above come from. */
  billingVersion: number;
  /** The code with which it registered, when somebody had it. */
  referredByCode: string | null;
  /** Its own, made at registration; null for an account that was made at the terminal, until it asks for one. */
  referralCode: string | null;
  termsAcceptedAt: Date | null;
  /** Since when signing in asks for a code; null when it does not. */
  secondFactorAt: Date | null;
  /** When the account and everything of it goes; null while nobody asked for that. */
  deleteAfter: Date | null;
  /** Moves with every change by an administrator; null before the first. */
  adminRevision: number | null;
  /** A worker that deletes it has it in hand until then. */
  deletionClaimedUntil: Date | null;
}

const instant = { type: Date, default: null };

const creditGrantSchema = new Schema<CreditGrant>(
  {
    id: { type: String, required: true },
    grantedAt: { type: Date, required: true },
    days: { type: Number, required: true },
    reversedAt: instant,
  },
  { _id: false },
);

export const userSchema = new Schema<UserRow>(
  {
    _id: { type: String, required: true },
    email: { type: String, required: true },
    emailDomain: { type: String, default: '' },
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
    creditGrants: { type: [creditGrantSchema], default: [] },
    creditRevision: { type: Number, default: null },
    grantedAt: instant,
    billingStatus: { type: String, default: 'none' },
    pastDueSince: instant,
    stripeCustomerId: { type: String, default: null },
    billingVersion: { type: Number, default: 0 },
    referredByCode: { type: String, default: null },
    referralCode: { type: String, default: null },
    termsAcceptedAt: instant,
    secondFactorAt: instant,
    deleteAfter: instant,
    deletionClaimedUntil: instant,
    adminRevision: { type: Number, default: null },
  },
  { collection: 'users' },
);

// The lists of the admin area, each in its order; some are counted by the admin statistics, too.
userSchema.index({ createdAt: -1, _id: -1 });
userSchema.index({ email: 1, _id: 1 });
userSchema.index({ emailDomain: 1, _id: 1 });
userSchema.index({ lastSeenAt: -1, _id: -1 });
userSchema.index({ trialEndsAt: -1, _id: -1 });
userSchema.index({ suspendedAt: -1, _id: -1 });
userSchema.index({ role: 1, createdAt: -1, _id: -1 });
userSchema.index({ billingStatus: 1, createdAt: -1, _id: -1 });
// Counted by the admin statistics.
userSchema.index({ trialStartedAt: 1 });
userSchema.index({ creditUntil: 1 });
userSchema.index({ grantedAt: 1 });
userSchema.index({ billingStatus: 1, pastDueSince: 1 });
// Found by the step that deletes accounts.
userSchema.index({ deleteAfter: 1 });
