import { Schema, trusted, type Connection } from 'mongoose';
import { removeInBatches, retryOnDuplicate } from './writes.server.ts';
import { modelOf } from './model-of.server.ts';

/** Part of a person's calculations, as documents name it: those that are kept, or those of one sign-in. */
export interface CalculationPart {
  userId: string;
  shelf: string;
}

/** Sums over a part. */
export interface CalculationSums {
  total: number;
  /** Different compound names. */
  names: number;
  /** Sum of the concentrations: whole mg/ml, and the rest in 10^-9. Whole numbers add up without drift. */
  concentrationWhole: number;
  concentrationNano: number;
}

/** What the sums need to know of a calculation. */
export interface CountedCalculation {
  /** Null without a name. */
  nameKey: string | null;
  /** mg/ml */
  concentration: number;
}

/** A document of `calculation_counters`: the sums of a part as they were last counted from its rows. */
interface CalculationCounterRow extends CalculationPart, CalculationSums {
  /** `<userId>/<shelf>` */
  _id: string;
  /** Goes up before the rows change. */
  revision: number;
  /** The revision that the sums were counted at; they hold while it stands. Older versions wrote none. */
  countedRevision?: number;
  /** When the rows last began to change; absent when nobody knows. */
  changedAt?: Date;
}

const count = { type: Number, default: 0 };

const calculationCounterSchema = new Schema<CalculationCounterRow>(
  {
    _id: { type: String, required: true },
    userId: { type: String, required: true },
    shelf: { type: String, required: true },
    revision: count,
    countedRevision: Number,
    changedAt: Date,
    total: count,
    names: count,
    concentrationWhole: count,
    concentrationNano: count,
  },
  { collection: 'calculation_counters' },
);

calculationCounterSchema.index({ userId: 1, shelf: 1 });

const identity = ({ userId, shelf }: CalculationPart) => ({ _id: `${userId}/${shelf}`, userId, shelf });

/** A change that began before this age is in the rows, or was cut off. */
const SETTLED_MS = 60_000;

const NANO = 1_000_000_000;

/** A concentration in mg/ml as two whole numbers: what is before the point, and the rest in 10^-9. */
export function concentrationParts(concentration: number): { whole: number; nano: number } {
  const whole = Math.floor(concentration);
  return { whole, nano: Math.round((concentration - whole) * NANO) };
}

/** The sums of a part that nothing was ever written to. */
const NOTHING: CalculationSums = { total: 0, names: 0, concentrationWhole: 0, concentrationNano: 0 };

/** @param batches in order of their names, so that counting different ones holds one of them only */
async function sumUp(batches: AsyncIterable<CountedCalculation[]>): Promise<CalculationSums> {
  const sums = { ...NOTHING };
  let lastName: string | null = null;
  for await (const batch of batches) {
    for (const { nameKey, concentration } of batch) {
      const { whole, nano } = concentrationParts(concentration);
      sums.total += 1;
      sums.concentrationWhole += whole;
      sums.concentrationNano += nano;
      if (nameKey !== null && nameKey !== lastName) sums.names += 1;
      lastName = nameKey;
    }
  }
  return sums;
}

/**
 * Sums over calculations, counted from the rows when they are asked for and kept until the rows change: people look at
 * their history far more often than they add to it, and a look must not cost more in a long history.
 * @param readRows the rows of a part in order of their names
 */
export function createCalculationTotals(
  connection: Connection,
  readRows: (part: CalculationPart) => AsyncIterable<CountedCalculation[]>,
) {
  const model = modelOf<CalculationCounterRow>(connection, 'CalculationCounter', calculationCounterSchema);
  return {
    /** Notes that rows of a part change; call it before they do, and after as well where that may take long. */
    async markChanged(part: CalculationPart, at: Date): Promise<void> {
      const change = { $inc: { revision: 1 }, $max: { changedAt: at } };
      await retryOnDuplicate(() => model.updateOne(identity(part), change, { upsert: true }));
    },

    /** The same for all parts of a person's. */
    async markAllChanged(userId: string): Promise<void> {
      await model.updateMany({ userId }, { $inc: { revision: 1 } });
    },

    async sums(part: CalculationPart, now: Date): Promise<CalculationSums> {
      const known = await model.findOne(identity(part)).lean();
      if (known === null) return NOTHING;
      if (known.countedRevision === known.revision) return known;
      const sums = await sumUp(readRows(part));
      // A row whose writing has begun may still come without another note, so these sums are not kept yet.
      const isSettled = now.getTime() - (known.changedAt?.getTime() ?? 0) > SETTLED_MS;
      if (isSettled) {
        const { revision } = known;
        await model.updateOne(
          { ...identity(part), revision },
          { $set: { ...sums, countedRevision: revision } },
        );
      }
      return sums;
    },

    /** Forgets one part of a person's, or all that are not `kept`. */
    async clear(userId: string, part: { shelf: string } | { kept: string }): Promise<void> {
      const shelf = 'shelf' in part ? part.shelf : trusted({ $ne: part.kept });
      await removeInBatches(model, { userId, shelf });
    },
  };
}
