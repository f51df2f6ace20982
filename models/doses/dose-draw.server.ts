import { Schema, trusted, type Connection } from 'mongoose';
import { removeInBatches } from '../store/writes.server.ts';
import { modelOf } from '../store/model-of.server.ts';

/**
 * A document of `dose_draws`: a dose was drawn from this vial. Earlier versions wrote it before the dose, so some are of
 * doses that were not taken after all; the dose itself says what was taken.
 */
interface DoseDrawRow {
  /** Made of the dose, its round and the vial. */
  _id: string;
  userId: string;
  compoundId: string;
  doseId: string;
  /** Higher each time the dose is taken. */
  round: number;
}

const text = { type: String, required: true };

const doseDrawSchema = new Schema<DoseDrawRow>(
  { _id: text, userId: text, compoundId: text, doseId: text, round: { type: Number, required: true } },
  { collection: 'dose_draws' },
);

const VIAL_INDEX = { userId: 1, compoundId: 1, doseId: 1 } as const;
doseDrawSchema.index({ ...VIAL_INDEX });
doseDrawSchema.index({ userId: 1, doseId: 1, round: 1 });

/** A taken dose, and what it draws. */
interface Taken {
  doseId: string;
  round: number;
  draws: readonly { compoundId: string }[];
}

/** From which vials doses were drawn. Every call names the owner. */
export function createDoseDrawRepository(connection: Connection) {
  const model = modelOf<DoseDrawRow>(connection, 'DoseDraw', doseDrawSchema);
  return {
    /** Records the vials of doses that are being taken. */
    async add(userId: string, taken: readonly Taken[]): Promise<void> {
      const rows = taken.flatMap(({ doseId, round, draws }) => {
        const vials = [...new Set(draws.map(({ compoundId }) => compoundId))];
        return vials.map((compoundId) => {
          return { _id: `${doseId}:${round}:${compoundId}`, userId, compoundId, doseId, round };
        });
      });
      await model.insertMany(rows);
    },

    /** Removes the vials of a dose that was undone, but not those of a later round. */
    async remove(userId: string, doseId: string, round: number): Promise<void> {
      await removeInBatches(model, { userId, doseId, round: trusted({ $lte: round }) });
    },

    /** The doses that may have been drawn from any of some vials. */
    async dosesOf(userId: string, vialIds: readonly string[]): Promise<string[]> {
      const filter = { userId, compoundId: trusted({ $in: [...vialIds] }) };
      const rows = await model
        .find(filter, { doseId: 1 })
        .hint({ ...VIAL_INDEX })
        .lean();
      return [...new Set(rows.map(({ doseId }) => doseId))];
    },
  };
}
