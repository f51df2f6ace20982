import { Schema, trusted, type Connection } from 'mongoose';
import { retryOnDuplicate, isDuplicateKey } from '../store/writes.server.ts';
import { modelOf } from '../store/model-of.server.ts';

/** A measure that a person has added. */
interface OwnMetricRow {
  /** `own-…`; created once and not changed by renaming. */
  key: string;
  name: string;
  unit: string;
}

/** A document of `tracking_choices`: a person's tracking settings, once they have changed any. */
interface TrackingChoiceRow {
  /** The account's id. */
  _id: string;
  userId: string;
  /** Injection sites that are switched off. */
  sitesOff: string[];
  /** Names of own side-effect templates, in the order they were added. */
  templates: string[];
  /** Own health measures, in the order they were added. */
  metrics: OwnMetricRow[];
}

const metricSchema = new Schema<OwnMetricRow>(
  {
    key: { type: String, required: true },
    name: { type: String, required: true },
    unit: { type: String, default: '' },
  },
  { _id: false },
);

const trackingChoiceSchema = new Schema<TrackingChoiceRow>(
  {
    _id: { type: String, required: true },
    userId: { type: String, required: true },
    sitesOff: { type: [String], default: [] },
    templates: { type: [String], default: [] },
    metrics: { type: [metricSchema], default: [] },
  },
  { collection: 'tracking_choices' },
);

trackingChoiceSchema.index({ userId: 1 });

type TrackingChoices = Pick<TrackingChoiceRow, 'sitesOff' | 'templates' | 'metrics'>;

/** People's tracking settings; each change is one atomic update of the owner's document. */
export function createTrackingChoiceRepository(connection: Connection) {
  const model = modelOf<TrackingChoiceRow>(connection, 'TrackingChoice', trackingChoiceSchema);

  /** Adds to a list if it has room and the filter matches. @returns false otherwise */
  async function push(userId: string, filter: object, addition: object): Promise<boolean> {
    try {
      const result = await retryOnDuplicate(() =>
        model.updateOne({ _id: userId, userId, ...filter }, { $push: addition }, { upsert: true }),
      );
      return result.modifiedCount + result.upsertedCount === 1;
    } catch (error) {
      // The document exists but does not match the filter: the list is full or already contains it.
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }

  return {
    /** The settings; by default, nothing is switched off or added. */
    async find(userId: string): Promise<TrackingChoices> {
      const row = await model.findOne({ userId }).lean();
      return {
        sitesOff: row?.sitesOff ?? [],
        templates: row?.templates ?? [],
        metrics: row?.metrics ?? [],
      };
    },

    async setSitesOff(userId: string, sitesOff: string[]): Promise<void> {
      const update = { $set: { sitesOff } };
      await retryOnDuplicate(() => model.updateOne({ _id: userId, userId }, update, { upsert: true }));
    },

    /** @returns false when it exists already or there are already `most` */
    addTemplate: (userId: string, name: string, most: number): Promise<boolean> =>
      push(
        userId,
        { templates: trusted({ $ne: name }), [`templates.${most - 1}`]: trusted({ $exists: false }) },
        { templates: name },
      ),

    /** @returns whether there was one */
    async deleteTemplate(userId: string, name: string): Promise<boolean> {
      const result = await model.updateOne({ userId, templates: name }, { $pull: { templates: name } });
      return result.modifiedCount === 1;
    },

    /** @returns false when its key exists already or there are already `most` */
    addMetric: (userId: string, metric: OwnMetricRow, most: number): Promise<boolean> =>
      push(
        userId,
        { 'metrics.key': trusted({ $ne: metric.key }), [`metrics.${most - 1}`]: trusted({ $exists: false }) },
        { metrics: metric },
      ),

    /** @returns whether there was one */
    async deleteMetric(userId: string, key: string): Promise<boolean> {
      const update = { $pull: { metrics: { key } } };
      const result = await model.updateOne({ userId, 'metrics.key': key }, update);
      return result.modifiedCount === 1;
    },
  };
}
