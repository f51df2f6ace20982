import { Schema, trusted, type Connection } from 'mongoose';
import {
  effectDetails,
  effectDetailsOf,
  type SideEffect,
  type SideEffectImage,
} from '#app/domain/tracking/side-effect-schema.ts';
import type { CountedEffect } from '#app/domain/tracking/side-effects.ts';
import type { InstantRange } from '#app/domain/time/zoned-time.ts';
import { changedSince, during, containing } from '../store/queries.server.ts';
import {
  importedUnlessEdited,
  EDITED,
  ownedRows,
  recordOf,
  type ListPart,
  type OwnedRecord,
} from '../store/owned-rows.server.ts';
import { modelOf, textColumns } from '../store/model-of.server.ts';

/** A document of `side_effects`. */
export interface SideEffectRow extends SideEffect {
  _id: string;
  userId: string;
  /** Details of its pictures; their content is in GridFS. */
  images: SideEffectImage[];
  createdAt: Date;
  updatedAt: Date;
  importId?: string;
  edits?: number;
}

const text = { type: String, required: true };
const number = { type: Number, required: true };
const instant = { type: Date, required: true };

const imageSchema = new Schema<SideEffectImage>(
  { id: text, contentType: text, bytes: number, width: number, height: number, addedAt: instant },
  // The picture's own `id` is stored; mongoose's virtual `id` would hide it.
  { _id: false, id: false },
);

export const sideEffectRowSchema = new Schema<SideEffectRow>(
  {
    _id: text,
    userId: text,
    name: text,
    severity: number,
    startedAt: instant,
    resolvedDate: { type: String, default: null },
    resolvedAt: { type: Date, default: null },
    ...textColumns(effectDetails),
    images: { type: [imageSchema], default: [] },
    createdAt: instant,
    updatedAt: instant,
    importId: String,
    edits: Number,
  },
  { collection: 'side_effects' },
);

sideEffectRowSchema.index({ userId: 1, startedAt: -1, _id: -1 });

export type SideEffectRecord = OwnedRecord<SideEffectRow>;

/** Details that the row lacks are null. */
const toEffect = (row: SideEffectRow): SideEffectRecord => recordOf({ ...row, ...effectDetailsOf(row) });

/** Which side effects to read. */
interface EffectSelection {
  range: InstantRange;
  search?: string;
  severity?: number | undefined;
  state?: 'all' | 'open' | 'resolved';
  /** Only what was added or changed then or later. */
  updatedSince?: Date | undefined;
}

function filterOf({ range, search = '', severity, state = 'all', updatedSince }: EffectSelection) {
  const over = state === 'open' ? null : trusted({ $ne: null });
  return {
    ...during('startedAt', range),
    ...containing(search, ['name', 'notes']),
    ...(severity === undefined ? {} : { severity }),
    ...(state === 'all' ? {} : { resolvedAt: over }),
    ...changedSince(updatedSince),
  } as object;
}

const COUNTED = { name: 1, severity: 1, startedAt: 1, resolvedAt: 1 } as const;

/** Side effects. Every call names the owner. */
export function createSideEffectRepository(connection: Connection) {
  const model = modelOf<SideEffectRow>(connection, 'SideEffect', sideEffectRowSchema);
  const rows = ownedRows(model, EDITED, toEffect);
  return {
    create: rows.insert,
    find: rows.find,
    update: rows.change,
    delete: rows.remove,

    /** Part of a list, latest start first. */
    list: (userId: string, selection: EffectSelection, page: ListPart) =>
      rows.list(userId, filterOf(selection), { sort: { startedAt: -1, _id: -1 }, ...page }),

    count: (userId: string, selection: EffectSelection) => rows.count(userId, filterOf(selection)),

    /** Side effects that started in a range, oldest first, in batches. */
    stream: (userId: string, range: InstantRange) =>
      rows.stream(userId, during('startedAt', range), { startedAt: 1, _id: 1 }),

    /** Only the fields that figures are calculated from, oldest first. */
    async counted(userId: string, range: InstantRange): Promise<CountedEffect[]> {
      return model
        .find({ userId, ...during('startedAt', range) }, COUNTED)
        .sort({ startedAt: 1, _id: 1 })
        .lean();
    },

    /** @returns false when it has reached its limit of pictures, or does not exist */
    async addImage(userId: string, id: string, image: SideEffectImage, most: number): Promise<boolean> {
      const room = { [`images.${most - 1}`]: trusted({ $exists: false }) };
      const result = await model.updateOne(
        { userId, _id: id, ...room },
        { $push: { images: image }, $set: { updatedAt: image.addedAt }, ...EDITED },
      );
      return result.modifiedCount === 1;
    },

    /** @returns whether it existed */
    async deleteImage(userId: string, id: string, imageId: string, at: Date): Promise<boolean> {
      const update = { $pull: { images: { id: imageId } }, $set: { updatedAt: at }, ...EDITED };
      const result = await model.updateOne({ userId, _id: id, 'images.id': imageId }, update);
      return result.modifiedCount === 1;
    },
  };
}

/** Side effects that an import adds. */
export const createSideEffectImport = (connection: Connection) =>
  importedUnlessEdited(modelOf<SideEffectRow>(connection, 'SideEffect', sideEffectRowSchema));
