import { Schema, type Connection } from 'mongoose';
import {
  measurementDetails,
  measurementDetailsOf,
  type Measurement,
} from '#app/domain/tracking/measurements.ts';
import type { InstantRange } from '#app/domain/time/zoned-time.ts';
import { isDuplicateKey } from '../store/writes.server.ts';
import { CHANGES_INDEX, changedSince, changesHint, during, rowsOfLatest } from '../store/queries.server.ts';
import { modelOf, NOTES_CHANGES, textColumns } from '../store/model-of.server.ts';
import {
  EDITED,
  importedUnlessEdited,
  ownedRows,
  recordOf,
  type ListPart,
  type OwnedRecord,
} from '../store/owned-rows.server.ts';

/** A document of `measurements`: one value measured at one time. */
export interface MeasurementRow extends Omit<Measurement, 'id'> {
  _id: string;
  userId: string;
  createdAt: Date;
  /** When it was last changed; set by mongoose. */
  updatedAt?: Date;
  importId?: string;
  edits?: number;
}

const text = { type: String, required: true };

export const measurementRowSchema = new Schema<MeasurementRow>(
  {
    _id: text,
    userId: text,
    metric: text,
    measuredAt: { type: Date, required: true },
    value: { type: Number, required: true },
    text,
    // Mood has no unit.
    unit: { type: String, default: '' },
    ...textColumns(measurementDetails),
    createdAt: { type: Date, required: true },
    importId: String,
    edits: Number,
  },
  { collection: 'measurements', ...NOTES_CHANGES },
);

measurementRowSchema.index({ userId: 1, measuredAt: -1, _id: -1 });
measurementRowSchema.index({ ...CHANGES_INDEX });
measurementRowSchema.index({ userId: 1, metric: 1, measuredAt: -1 });

export type MeasurementRecord = OwnedRecord<MeasurementRow>;

/** Details that the row lacks are null. */
const toMeasurement = (row: MeasurementRow): MeasurementRecord =>
  recordOf({ ...row, ...measurementDetailsOf(row) });

/** Which measurements to read. */
interface MeasurementSelection {
  metric?: string | undefined;
  range: InstantRange;
  updatedSince?: Date | undefined;
}

const filterOf = ({ metric, range, updatedSince }: MeasurementSelection) =>
  ({
    ...(metric === undefined ? {} : { metric }),
    ...during('measuredAt', range),
    ...changedSince(updatedSince),
  }) as object;

/** How many rows an unordered insert refused as duplicates; null when anything else went wrong. */
function refusedAsDuplicates(error: unknown): number | null {
  if (typeof error !== 'object' || error === null || !('writeErrors' in error)) return null;
  const failures: unknown[] = [error.writeErrors].flat();
  return failures.every((failure) => isDuplicateKey(failure)) ? failures.length : null;
}

/** Health measurements. Every call names the owner. */
export function createMeasurementRepository(connection: Connection) {
  const model = modelOf<MeasurementRow>(connection, 'Measurement', measurementRowSchema);
  const rows = ownedRows(model, EDITED, toMeasurement);
  async function lastOf(userId: string, metric: string): Promise<MeasurementRow | undefined> {
    const read = (limit: number, measuredAt?: Date) =>
      model
        .find({ userId, metric, ...(measuredAt && { measuredAt }) })
        .sort({ measuredAt: -1 })
        .limit(limit)
        .lean<MeasurementRow[]>();
    const latest = await rowsOfLatest(read, (row) => row.measuredAt);
    return latest.sort((a, b) => (a._id < b._id ? 1 : -1))[0];
  }
  return {
    create: rows.insert,
    find: rows.find,
    update: rows.change,
    delete: rows.remove,

    /** Writes those that are not there yet. @returns how many were new */
    async createMissing(documents: readonly MeasurementRow[]): Promise<number> {
      if (documents.length === 0) return 0;
      try {
        return (await model.insertMany([...documents], { ordered: false })).length;
      } catch (error) {
        const refused = refusedAsDuplicates(error);
        if (refused === null) throw error;
        // Not the server's own count: some servers include refused rows.
        return documents.length - refused;
      }
    },

    /** Part of the list, latest first. */
    async list(userId: string, selection: MeasurementSelection, page: ListPart) {
      const hint = await changesHint(model, userId, selection.updatedSince);
      return rows.list(userId, filterOf(selection), { sort: { measuredAt: -1, _id: -1 }, hint, ...page });
    },

    count: (userId: string, selection: MeasurementSelection) => rows.count(userId, filterOf(selection)),

    /** All measurements of a period, oldest first, in batches. */
    stream: (userId: string, range: InstantRange) =>
      rows.stream(userId, filterOf({ range }), { measuredAt: 1, _id: 1 }),

    /** The latest measurement of each measure, as a list would show first; one index read for each. */
    async latest(userId: string, metrics: readonly string[]): Promise<MeasurementRecord[]> {
      const found = await Promise.all(metrics.map((metric) => lastOf(userId, metric)));
      return found.flatMap((row) => (row === undefined ? [] : [toMeasurement(row)]));
    },
  };
}

/** Measurements that an import adds. */
export const createMeasurementImport = (connection: Connection) =>
  importedUnlessEdited(modelOf<MeasurementRow>(connection, 'Measurement', measurementRowSchema));
