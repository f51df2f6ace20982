import { Schema } from 'mongoose';

/** A document of `push_subscriptions`, keyed by the hash of its endpoint: a browser belongs to one account at a time. */
export interface PushSubscriptionRow {
  _id: string;
  userId: string;
  /** The sign-in it was made in; it ends with that one's sign-out. */
  signInId: string;
  endpoint: string;
  p256dh: string;
  auth: string;
  /** Which browser, in words. */
  browser: string;
  createdAt: Date;
}

const text = { type: String, required: true } as const;

export const pushSubscriptionSchema = new Schema<PushSubscriptionRow>(
  {
    _id: text,
    userId: text,
    signInId: text,
    endpoint: text,
    p256dh: text,
    auth: text,
    browser: text,
    createdAt: { type: Date, required: true },
  },
  { collection: 'push_subscriptions' },
);

pushSubscriptionSchema.index({ userId: 1, createdAt: 1 });
