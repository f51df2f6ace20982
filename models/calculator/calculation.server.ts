import { trusted, Schema, type Connection, type Model, type QueryFilter } from 'mongoose';
import type { HistoryEntry, HistorySort } from '#app/domain/calculator/history.ts';
import type { CalculationInput, SyringeChoice } from '#app/domain/calculator/calculation.ts';
import type { InstantRange } from '#app/domain/time/zoned-time.ts';
import { DAY_MS } from '#app/domain/time/calendar.ts';
import { removeInBatches, ROWS_AT_ONCE, updateInBatches } from '../store/writes.server.ts';
import { transactionsOf, type Transaction } from '../store/transaction.server.ts';
import {
  createCalculationTotals,
  type CalculationPart,
  type CalculationSums,
  type CountedCalculation,
} from './calculation-totals.server.ts';
import {
  CHANGES_INDEX,
  changedSince,
  changesHint,
  differentTexts,
  containing,
  during,
  directed,
  inBatches,
  rangesBeyond,
  readRanges,
  type Direction,
  type SortFields,
  STREAMING,
} from '../store/queries.server.ts';
import { importedRows } from '../store/owned-rows.server.ts';
import { modelOf, NOTES_CHANGES } from '../store/model-of.server.ts';

/** The decimal text and choices entered for a saved calculation. Fields it did not use are absent. */
interface CalculationInputRow {
  solveFor: string;
  /** Absent for powder. */
  form?: string;
  /** Absent for mg. */
  amountUnit?: string;
  peptideAmount: string;
  /** The amount a laboratory measured, used instead. */
  measuredAmount?: string;
  /** Of a blend; a row without them is of a single peptide. */
  components?: readonly { name: string; amount: string }[];
  doseOf?: string;
  waterVolume?: string;
  desiredDose?: string;
  desiredDoseUnit: string;
  drawVolume?: string;
  /** A built-in one's id, or one of their own as it was then. */
  syringe: SyringeChoice;
  mark?: string;
  displacement: string;
  clickMl?: string;
  sprayMl?: string;
  pieces?: string;
  vials?: string;
  deadSpaceMl?: string;
  cost?: string;
}

/** A document of `calculations`. */
interface CalculationRow {
  _id: string;
  userId: string;
  /** {@link KEPT}, or the sign-in that it belongs to and is removed with. */
  shelf: string;
  /** Sent by the client, so that submitting a form twice saves once; otherwise the row's own id. */
  saveKey: string;
  createdAt: Date;
  /** When it was saved, or kept when its sign-in would have removed it; set by mongoose. */
  updatedAt?: Date;
  type: 'reconstitution';
  input: CalculationInputRow;
  peptideName: string | null;
  /** The name in the form it is sorted and counted by; '' without a name. */
  nameKey: string;
  notes: string | null;
  /** mg or IU per ml; 0 for capsules. */
  concentration: number;
  injectionVolume: number;
  /** The import that added it. */
  importId?: string;
}

/** The `shelf` of saved calculations. */
const KEPT = 'kept';

const inputSchema = new Schema<CalculationInputRow>(
  {
    solveFor: { type: String, required: true },
    peptideAmount: { type: String, required: true },
    measuredAmount: String,
    components: {
      type: [
        { _id: false, name: { type: String, required: true }, amount: { type: String, required: true } },
      ],
      default: undefined,
    },
    doseOf: String,
    waterVolume: String,
    desiredDose: String,
    desiredDoseUnit: { type: String, required: true },
    drawVolume: String,
    syringe: { type: Schema.Types.Mixed, required: true },
    mark: String,
    displacement: { type: String, required: true },
    form: String,
    amountUnit: String,
    clickMl: String,
    sprayMl: String,
    pieces: String,
    vials: String,
    deadSpaceMl: String,
    cost: String,
  },
  { _id: false },
);

const calculationSchema = new Schema<CalculationRow>(
  {
    _id: { type: String, required: true },
    userId: { type: String, required: true },
    shelf: { type: String, required: true },
    saveKey: { type: String, required: true },
    createdAt: { type: Date, required: true },
    type: { type: String, required: true },
    input: { type: inputSchema, required: true },
    peptideName: { type: String, default: null },
    nameKey: { type: String, default: '' },
    notes: { type: String, default: null },
    concentration: { type: Number, required: true },
    injectionVolume: { type: Number, required: true },
    importId: String,
  },
  { collection: 'calculations', ...NOTES_CHANGES },
);

/** One index for each sort order of the history, named so that a hint can keep the planner on it. */
const SORT_INDEXES = {
  date: { userId: 1, createdAt: -1, _id: -1 },
  name: { userId: 1, nameKey: 1, createdAt: -1, _id: -1 },
  concentration: { userId: 1, concentration: -1, createdAt: -1, _id: -1 },
} as const;

calculationSchema.index({ ...SORT_INDEXES.date });
calculationSchema.index({ ...SORT_INDEXES.name });
calculationSchema.index({ ...SORT_INDEXES.concentration });
calculationSchema.index({ ...CHANGES_INDEX });
calculationSchema.index({ userId: 1, shelf: 1 });
calculationSchema.index({ userId: 1, saveKey: 1 }, { unique: true });

/** A calculation to write. */
export interface NewCalculation {
  id: string;
  userId: string;
  /** The sign-in that it belongs to; null saves it for good. */
  signInId: string | null;
  saveKey: string;
  createdAt: Date;
  input: CalculationInput;
  concentration: number;
  injectionVolume: number;
}

/** Sorts unnamed calculations last. */
const UNNAMED = '\uffff';

/** The form in which names are sorted and counted, ignoring case and equivalent Unicode forms. */
export function nameKeyOf(name: string | undefined): string {
  return name === undefined || name === '' ? UNNAMED : name.normalize('NFKC').toLowerCase();
}

/** Maps a stored row to the record that the rest of the program uses. */
function toEntry(row: CalculationRow): HistoryEntry {
  return {
    ...(row.input as CalculationInput),
    ...(row.peptideName === null ? {} : { peptideName: row.peptideName }),
    ...(row.notes === null ? {} : { notes: row.notes }),
    id: row._id,
    userId: row.userId,
    createdAt: row.createdAt,
    ...(row.updatedAt && { updatedAt: row.updatedAt }),
    type: row.type,
    concentration: row.concentration,
    injectionVolume: row.injectionVolume,
    isSessionOnly: row.shelf !== KEPT,
  };
}

type Present<Fields> = { [Name in keyof Fields]: Exclude<Fields[Name], undefined> };

/** A copy without the fields that are undefined. */
const withoutAbsent = <Fields extends object>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Present<Fields>;

/** Maps a calculation to its stored form, without the fields it did not use. */
export function toRow(calculation: NewCalculation): CalculationRow {
  const { id, userId, signInId, saveKey, createdAt, concentration, injectionVolume } = calculation;
  const { peptideName, notes, ...read } = calculation.input;
  return {
    _id: id,
    userId,
    shelf: signInId ?? KEPT,
    saveKey,
    createdAt,
    type: 'reconstitution',
    input: withoutAbsent(read),
    peptideName: peptideName === undefined || peptideName === '' ? null : peptideName,
    nameKey: nameKeyOf(peptideName),
    notes: notes === undefined || notes === '' ? null : notes,
    concentration,
    injectionVolume,
  };
}

/** The owner, and which of their calculations: the saved ones and those of one sign-in. */
export interface CalculationScope {
  userId: string;
  /** The sign-in whose session-only calculations count too; null for none. */
  signInId: string | null;
}

/** The values that determine a row's place in a sort. */
export interface HistoryPosition {
  createdAt: Date;
  id: string;
  /** By name: the name key. By concentration: mg/ml. By date: null. */
  key: string | number | null;
}

/** Part of a sorted list. */
interface HistorySlice {
  sort: HistorySort;
  /** Text to find in name or notes; '' for all. */
  search: string;
  /** Only those saved then or later. */
  updatedSince?: Date | undefined;
  limit: number;
  /** Start after (backwards: before) this place; null starts at the first (backwards: last) row. */
  from: HistoryPosition | null;
  backwards: boolean;
  /** Rows to skip. */
  skip: number;
}

/** Sums over everything in a scope. */
export interface CalculationTotals extends CalculationSums {
  /** Made in the last 7 × 24 hours. */
  lastWeek: number;
}

const partOf = (userId: string, signInId: string | null): CalculationPart => ({
  userId,
  shelf: signInId ?? KEPT,
});

const partsOf = ({ userId, signInId }: CalculationScope): CalculationPart[] =>
  signInId === null ? [partOf(userId, null)] : [partOf(userId, null), partOf(userId, signInId)];

const within = (scope: CalculationScope): QueryFilter<CalculationRow> => ({
  userId: scope.userId,
  shelf: trusted({ $in: partsOf(scope).map(({ shelf }) => shelf) }),
});

const matching = ({ search, updatedSince }: Pick<HistorySlice, 'search' | 'updatedSince'>) => ({
  ...containing(search, ['peptideName', 'notes']),
  ...changedSince(updatedSince),
});

/** The fields of a sort: those of its index behind the owner. */
const fieldsOf = (sort: HistorySort): SortFields =>
  Object.entries<Direction>(SORT_INDEXES[sort]).filter(([field]) => field !== 'userId');

const placeOf = ({ key, createdAt, id }: HistoryPosition, sort: HistorySort): unknown[] =>
  sort === 'date' ? [createdAt, id] : [key, createdAt, id];

type CalculationModel = Model<CalculationRow>;

/** What the sums of a part are counted from. */
const COUNTED_FIELDS = {
  _id: 0,
  nameKey: 1,
  concentration: 1,
  'input.amountUnit': 1,
  'input.form': 1,
} as const;

type CountedFields = Pick<CalculationRow, 'nameKey' | 'concentration'> & {
  input?: Pick<CalculationInputRow, 'amountUnit' | 'form'>;
};

const toCounted = ({ nameKey, concentration, input }: CountedFields): CountedCalculation => ({
  nameKey: nameKey === UNNAMED ? null : nameKey,
  concentration: input?.amountUnit === 'IU' || input?.form === 'capsule' ? null : concentration,
});

const totalsOf = (connection: Connection, model: CalculationModel) =>
  createCalculationTotals(connection, (part) => {
    const query = model.find({ ...part }, COUNTED_FIELDS).sort(directed(fieldsOf('name'), false));
    const rows = query.hint({ ...SORT_INDEXES.name }).lean<CountedFields>();
    return inBatches(rows.cursor(STREAMING), toCounted);
  });

type Totals = ReturnType<typeof totalsOf>;

const readerOf = (model: CalculationModel) => ({
  async find(scope: CalculationScope, id: string): Promise<HistoryEntry | null> {
    const row = await model.findOne({ ...within(scope), _id: id }).lean();
    return row === null ? null : toEntry(row);
  },

  /** The id of the calculation saved with this key. */
  async findSaved(userId: string, saveKey: string): Promise<string | null> {
    return (await model.findOne({ userId, saveKey }, { _id: 1 }).lean())?._id ?? null;
  },

  /** Part of a list, in the list's order even when read backwards. */
  async list(scope: CalculationScope, slice: HistorySlice): Promise<HistoryEntry[]> {
    const { sort, limit, from, backwards, skip } = slice;
    const fields = fieldsOf(sort);
    const changes = await changesHint(model, scope.userId, slice.updatedSince);
    const ranges = from === null ? [{}] : rangesBeyond(fields, placeOf(from, sort), backwards);
    const rows = await readRanges<Record<string, unknown>, CalculationRow>(ranges, limit, (range, most) =>
      model
        .find({ ...within(scope), ...matching(slice), ...range })
        .sort(directed(fields, backwards))
        .hint(changes ?? { ...SORT_INDEXES[sort] })
        .skip(skip)
        .limit(most)
        .lean(),
    );
    return (backwards ? rows.reverse() : rows).map(toEntry);
  },

  /** Counts the rows of a list; reads all of the owner's rows once. */
  async countMatches(
    scope: CalculationScope,
    chosen: Pick<HistorySlice, 'search' | 'updatedSince'>,
  ): Promise<number> {
    const query = model.countDocuments({ ...within(scope), ...matching(chosen) });
    if (chosen.updatedSince !== undefined) query.hint({ ...CHANGES_INDEX });
    return query;
  },

  /** How many calculations were made during a range, from the index alone where the database can. */
  async countRange(scope: CalculationScope, range: InstantRange): Promise<number> {
    const filter = { ...within(scope), ...during('createdAt', range) };
    return model.countDocuments(filter).hint({ ...SORT_INDEXES.date });
  },

  /** Rows made during a range, oldest first, in batches. */
  stream(scope: CalculationScope, range: InstantRange): AsyncIterable<HistoryEntry[]> {
    const filter = { ...within(scope), ...during('createdAt', range) };
    const rows = model
      .find(filter)
      .sort(directed(fieldsOf('date'), true))
      .hint({ ...SORT_INDEXES.date });
    return inBatches(rows.lean().cursor(STREAMING), toEntry);
  },
});

function counting(model: CalculationModel, totals: Totals) {
  const sumsOf = (scope: CalculationScope) => Promise.all(partsOf(scope).map(totals.sums));

  /** How many names occur in both parts. */
  async function sharedNames({ userId, signInId }: CalculationScope): Promise<number> {
    const ofSignIn = await differentTexts(model, 'nameKey', { userId, shelf: signInId ?? KEPT });
    const names = ofSignIn.filter((name) => name !== UNNAMED);
    const shared = { userId, shelf: KEPT, nameKey: { $in: names } };
    return (await differentTexts(model, 'nameKey', shared)).length;
  }

  return {
    /** How many calculations a scope shows. */
    async countAll(scope: CalculationScope): Promise<number> {
      return (await sumsOf(scope)).reduce((sum, { total }) => sum + total, 0);
    },

    /** All sums over a scope. */
    async totals(scope: CalculationScope, now: Date): Promise<CalculationTotals> {
      const lastWeek = { from: new Date(now.getTime() - 7 * DAY_MS), before: null };
      const [parts, week] = await Promise.all([sumsOf(scope), readerOf(model).countRange(scope, lastWeek)]);
      const sum = (field: keyof CalculationSums) => parts.reduce((all, part) => all + part[field], 0);
      const isShared = parts.length > 1 && parts.every(({ names }) => names > 0);
      return {
        total: sum('total'),
        names: sum('names') - (isShared ? await sharedNames(scope) : 0),
        concentrations: sum('concentrations'),
        concentrationWhole: sum('concentrationWhole'),
        concentrationNano: sum('concentrationNano'),
        lastWeek: week,
      };
    },
  };
}

const writing = (model: CalculationModel, totals: Totals, transaction: Transaction) => ({
  /**
   * Writes a calculation, once for each save key of the owner.
   * @returns the calculation and whether it is new
   */
  create(calculation: NewCalculation): Promise<{ entry: HistoryEntry; isNew: boolean }> {
    const row = toRow(calculation);
    return transaction(async () => {
      // First, so that of two at the same time one waits before it has done anything.
      await totals.markChanged(row);
      const first = await model.findOne({ userId: row.userId, saveKey: row.saveKey }).lean();
      if (first !== null) return { entry: toEntry(first), isNew: false };
      const { updatedAt } = await model.create(row);
      return { entry: toEntry({ ...row, ...(updatedAt && { updatedAt }) }), isNew: true };
    });
  },

  /** Removes a calculation. @returns the removed calculation, or null */
  delete: (scope: CalculationScope, id: string): Promise<HistoryEntry | null> =>
    transaction(async () => {
      const row = await model.findOneAndDelete({ ...within(scope), _id: id }).lean();
      if (row === null) return null;
      await totals.markChanged(row);
      return toEntry(row);
    }),

  /** Removes all calculations of a sign-in. */
  async clearSignIn(userId: string, signInId: string): Promise<void> {
    const part = { userId, shelf: signInId };
    await removeInBatches(model, part, ROWS_AT_ONCE, (remove) =>
      transaction(async () => {
        await totals.markChanged(part);
        return remove();
      }),
    );
    await totals.clear(userId, { shelf: signInId });
  },

  /** Saves for good the calculations of one of the owner's sign-ins, or of all. */
  async keep(userId: string, signInId?: string): Promise<void> {
    const shelf = signInId ?? trusted({ $ne: KEPT });
    await updateInBatches(model, { userId, shelf }, { $set: { shelf: KEPT } }, (update) =>
      transaction(async () => {
        await totals.markChanged(partOf(userId, null));
        await totals.markAllChanged(userId);
        await update();
      }),
    );
    await totals.clear(userId, signInId === undefined ? { kept: KEPT } : { shelf: signInId });
  },
});

/** A user's calculations: saved ones, and those that end with a sign-in. Every call names the owner. */
export function createCalculationRepository(connection: Connection) {
  const model = modelOf<CalculationRow>(connection, 'Calculation', calculationSchema);
  const totals = totalsOf(connection, model);
  return {
    ...readerOf(model),
    ...counting(model, totals),
    ...writing(model, totals, transactionsOf(connection)),
  };
}

/** Adds many calculations at once. */
export function createCalculationImport(connection: Connection) {
  const model = modelOf<CalculationRow>(connection, 'Calculation', calculationSchema);
  const totals = totalsOf(connection, model);
  const rows = importedRows(model);
  const transaction = transactionsOf(connection);
  return {
    owned: rows.owned,
    taken: rows.taken,
    countImported: rows.countImported,

    async createMissing(
      importId: string,
      batch: readonly { calculation: NewCalculation; knownAs: readonly string[] }[],
    ): Promise<void> {
      const [first] = batch;
      if (first === undefined) return;
      const part = partOf(first.calculation.userId, first.calculation.signInId);
      const newRows = batch.map(({ calculation, knownAs }) => ({
        row: { ...toRow(calculation), importId },
        knownAs,
      }));
      await transaction(async () => {
        await rows.add(part.userId, newRows);
        await totals.markChanged(part);
      });
    },

    async deleteImported(userId: string, importId: string): Promise<number> {
      await removeInBatches(model, { userId, importId }, ROWS_AT_ONCE, (remove) =>
        transaction(async () => {
          await totals.markAllChanged(userId);
          return remove();
        }),
      );
      return rows.countImported(userId, importId);
    },
  };
}
