import type { Model } from 'mongoose';
import { insertUnlessTaken } from './writes.server.ts';

/** A document that is found by what a secret hashes to, and takes one of the places that its owner has for such. */
export interface SecretRow {
  /** The hash of the secret. */
  _id: string;
  userId: string;
  /** Which of the owner's places it takes; unique, which keeps the limit. */
  place: number;
  createdAt: Date;
}

/** Such a document as the rest of the program knows it. */
export type SecretRecord<Row extends SecretRow> = Omit<Row, '_id' | 'place'> & { hash: string };

/** The stored row as the record that the rest of the program knows. */
export function secretRecordOf<Row extends SecretRow>(row: Row): SecretRecord<Row> {
  const { _id, place: _place, ...rest } = row;
  return { ...rest, hash: _id };
}

/** Secrets that open something of their owner's. One is looked up by the hash of its secret; all else is by owner. */
export function secretPlaces<Row extends SecretRow>(model: Model<Row>) {
  return {
    /** Puts a secret in a free place of its owner. @returns false when all are taken, also by some made just now */
    async create(secret: SecretRecord<Row>, places: number): Promise<boolean> {
      const { hash, ...rest } = secret;
      const rows = (await model.find({ userId: secret.userId }, { place: 1 }).lean()) as unknown as Row[];
      const taken = new Set(rows.map(({ place }) => place));
      for (let place = 0; place < places; place += 1) {
        if (taken.has(place)) continue;
        if (await insertUnlessTaken(model, { ...rest, _id: hash, place } as unknown as Row)) return true;
      }
      return false;
    },

    async findByHash(hash: string): Promise<SecretRecord<Row> | null> {
      const row = (await model.findById(hash).lean()) as unknown as Row | null;
      return row === null ? null : secretRecordOf(row);
    },

    /** The owner's, the newest first. */
    async list(userId: string): Promise<SecretRecord<Row>[]> {
      const rows = (await model.find({ userId }).lean()) as unknown as Row[];
      return rows.map(secretRecordOf).sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime());
    },
  };
}
