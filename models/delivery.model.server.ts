import { Schema } from 'mongoose';
import { REMINDER_TYPES, type ReminderType } from '#app/domain/reminders/reminder-constants.ts';

export const DELIVERY_CHANNELS = ['push', 'email'] as const;
export type DeliveryChannel = (typeof DELIVERY_CHANNELS)[number];

/** `waiting` until one of the others: sent, not worth sending any more, or given up. */
export const DELIVERY_STATES = ['waiting', 'sent', 'dropped', 'failed'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** A document of `deliveries`: one reminder on its way over one channel to one receiver. */
export interface DeliveryRow {
  /** Follows from reminder, channel and receiver; what is sent again is sent under it. */
  _id: string;
  userId: string;
  reminderId: string;
  doseId: string | null;
  channel: DeliveryChannel;
  /** The browser, for a push. */
  subscriptionId: string | null;
  type: ReminderType;
  /** What is said, already without names for those who chose discreet mode. */
  message: string;
  isDiscreet: boolean;
  madeAt: Date;
  state: DeliveryState;
  /** When it is tried next; while a worker has it in hand, when that one's lease is over. Null when it is done. */
  nextAt: Date | null;
  /** The worker's mark while it has it in hand. */
  claim: string | null;
  attempts: number;
  sentAt: Date | null;
  /** Why it was not sent; names nobody. */
  reason: string | null;
  /** When it is dropped from the collection. */
  expiresAt: Date;
}

const text = { type: String, required: true } as const;
const optionalText = { type: String, default: null } as const;
const optionalDate = { type: Date, default: null } as const;

export const deliverySchema = new Schema<DeliveryRow>(
  {
    _id: text,
    userId: text,
    reminderId: text,
    doseId: optionalText,
    channel: { type: String, enum: DELIVERY_CHANNELS, required: true },
    subscriptionId: optionalText,
    type: { type: String, enum: REMINDER_TYPES, required: true },
    message: text,
    isDiscreet: { type: Boolean, required: true },
    madeAt: { type: Date, required: true },
    state: { type: String, enum: DELIVERY_STATES, default: 'waiting' },
    nextAt: optionalDate,
    claim: optionalText,
    attempts: { type: Number, default: 0 },
    sentAt: optionalDate,
    reason: optionalText,
    expiresAt: { type: Date, required: true },
  },
  { collection: 'deliveries' },
);

deliverySchema.index({ userId: 1, reminderId: 1 });
deliverySchema.index({ nextAt: 1 });
deliverySchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });
