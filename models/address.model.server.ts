import { Schema } from 'mongoose';

/** A document of `addresses`: whose e-mail address it is. Keyed by the address, so that it can exist only once. */
export interface AddressRow {
  /** The normalised address. */
  _id: string;
  userId: string;
}

export const addressSchema = new Schema<AddressRow>(
  { _id: { type: String, required: true }, userId: { type: String, required: true } },
  { collection: 'addresses' },
);

// Found when an account is deleted.
addressSchema.index({ userId: 1 });
