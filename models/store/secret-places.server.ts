import type { Connection, Model } from 'mongoose';
import { filterOf, rowOf } from './generic-rows.server.ts';
import { secretOwners } from './secret-owners.server.ts';
import { insertUnlessTaken } from './writes.server.ts';

/** A document keyed by the hash of a secret; it takes one of a limited number of places that its owner has. */
export interface SecretRow {
  /** The hash of the secret. */
  _id: string;
  userId: string;
  /** Which of the owner's places it takes; unique, which enforces the limit. */
  place: number;
  createdAt: Date;
}

/** The document as the rest of the program uses it. */
export type SecretRecord<Row extends SecretRow> = Omit<Row, '_id' | 'place'> & { hash: string };

/** Maps a stored row to the record that the rest of the program uses. */
export function secretRecordOf<Row extends SecretRow>(row: Row): SecretRecord<Row> {
  const { _id, place: _place, ...rest } = row;
  return { ...rest, hash: _id };
}

/** Secrets that give access to their owner's data, looked up by hash. All other calls name the owner. */
export function secretPlaces<Row extends SecretRow>(connection: Connection, model: Model<Row>) {
  const owners = secretOwners(connection);

  async function findByHash(hash: string): Promise<SecretRecord<Row> | null> {
    const row = await owners.findRow(model, hash);
    return row === null ? null : secretRecordOf(row);
  }

  return {
    /** Stores a secret in one of its owner's free places. @returns false when all are taken, or somebody has the secret */
    async create(secret: SecretRecord<Row>, places: number): Promise<boolean> {
      const { hash, ...rest } = secret;
      const rows = await model.find({ userId: secret.userId }, { place: 1 }).lean<Row[]>();
      const taken = new Set(rows.map(({ place }) => place));
      if (taken.size >= places || (await findByHash(hash)) !== null) return false;
      await owners.put(hash, secret.userId);
      for (let place = 0; place < places; place += 1) {
        if (taken.has(place)) continue;
        if (await insertUnlessTaken(model, rowOf<Row>({ ...rest, _id: hash, place }))) return true;
      }
      await owners.delete([hash]);
      return false;
    },

    findByHash,

    /** Removes one of the owner's secrets. @returns what was removed; null when there is none */
    async deleteOne(userId: string, which: object): Promise<SecretRecord<Row> | null> {
      const row = await model.findOneAndDelete(filterOf<Row>({ ...which, userId })).lean<Row>();
      if (row === null) return null;
      await owners.delete([row._id]);
      return secretRecordOf(row);
    },

    /** Removes all of the owner's secrets. @returns how many */
    async clear(userId: string): Promise<number> {
      const rows = await model.find(filterOf<Row>({ userId }), { _id: 1 }).lean<Pick<Row, '_id'>[]>();
      await owners.delete(rows.map(({ _id }) => _id));
      return (await model.deleteMany(filterOf<Row>({ userId }))).deletedCount;
    },

    /** The owner's secrets, newest first. */
    async list(userId: string): Promise<SecretRecord<Row>[]> {
      const rows = await model.find({ userId }).lean<Row[]>();
      return rows.map(secretRecordOf).sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime());
    },
  };
}
