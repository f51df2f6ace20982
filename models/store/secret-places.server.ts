import type { Model } from 'mongoose';
import { rowOf } from './generic-rows.server.ts';
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
export function secretPlaces<Row extends SecretRow>(model: Model<Row>) {
  return {
    /** Stores a secret in one of its owner's free places. @returns false when all are taken */
    async create(secret: SecretRecord<Row>, places: number): Promise<boolean> {
      const { hash, ...rest } = secret;
      const rows = await model.find({ userId: secret.userId }, { place: 1 }).lean<Row[]>();
      const taken = new Set(rows.map(({ place }) => place));
      for (let place = 0; place < places; place += 1) {
        if (taken.has(place)) continue;
        if (await insertUnlessTaken(model, rowOf<Row>({ ...rest, _id: hash, place }))) return true;
      }
      return false;
    },

    async findByHash(hash: string): Promise<SecretRecord<Row> | null> {
      const row = await model.findById(hash).lean<Row>();
      return row === null ? null : secretRecordOf(row);
    },

    /** The owner's secrets, newest first. */
    async list(userId: string): Promise<SecretRecord<Row>[]> {
      const rows = await model.find({ userId }).lean<Row[]>();
      return rows.map(secretRecordOf).sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime());
    },
  };
}
