import { trusted, type Connection } from 'mongoose';
import { createAddressPartRepository } from '#models/accounts/address-part.server.ts';
import { transactionsOf } from '#models/store/transaction.server.ts';
import type { Migration } from './steps.server.ts';

/** Accounts at a time. Each has as many parts as its address has characters. */
const PIECE = 40;

interface Account {
  _id: string;
  email: string;
}

/**
 * For accounts of older versions, whose addresses could only be searched by their beginning and by their domain. Accounts
 * are read in the act that writes their parts, so one whose address changes meanwhile gets the parts of the new one.
 */
export const searchableAddresses: Migration = {
  id: '2026-11-29-searchable-addresses',
  description: 'Makes addresses searchable by any text in them',
  inBackground: () => true,
  step: (connection: Connection, cursor) =>
    transactionsOf(connection)(async () => {
      const users = connection.model<Account>('User');
      const rows = await users
        .find(cursor === null ? {} : { _id: trusted({ $gt: cursor }) }, { email: 1 })
        .sort({ _id: 1 })
        .limit(PIECE)
        .lean<Account[]>();
      const last = rows.at(-1)?._id;
      if (last === undefined) return null;
      await createAddressPartRepository(connection).replace(
        rows.map(({ _id, email }) => ({ userId: _id, email })),
      );
      return { cursor: last, changed: rows.length };
    }),
};
