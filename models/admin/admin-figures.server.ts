import { Schema, type InferSchemaType, type Connection } from 'mongoose';
import { retryOnDuplicate } from '../store/writes.server.ts';
import { modelOf } from '../store/model-of.server.ts';

const figure = { type: Number, required: true } as const;

/** The only document of `admin_figures`: the overview figures as last counted. */
const adminFiguresSchema = new Schema(
  {
    _id: { type: String, required: true },
    at: { type: Date, required: true },
    totalUsers: figure,
    premiumUsers: figure,
    freeUsers: figure,
    /** US dollars. */
    monthlyRevenue: figure,
    activeUsers: figure,
  },
  { collection: 'admin_figures' },
);

type AdminFiguresRow = InferSchemaType<typeof adminFiguresSchema>;

/** The figures, and when they were counted. */
type KeptFigures = Omit<AdminFiguresRow, '_id'>;

const KEY = 'overview';

/** Overview figures, stored when there are too many accounts to count each time. They have no owner. */
export function createAdminFiguresRepository(connection: Connection) {
  const model = modelOf<AdminFiguresRow>(connection, 'AdminFigures', adminFiguresSchema);
  return {
    async find(): Promise<KeptFigures | null> {
      const row = await model.findOne({ _id: KEY }).lean();
      if (row === null) return null;
      const { _id, ...figures } = row;
      return figures;
    },

    /** Replaces the stored figures. */
    async keep(figures: KeptFigures): Promise<void> {
      await retryOnDuplicate(() => model.updateOne({ _id: KEY }, { $set: figures }, { upsert: true }));
    },
  };
}
