import { trusted, type Connection, type Model, type mongo } from 'mongoose';
import { removeInBatches } from './writes.server.ts';

/** The code by which a server says that it does not have something. */
const NOT_IMPLEMENTED = 238;

/** Error codes of servers that refuse an index by which they would have to remove rows themselves. */
function lacksExpiry(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === NOT_IMPLEMENTED;
}

const withoutExpiry = ({ expireAfterSeconds: _, ...index }: mongo.IndexDescription): mongo.IndexDescription =>
  index;

/**
 * Makes the missing indexes of a collection. Where the server cannot remove rows at a time of its own, the index is made
 * without that, and {@link createExpiredRows} removes them.
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

/** An index whose rows are over some time after the instant in its field. */
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

/** Rows whose time is over, in collections that keep nothing for good. */
export function createExpiredRows(connection: Connection) {
  return {
    /** Removes them where the server does not do so by itself, as MongoDB and the embedded engine do. @returns how many */
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
