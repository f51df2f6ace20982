import type { Connection } from 'mongoose';
import { adminFiguresSchema, type AdminFiguresRow } from './admin-figures.model.server.ts';
import { retryOnDuplicate } from './duplicate-key.server.ts';
import { modelOf } from './model-of.server.ts';

/** The figures, and when they were counted. */
export type KeptFigures = Omit<AdminFiguresRow, '_id'>;

const KEY = 'overview';

/** The figures of the overview of a store with too many accounts to count each time. Nobody owns them. */
export function createAdminFiguresRepository(connection: Connection) {
  const model = modelOf<AdminFiguresRow>(connection, 'AdminFigures', adminFiguresSchema);
  return {
    async find(): Promise<KeptFigures | null> {
      const row = await model.findOne({ _id: KEY }).lean();
      if (row === null) return null;
      const { _id, ...figures } = row;
      return figures;
    },

    /** Keeps figures in place of those before. */
    async keep(figures: KeptFigures): Promise<void> {
      await retryOnDuplicate(() => model.updateOne({ _id: KEY }, { $set: figures }, { upsert: true }));
    },
  };
}
