import { Schema, trusted, type Connection } from 'mongoose';
import {
  nutritionValues,
  nutritionValuesOf,
  type NutritionEntry,
} from '#app/domain/tracking/nutrition-schema.ts';
import { changedSince } from '../store/queries.server.ts';
import { insertMissing, retryOnDuplicate } from '../store/writes.server.ts';
import {
  importedUnlessEdited,
  EDITED,
  ownedRows,
  recordOf,
  type ListPart,
  type OwnedRecord,
} from '../store/owned-rows.server.ts';
import { modelOf, NOTES_CHANGES, textColumns } from '../store/model-of.server.ts';

/** A document of `nutrition`: one per person and day. */
export interface NutritionRow extends Omit<NutritionEntry, 'id'> {
  _id: string;
  userId: string;
  createdAt: Date;
  /** When it was last changed; set by mongoose. */
  updatedAt?: Date;
  importId?: string;
  edits?: number;
}

const text = { type: String, required: true };

export const nutritionRowSchema = new Schema<NutritionRow>(
  {
    _id: text,
    userId: text,
    date: text,
    ...textColumns(nutritionValues),
    createdAt: { type: Date, required: true },
    importId: String,
    edits: Number,
  },
  { collection: 'nutrition', ...NOTES_CHANGES },
);

nutritionRowSchema.index({ userId: 1, date: -1 }, { unique: true });

export type NutritionRecord = OwnedRecord<NutritionRow>;

/** Values that the row lacks are null. */
const toEntry = (row: NutritionRow): NutritionRecord => recordOf({ ...row, ...nutritionValuesOf(row) });

/** From the first day to the last, both inclusive; an absent side is open. */
interface DayRange {
  first: string | null;
  last: string | null;
}

/** Which days to read: those of a range, changed since an instant. */
interface DaySelection extends DayRange {
  updatedSince?: Date | undefined;
}

const filterOf = ({ updatedSince, ...range }: DaySelection) => ({
  ...between(range),
  ...changedSince(updatedSince),
});

type Values = Partial<Omit<NutritionRecord, 'id' | 'date' | 'createdAt'>>;

function between({ first, last }: DayRange): object {
  const bounds = { ...(first !== null && { $gte: first }), ...(last !== null && { $lte: last }) };
  return Object.keys(bounds).length === 0 ? {} : { date: trusted(bounds) };
}

/** Nutrition by day. Every call names the owner. */
export function createNutritionRepository(connection: Connection) {
  const model = modelOf<NutritionRow>(connection, 'Nutrition', nutritionRowSchema);
  const rows = ownedRows(model, EDITED, toEntry);
  return {
    find: rows.find,
    update: rows.change,
    delete: rows.remove,

    async findDay(userId: string, date: string): Promise<NutritionRecord | null> {
      const row = await model.findOne({ userId, date }).lean();
      return row === null ? null : toEntry(row as NutritionRow);
    },

    /** Sets values of a day, creating its entry with this id if there is none. */
    async put(
      userId: string,
      key: { id: string; date: string; at: Date },
      values: Values,
    ): Promise<NutritionRecord> {
      const update = { $set: values, ...EDITED, $setOnInsert: { _id: key.id, createdAt: key.at } };
      const row = await retryOnDuplicate(() =>
        model
          .findOneAndUpdate({ userId, date: key.date }, update, {
            upsert: true,
            returnDocument: 'after',
            setDefaultsOnInsert: true,
          })
          .lean(),
      );
      return toEntry(row as NutritionRow);
    },

    /** Part of the list, latest day first. */
    list: (userId: string, selection: DaySelection, page: ListPart) =>
      rows.list(userId, filterOf(selection), { sort: { date: -1 }, ...page }),

    count: (userId: string, selection: DaySelection) => rows.count(userId, filterOf(selection)),

    /** The entries of a range, earliest day first, in batches. */
    stream: (userId: string, range: DayRange) => rows.stream(userId, between(range), { date: 1 }),
  };
}

/** Adds imported days of nutrition, which are known by their dates. A day that has an entry keeps it. */
export function createNutritionImport(connection: Connection) {
  const model = modelOf<NutritionRow>(connection, 'Nutrition', nutritionRowSchema);

  /** Which of these days have an entry. */
  async function owned(userId: string, days: readonly string[]): Promise<Set<string>> {
    const rows = await model.find({ userId, date: trusted({ $in: [...days] }) }, { date: 1 }).lean();
    return new Set(rows.map(({ date }) => date));
  }

  return {
    ...importedUnlessEdited(model),
    owned,

    /** Adds entries of days that have none. */
    async createMissing(importId: string, userId: string, newRows: readonly NutritionRow[]): Promise<void> {
      const there = await owned(
        userId,
        newRows.map(({ date }) => date),
      );
      const fresh = newRows.filter(({ date }) => !there.has(date));
      await insertMissing(
        model,
        fresh.map((row) => ({ ...row, importId })),
      );
    },
  };
}
