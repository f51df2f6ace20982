import { Schema, type Connection } from 'mongoose';
import { insertUnlessTaken } from './duplicate-key.server.ts';
import { modelOf } from './model-of.server.ts';

/** A document of `addresses`: whose e-mail address it is. Keyed by the address, so that it can exist only once. */
interface AddressRow {
  /** The normalised address. */
  _id: string;
  userId: string;
}

const addressSchema = new Schema<AddressRow>(
  { _id: { type: String, required: true }, userId: { type: String, required: true } },
  { collection: 'addresses' },
);

// Found when an account is deleted.
addressSchema.index({ userId: 1 });

/** Whose an e-mail address is. Addresses are given in their normalised form. */
export function createAddressRepository(connection: Connection) {
  const model = modelOf<AddressRow>(connection, 'Address', addressSchema);
  return {
    async findOwner(email: string): Promise<string | null> {
      const row = await model.findById(email).lean();
      return row?.userId ?? null;
    },

    /** Takes a free address. @returns false when somebody has it */
    async claim(email: string, userId: string): Promise<boolean> {
      return insertUnlessTaken(model, { _id: email, userId });
    },

    /** Takes over an address from an account that turned out not to exist. @returns false when it changed meanwhile */
    async takeOver(email: string, from: string, userId: string): Promise<boolean> {
      const result = await model.updateOne({ _id: email, userId: from }, { $set: { userId } });
      return result.modifiedCount === 1;
    },

    async release(email: string, userId: string): Promise<void> {
      await model.deleteOne({ _id: email, userId });
    },
  };
}
