import { trusted, type Connection, type Model, type mongo } from 'mongoose';
import { removeInBatches } from './writes.server.ts';

/** The error code for a feature that a server does not implement. */
const NOT_IMPLEMENTED = 238;

/** True for the error of a server that does not support TTL indexes. */
function lacksExpiry(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === NOT_IMPLEMENTED;
}

const withoutExpiry = ({ expireAfterSeconds: _, ...index }: mongo.IndexDescription): mongo.IndexDescription =>
  index;

/**
 * Creates a collection's missing indexes. If the server does not support TTL indexes, plain ones are created
 * and {@link createExpiredRows} removes the expired rows.
 */
export async function makeIndexes(
  collection: Pick<Model<unknown>['collection'], 'createIndexes'>,
  indexes: mongo.IndexDescription[],
): Promise<void> {
  try {
    await collection.createIndexes(indexes);
  } catch (error) {
    if (!lacksExpiry(error)) throw error;
    await collection.createIndexes(indexes.map(withoutExpiry));
  }
}

/** An index whose rows expire some time after the instant in its field. */
interface Expiry {
  model: Model<unknown>;
  field: string;
  seconds: number;
}

function expiriesOf(connection: Connection): Expiry[] {
  return Object.values(connection.models).flatMap((model) =>
    model.schema.indexes().flatMap(([key, { expireAfterSeconds }]) => {
      const [field = ''] = Object.keys(key);
      return typeof expireAfterSeconds === 'number' ? [{ model, field, seconds: expireAfterSeconds }] : [];
    }),
  );
}

async function isRemovedByServer({ model, field }: Expiry): Promise<boolean> {
  const indexes = await model.collection.indexes();
  return indexes.some(({ key, expireAfterSeconds }) => field in key && expireAfterSeconds !== undefined);
}

/** Removes expired rows from collections with TTL indexes. */
export function createExpiredRows(connection: Connection) {
  return {
    /** Removes expired rows if the server does not do so itself, as MongoDB and the embedded engine do. @returns how many */
    async remove(now: Date): Promise<number> {
      let removed = 0;
      for (const expiry of expiriesOf(connection)) {
        if (await isRemovedByServer(expiry)) continue;
        const end = new Date(now.getTime() - expiry.seconds * 1000);
        removed += await removeInBatches(expiry.model, { [expiry.field]: trusted({ $lte: end }) });
      }
      return removed;
    },
  };
}
