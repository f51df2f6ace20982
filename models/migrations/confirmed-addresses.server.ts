import type { Connection } from 'mongoose';
import type { UserRow } from '#models/user.server.ts';
import type { Migration } from './migration.ts';

const PIECE = 1000;

type Stored = Pick<UserRow, '_id'> & Partial<UserRow>;

async function step(connection: Connection, cursor: string | null) {
  const users = connection.collection<Stored>('users');
  const rows = await users
    .find(cursor === null ? {} : { _id: { $gt: cursor } })
    .project<Stored>({ createdAt: 1, emailConfirmedAt: 1 })
    .sort({ _id: 1 })
    .limit(PIECE)
    .toArray();
  const last = rows.at(-1);
  if (last === undefined) return null;
  const updates = rows
    .filter((row) => !('emailConfirmedAt' in row))
    .map(({ _id, createdAt }) => ({
      updateOne: {
        filter: { _id, emailConfirmedAt: { $exists: false } },
        update: { $set: { emailConfirmedAt: createdAt ?? new Date(0) } },
      },
    }));
  if (updates.length > 0) await users.bulkWrite(updates, { ordered: false });
  return { cursor: last._id, changed: updates.length };
}

/** Nobody asked accounts of older versions to confirm their address; they keep what they have. */
export const confirmedAddresses: Migration = {
  id: '2026-11-22-confirmed-addresses',
  description: 'Accounts from before addresses were confirmed count as confirmed.',
  step,
};
