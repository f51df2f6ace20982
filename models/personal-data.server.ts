import type { Connection, Model } from 'mongoose';
import { HOLDINGS } from './personal-data-rules.ts';
import { STREAM_BATCH } from './stream-batch.ts';

/** Whom a search for everything about somebody is for. */
export interface Subject {
  id: string;
  email: string;
}

type Row = Record<string, unknown>;
type Filter = Row;

/** How documents about a person are found where they do not name their owner by `userId`. */
const FILTERS: Readonly<Record<string, (subject: Subject) => Filter>> = {
  users: ({ id }) => ({ _id: id }),
  demo_interest: ({ email }) => ({ _id: email }),
  role_holders: ({ id }) => ({ _id: 'super_admin', userIds: id }),
  audit: ({ id }) => ({ subjectId: id }),
};

/** Removed in this order after all others: an account that is half gone must still be found. */
const LAST = ['addresses', 'users'];

const DELETED = Object.keys(FILTERS).filter((name) => name !== 'role_holders');

/** Everything that is stored about one person, whichever collection it is in. */
export function createHoldingsRepository(connection: Connection) {
  const modelsOf = (): Model<Row>[] =>
    Object.values(connection.models).filter(
      ({ schema, collection }) => schema.path('userId') !== undefined || collection.collectionName in FILTERS,
    ) as unknown as Model<Row>[];
  const nameOf = (model: Model<Row>) => model.collection.collectionName;
  const filterOf = (model: Model<Row>, subject: Subject): Filter =>
    (FILTERS[nameOf(model)] ?? (({ id }: Subject) => ({ userId: id })))(subject);

  function projectionOf(collection: string): Record<string, 0 | 1> {
    if (collection === 'role_holders') return { _id: 1 };
    return Object.fromEntries((HOLDINGS[collection]?.hidden ?? []).map((field) => [field, 0]));
  }

  async function remove(model: Model<Row>, subject: Subject): Promise<void> {
    const collection = nameOf(model);
    if (HOLDINGS[collection]?.keptBecause !== undefined) return;
    const filter = filterOf(model, subject);
    if (collection === 'role_holders') await model.updateOne(filter, { $pull: { userIds: subject.id } });
    else if (DELETED.includes(collection)) await model.deleteOne(filter);
    else await model.deleteMany(filter);
  }

  return {
    /** The collections that may hold something, by name. */
    collections: () => Promise.resolve(modelsOf().map(nameOf).sort()),

    /** How many documents of a collection are somebody's. */
    async count(collection: string, userId: string): Promise<number> {
      const model = modelsOf().find((candidate) => nameOf(candidate) === collection);
      return model === undefined ? 0 : model.countDocuments({ userId });
    },

    /** All documents about somebody in one collection, without what opens something. */
    async *documents(collection: string, subject: Subject): AsyncGenerator<Row> {
      const model = modelsOf().find((candidate) => nameOf(candidate) === collection);
      if (model === undefined) return;
      const cursor = model
        .find(filterOf(model, subject), projectionOf(collection))
        .lean()
        .cursor({ batchSize: STREAM_BATCH });
      for await (const row of cursor) yield row as Row;
    },

    /** Removes everything but what is kept under an id alone. The account itself goes last. */
    async removeAll(subject: Subject): Promise<void> {
      const rank = (model: Model<Row>) => LAST.indexOf(nameOf(model));
      for (const model of modelsOf().sort((a, b) => rank(a) - rank(b))) await remove(model, subject);
    },
  };
}

export type HoldingsRepository = ReturnType<typeof createHoldingsRepository>;
