import { Schema, trusted, type Connection } from 'mongoose';
import { whereRoom } from '../store/database-errors.server.ts';
import { removeInBatches } from '../store/writes.server.ts';
import { modelOf } from '../store/model-of.server.ts';

/** Part of a person's calculations as named in documents: the saved ones, or those of one sign-in. */
export interface CalculationPart {
  userId: string;
  shelf: string;
}

/** Sums over a part. */
export interface CalculationSums {
  total: number;
  /** Different compound names. */
  names: number;
  /** How many of them have a concentration in mg/ml. */
  concentrations: number;
  /** Sum of those: whole mg/ml, and the rest in 10^-9. Whole numbers add up without drift. */
  concentrationWhole: number;
  concentrationNano: number;
}

/** What the sums need to know of a calculation. */
export interface CountedCalculation {
  /** Null without a name. */
  nameKey: string | null;
  /** mg/ml; null for what is measured in IU, and for capsules. */
  concentration: number | null;
}

/** A document of `calculation_counters`: the sums of a part as they were last counted from its rows. */
interface CalculationCounterRow extends CalculationPart, Omit<CalculationSums, 'concentrations'> {
  concentrations?: number;
  /** `<userId>/<shelf>` */
  _id: string;
  /** Incremented with every change of the rows, in the same transaction. */
  revision: number;
  /** The revision that the sums were counted at; they are valid while it equals `revision`. Older versions wrote none. */
  countedRevision?: number;
}

const count = { type: Number, default: 0 };

const calculationCounterSchema = new Schema<CalculationCounterRow>(
  {
    _id: { type: String, required: true },
    userId: { type: String, required: true },
    shelf: { type: String, required: true },
    revision: count,
    countedRevision: Number,
    total: count,
    names: count,
    // Absent in older documents, whose calculations all have one.
    concentrations: Number,
    concentrationWhole: count,
    concentrationNano: count,
  },
  { collection: 'calculation_counters' },
);

calculationCounterSchema.index({ userId: 1, shelf: 1 });

const identity = ({ userId, shelf }: CalculationPart) => ({ _id: `${userId}/${shelf}`, userId, shelf });

const NANO = 1_000_000_000;

/** A concentration in mg/ml as two whole numbers: the integer part, and the rest in 10^-9. */
export function concentrationParts(concentration: number): { whole: number; nano: number } {
  const whole = Math.floor(concentration);
  return { whole, nano: Math.round((concentration - whole) * NANO) };
}

/** The sums of an empty part. */
const NOTHING: CalculationSums = {
  total: 0,
  names: 0,
  concentrations: 0,
  concentrationWhole: 0,
  concentrationNano: 0,
};

/** @param batches sorted by name, so that counting distinct names needs only the last one in memory */
async function sumUp(batches: AsyncIterable<CountedCalculation[]>): Promise<CalculationSums> {
  const sums = { ...NOTHING };
  let lastName: string | null = null;
  for await (const batch of batches) {
    for (const { nameKey, concentration } of batch) {
      sums.total += 1;
      if (concentration !== null) {
        const { whole, nano } = concentrationParts(concentration);
        sums.concentrations += 1;
        sums.concentrationWhole += whole;
        sums.concentrationNano += nano;
      }
      if (nameKey !== null && nameKey !== lastName) sums.names += 1;
      lastName = nameKey;
    }
  }
  return sums;
}

/**
 * Sums over calculations, counted from the rows on demand and cached until the rows change: people view
 * their history far more often than they add to it, and viewing a long history must not cost more.
 * @param readRows the rows of a part in order of their names
 */
export function createCalculationTotals(
  connection: Connection,
  readRows: (part: CalculationPart) => AsyncIterable<CountedCalculation[]>,
) {
  const model = modelOf<CalculationCounterRow>(connection, 'CalculationCounter', calculationCounterSchema);
  return {
    /** Records that rows of a part change. For transactions that change them. */
    async markChanged(part: CalculationPart): Promise<void> {
      await model.updateOne(identity(part), { $inc: { revision: 1 } }, { upsert: true });
    },

    /** The same for all parts of one person. */
    async markAllChanged(userId: string): Promise<void> {
      await model.updateMany({ userId }, { $inc: { revision: 1 } });
    },

    async sums(part: CalculationPart): Promise<CalculationSums> {
      const known = await model.findOne(identity(part)).lean();
      if (known === null) return NOTHING;
      const { revision } = known;
      if (known.countedRevision === revision)
        return { ...known, concentrations: known.concentrations ?? known.total };
      const sums = await sumUp(readRows(part));
      // Not if rows have changed while they were counted.
      const counted = { $set: { ...sums, countedRevision: revision } };
      await whereRoom(model.updateOne({ ...identity(part), revision }, counted).exec());
      return sums;
    },

    /** Removes the sums of one part, or of all parts but `kept`. */
    async clear(userId: string, part: { shelf: string } | { kept: string }): Promise<void> {
      const shelf = 'shelf' in part ? part.shelf : trusted({ $ne: part.kept });
      await removeInBatches(model, { userId, shelf });
    },
  };
}
