import type { Connection } from 'mongoose';
import { addressSchema, type AddressRow } from './address.model.server.ts';
import { isDuplicateKey } from './duplicate-key.server.ts';
import { modelOf } from './model-of.server.ts';

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
      try {
        await model.create({ _id: email, userId });
        return true;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
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

export type AddressRepository = ReturnType<typeof createAddressRepository>;
