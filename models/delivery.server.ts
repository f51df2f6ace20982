import { Schema, type Connection } from 'mongoose';
import { REMINDER_TYPES, type ReminderType } from '#app/domain/reminders/reminder-stages.ts';
import { modelOf } from './model-of.server.ts';
import {
  indexOutbox,
  OUTBOX_FIELDS,
  outboxOf,
  outboxRecordOf,
  type OutboxRecord,
  type OutboxResult,
  type OutboxRow,
} from './outbox.server.ts';

const DELIVERY_CHANNELS = ['push', 'email', 'ntfy'] as const;
type DeliveryChannel = (typeof DELIVERY_CHANNELS)[number];

/** A document of `deliveries`: one reminder on its way over one channel to one receiver. */
export interface DeliveryRow extends OutboxRow {
  reminderId: string;
  doseId: string | null;
  channel: DeliveryChannel;
  /** The browser, for a push. */
  subscriptionId: string | null;
  type: ReminderType;
  /** In place of the type's own title. */
  title?: string | null;
  /** The text, already without names for those who chose discreet mode. */
  message: string;
  isDiscreet: boolean;
}

const text = { type: String, required: true } as const;
const optionalText = { type: String, default: null } as const;

const deliverySchema = new Schema<DeliveryRow>(
  {
    _id: text,
    ...OUTBOX_FIELDS,
    reminderId: text,
    doseId: optionalText,
    channel: { type: String, enum: DELIVERY_CHANNELS, required: true },
    subscriptionId: optionalText,
    type: { type: String, enum: REMINDER_TYPES, required: true },
    title: optionalText,
    message: text,
    isDiscreet: { type: Boolean, required: true },
  },
  { collection: 'deliveries' },
);

deliverySchema.index({ userId: 1, reminderId: 1 });
indexOutbox(deliverySchema);

/** A delivery that a worker has claimed. */
export type DeliveryRecord = OutboxRecord<DeliveryRow>;

/** How a delivery went; a `nextAt` means that it is tried again. */
export type DeliveryResult = OutboxResult;

/** The outbox of reminders. */
export function createDeliveryRepository(connection: Connection) {
  const model = modelOf<DeliveryRow>(connection, 'Delivery', deliverySchema);
  return {
    ...outboxOf<DeliveryRow>(model),

    /** Deliveries of an owner's reminder, for those who look after the server and for tests. */
    async list(userId: string, reminderId: string): Promise<DeliveryRecord[]> {
      return (await model.find({ userId, reminderId }).sort({ _id: 1 }).lean<DeliveryRow[]>()).map(
        outboxRecordOf,
      );
    },
  };
}
