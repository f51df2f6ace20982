import { Schema, trusted, type Connection } from 'mongoose';
import {
  type LedgerKind,
  type VialStatus,
  type Vial,
  type VialComponent,
  type VialWithLedger,
  vialNameKey,
  LOW_SHARE,
  isFinal,
  beyondUseDay,
} from '#app/domain/vials/vial.ts';
import { detailFields, detailsOf } from '#app/domain/vials/vial-fields.ts';
import { Decimal, nearestDouble, ratio } from '#app/domain/decimal/decimal.ts';
import type { VialSort, VialFilter } from '#app/domain/vials/vial-list-schema.ts';
import {
  changedSince,
  containing,
  differentTexts,
  directed,
  rangesBeyond,
  readRanges,
  type SortFields,
  inBatches,
  STREAMING,
} from '../store/queries.server.ts';
import { modelOf, NOTES_CHANGES, textColumns } from '../store/model-of.server.ts';
import { importedRows } from '../store/owned-rows.server.ts';
import { createStockCheckRepository } from '../reminders/stock-check.server.ts';

/** An entry of a vial's ledger. */
interface LedgerRow {
  id: string;
  kind: LedgerKind;
  /** Decimal text in mg, with a sign. */
  mg: string;
  /** In a blend, the index of the component that `mg` counts; absent for the first. */
  component?: number | undefined;
  reason: string | null;
  at: Date;
}

/** A document of `compounds`: one vial with its ledger, so that an amount and its entry change together. */
export interface VialRow extends Omit<VialWithLedger, 'id' | 'components' | 'ledger'> {
  _id: string;
  /**
   * One of a free account's places ("0", "1" …) while the vial is active and was added under that limit;
   * otherwise the vial's own id. Unique per owner, so that concurrent requests cannot exceed the limit.
   */
  slot: string;
  /** Incremented by each change, which only replaces the version it was made from. */
  version: number;
  nameKey: string;
  /** A blend's components and what is left of each; absent for a single peptide. */
  components?: VialComponent[];
  /** The balance as a double, for sorting. */
  remainingMg: number;
  /** remaining ÷ total as a double, for the filter. */
  share: number;
  /** The last day of use, or {@link NO_DAY} when unknown. */
  lastDay: string;
  ledger: LedgerRow[];
  /** The import that added it. */
  importId?: string;
}

/** Sorts after every day. */
const NO_DAY = '9999-99-99';

const text = { type: String, required: true };
const optionalText = { type: String, default: null };
const number = { type: Number, required: true };

const ledgerSchema = new Schema<LedgerRow>(
  {
    id: text,
    kind: text,
    mg: text,
    component: Number,
    reason: optionalText,
    at: { type: Date, required: true },
  },
  { _id: false, id: false },
);

const componentSchema = new Schema<VialComponent>(
  { name: text, amount: text, changedMg: text, foldedMg: text },
  { _id: false, id: false },
);

export const vialSchema = new Schema<VialRow>(
  {
    _id: text,
    userId: text,
    slot: text,
    version: number,
    name: text,
    nameKey: text,
    status: text,
    totalAmount: text,
    remaining: text,
    components: { type: [componentSchema], default: undefined },
    remainingMg: number,
    share: number,
    displacement: text,
    lastDay: text,
    openedAt: { type: Date, default: null },
    createdAt: { type: Date, required: true },
    ...textColumns(detailFields),
    lotId: optionalText,
    ledger: { type: [ledgerSchema], default: [] },
    foldedCount: { type: Number, default: 0 },
    foldedMg: { type: String, default: '0' },
    importId: String,
  },
  { collection: 'compounds', ...NOTES_CHANGES },
);

/** One index for each sort order of the list, named so that a hint can keep the planner on it. */
const VIAL_INDEXES = {
  name: { userId: 1, nameKey: 1, _id: 1 },
  expiry: { userId: 1, lastDay: 1, _id: 1 },
  remaining: { userId: 1, remainingMg: 1, _id: 1 },
  added: { userId: 1, createdAt: -1, _id: -1 },
} as const;

/** The vials of a lot. */
const LOT_INDEX = { userId: 1, lotId: 1, _id: 1 } as const;

vialSchema.index({ ...VIAL_INDEXES.name });
vialSchema.index({ ...VIAL_INDEXES.expiry });
vialSchema.index({ ...VIAL_INDEXES.remaining });
vialSchema.index({ ...VIAL_INDEXES.added });
vialSchema.index({ ...LOT_INDEX });
vialSchema.index({ userId: 1, status: 1 });
vialSchema.index({ userId: 1, slot: 1 }, { unique: true });

/** A stored vial without its ledger. */
type VialHead = Omit<VialRow, 'ledger' | 'foldedCount' | 'foldedMg'>;

/** Maps a row to the vial that the rest of the program uses. Details that the row lacks are null. */
function toVial(row: VialHead): Vial {
  const { _id, slot, version, nameKey, remainingMg, share, lastDay, importId, ...vial } = row;
  return { id: _id, ...vial, ...detailsOf(row) };
}

/** The same with the ledger. */
function toVialWithLedger(row: VialRow): VialWithLedger {
  const { ledger, foldedCount, foldedMg, ...head } = row;
  return { ...toVial(head), ledger, foldedCount, foldedMg };
}

/** A balance, which may be negative, as a double. */
function doubleOf(part: Decimal, whole?: Decimal): number {
  const size = nearestDouble(ratio(part.abs(), whole));
  return part.lt(0) ? -size : size;
}

/** All of the row's columns except its slot, version and ledger. */
function toColumns(
  vial: Vial & Partial<VialWithLedger>,
): Omit<VialHead, '_id' | 'userId' | 'slot' | 'version' | 'importId' | 'updatedAt'> {
  const { id, userId, updatedAt, ledger, foldedCount, foldedMg, components, ...facts } = vial;
  const remaining = new Decimal(vial.remaining);
  return {
    ...facts,
    nameKey: vialNameKey(vial.name),
    ...(components && { components: components.map((component) => ({ ...component })) }),
    remainingMg: doubleOf(remaining),
    share: doubleOf(remaining, new Decimal(vial.totalAmount)),
    lastDay: beyondUseDay(vial) ?? NO_DAY,
    lotId: vial.lotId ?? null,
  };
}

/** A vial's place in a sorted list: the value sorted by, and its id. */
export type VialPosition = readonly [key: string | number | Date, id: string];

/** A vial's position in a sorted list. */
export function vialPosition(vial: Vial, sort: VialSort): VialPosition {
  const { nameKey, lastDay, remainingMg, createdAt } = toColumns(vial);
  const key = { name: nameKey, expiry: lastDay, remaining: remainingMg, added: createdAt }[sort];
  return [key, vial.id];
}

/** Part of a sorted list of vials. */
export interface VialSlice {
  sort: VialSort;
  filter: VialFilter;
  /** Text to find in name, components, lot or notes; '' for all. */
  search: string;
  /** Today in the owner's time zone, for expired vials. */
  day: string;
  /** Only those added or changed then or later. */
  updatedSince?: Date | undefined;
  limit: number;
  skip?: number;
  /** Start after (backwards: before) this place. */
  from?: VialPosition | null;
  backwards?: boolean;
}

type VialChoice = Pick<VialSlice, 'filter' | 'day' | 'search' | 'updatedSince'>;

const SORTS: Readonly<Record<VialSort, SortFields>> = {
  name: Object.entries(VIAL_INDEXES.name).slice(1),
  expiry: Object.entries(VIAL_INDEXES.expiry).slice(1),
  remaining: Object.entries(VIAL_INDEXES.remaining).slice(1),
  added: Object.entries(VIAL_INDEXES.added).slice(1),
};

/** Active: neither used up nor thrown away. */
const NOT_FINAL: VialStatus[] = ['sealed', 'reconstituted', 'in_use'];
const OPEN: VialStatus[] = ['reconstituted', 'in_use'];
const LOW = Number(LOW_SHARE);

/** A filter for some statuses. */
const within = (statuses: VialStatus[]) => ({ status: trusted({ $in: statuses }) });

function chosen(filter: VialFilter, day: string): Record<string, unknown> {
  switch (filter) {
    case 'active':
      return within(NOT_FINAL);
    case 'open':
      return within(OPEN);
    case 'expired':
      return { ...within(NOT_FINAL), lastDay: trusted({ $lt: day }) };
    case 'low':
      return { ...within(OPEN), share: trusted({ $lte: LOW }) };
    case 'final':
      return within(['empty', 'discarded']);
    case 'all':
      return {};
  }
}

/** Combines two filters. Both may use the same field: expired vials, and where a page starts. */
function both(filter: Record<string, unknown>, range: Record<string, unknown>): Record<string, unknown> {
  const clash = Object.keys(range).some((field) => field in filter);
  return clash ? { ...filter, $and: [range] } : { ...filter, ...range };
}

/** The projection for lists. */
const WITHOUT_LEDGER = { ledger: 0, foldedCount: 0, foldedMg: 0 } as const;

const ledgerRows = (vial: VialWithLedger): LedgerRow[] => vial.ledger.map((entry) => ({ ...entry }));

/** The update for the ledger: only the new entries, unless old entries were folded. */
function ledgerUpdate(before: VialWithLedger, after: VialWithLedger): Record<string, unknown> {
  const { foldedCount, foldedMg } = after;
  if (foldedCount !== before.foldedCount)
    return { $set: { ledger: ledgerRows(after), foldedCount, foldedMg } };
  const fresh = ledgerRows(after).slice(before.ledger.length);
  return fresh.length === 0 ? {} : { $push: { ledger: { $each: fresh } } };
}

/** Adds many vials at once, each in a slot of its own: the caller enforces a free account's limit. */
export function createVialImport(connection: Connection) {
  const model = modelOf<VialRow>(connection, 'Vial', vialSchema);
  const rows = importedRows(model, { version: 1 }, createStockCheckRepository(connection).mark);
  return {
    ...rows,
    async createMissing(
      importId: string,
      batch: readonly { vial: VialWithLedger; knownAs: readonly string[]; slot: string | null }[],
    ): Promise<void> {
      const newRows = batch.map(({ vial, knownAs, slot }) => {
        const { id, userId, foldedCount, foldedMg } = vial;
        const ledger = vial.ledger.map((entry) => ({ ...entry }));
        const head = { _id: id, userId, slot: slot ?? id, version: 1, importId };
        return { row: { ...head, ...toColumns(vial), ledger, foldedCount, foldedMg }, knownAs };
      });
      const [first] = newRows;
      if (first !== undefined) await rows.add(first.row.userId, newRows);
    },
  };
}

/** @param slot null for the vial's own */
const newRow = (vial: VialWithLedger, slot: string | null) => {
  const { id, userId, foldedCount, foldedMg } = vial;
  const head = { _id: id, userId, slot: slot ?? id, version: 1 };
  return { ...head, ...toColumns(vial), foldedCount, foldedMg, ledger: ledgerRows(vial) };
};

/** Vials: reading and writing. Every call names the owner. */
export function createVialRepository(connection: Connection) {
  const model = modelOf<VialRow>(connection, 'Vial', vialSchema);
  const stockChecks = createStockCheckRepository(connection);

  const heads = (filter: Record<string, unknown>) => model.find(filter, WITHOUT_LEDGER);
  const whole = (userId: string, slice: VialChoice) => ({
    userId,
    ...chosen(slice.filter, slice.day),
    ...changedSince(slice.updatedSince),
    ...containing(slice.search, ['name', 'components.name', 'lot', 'notes']),
  });

  async function list(userId: string, slice: VialSlice): Promise<Vial[]> {
    const { sort, from = null, backwards = false, limit, skip = 0 } = slice;
    const fields = SORTS[sort];
    const ranges = from === null ? [{}] : rangesBeyond(fields, from, backwards);
    const rows = await readRanges<Record<string, unknown>, VialHead>(ranges, limit, (range, most) =>
      heads(both(whole(userId, slice), range))
        .sort(directed(fields, backwards))
        .hint({ ...VIAL_INDEXES[sort] })
        .skip(skip)
        .limit(most)
        .lean(),
    );
    return (backwards ? rows.reverse() : rows).map(toVial);
  }

  return {
    /** Part of a list, in the list's order even when read backwards. */
    list,

    async find(userId: string, id: string): Promise<VialWithLedger | null> {
      const row = await model.findOne({ userId, _id: id }).lean();
      return row === null ? null : toVialWithLedger(row);
    },

    /** Counts all vials in a list; reads the owner's rows once. */
    async count(userId: string, slice: VialChoice): Promise<number> {
      return model.countDocuments(whole(userId, slice));
    },

    async countAll(userId: string): Promise<number> {
      return model.countDocuments({ userId });
    },

    /** All of an owner's vials, oldest first, in batches. */
    stream(userId: string): AsyncIterable<Vial[]> {
      const query = heads({ userId })
        .sort({ createdAt: 1, _id: 1 })
        .hint({ ...VIAL_INDEXES.added });
      return inBatches(query.lean().cursor(STREAMING), toVial);
    },

    /** The vials of some lots, whatever their status. */
    async listOfLots(userId: string, lotIds: readonly string[]): Promise<Vial[]> {
      const filter = { userId, lotId: trusted({ $in: [...lotIds] }) };
      const rows = await heads(filter)
        .sort({ lotId: 1, _id: 1 })
        .hint({ ...LOT_INDEX })
        .lean();
      return rows.map(toVial);
    },

    async countOfLot(userId: string, lotId: string): Promise<number> {
      return model.countDocuments({ userId, lotId }).hint({ ...LOT_INDEX });
    },

    /** Updates the lot number on the lot's vials, which store it as text. */
    async renumberLot(userId: string, lotId: string, lot: string): Promise<void> {
      await model.updateMany(
        { userId, lotId, lot: trusted({ $ne: lot }) },
        { $set: { lot }, $inc: { version: 1 } },
      );
    },

    /** The slots that active vials take, up to `limit`. */
    async listSlots(userId: string, limit: number): Promise<string[]> {
      const rows = await model
        .find({ userId, ...within(NOT_FINAL) }, { slot: 1 })
        .limit(limit)
        .lean();
      return rows.map(({ slot }) => slot);
    },

    /**
     * The active vials of a name, or all active vials, plus those with one of the ids, whatever their status.
     * @param name null for all: interchangeable blends may have different names
     */
    async forDose(userId: string, name: string | null, ids: readonly string[]): Promise<Vial[]> {
      const named = { userId, ...(name !== null && { nameKey: vialNameKey(name) }), ...within(NOT_FINAL) };
      const rows = await heads(named).lean();
      const missing = ids.filter((id) => !rows.some(({ _id }) => _id === id));
      if (missing.length > 0) rows.push(...(await heads({ userId, _id: trusted({ $in: missing }) }).lean()));
      return rows.map(toVial);
    },

    /** Vials by id, whatever their status; those of other owners are left out. */
    async listById(userId: string, ids: readonly string[]): Promise<Vial[]> {
      return (await heads({ userId, _id: trusted({ $in: [...ids] }) }).lean()).map(toVial);
    },

    /** The name keys of all vials the owner has. */
    async namesOf(userId: string): Promise<string[]> {
      return differentTexts(model, 'nameKey', { userId });
    },

    /** All active vials, by name. */
    async listActive(userId: string): Promise<Vial[]> {
      const rows = await heads({ userId, ...within(NOT_FINAL) })
        .sort({ nameKey: 1, _id: 1 })
        .lean();
      return rows.map(toVial);
    },

    /**
     * Writes a new vial.
     * @param slot the slot it takes; null for an account without a limit
     * @returns the vial as it is stored
     */
    async create(vial: VialWithLedger, slot: string | null): Promise<VialWithLedger> {
      const { updatedAt } = await model.create(newRow(vial, isFinal(vial) ? null : slot));
      await stockChecks.mark(vial.userId);
      return { ...vial, updatedAt };
    },

    /**
     * Writes new vials of an account without a limit.
     * @returns the vials as they are stored
     */
    async createMany(userId: string, vials: readonly VialWithLedger[]): Promise<VialWithLedger[]> {
      const rows = await model.insertMany(vials.map((vial) => newRow(vial, null)));
      await stockChecks.mark(userId);
      return rows.flatMap(({ updatedAt }, place) => {
        const vial = vials[place];
        return vial === undefined ? [] : [{ ...vial, updatedAt }];
      });
    },

    /** A vial with the slot that it takes. */
    async findWithSlot(userId: string, id: string): Promise<{ vial: VialWithLedger; slot: string } | null> {
      const row = await model.findOne({ userId, _id: id }).lean();
      return row === null ? null : { vial: toVialWithLedger(row), slot: row.slot };
    },

    /**
     * Replaces a vial as it was read in the same act. A vial that became final releases its slot.
     * @param slot the slot it has from now on
     * @returns the vial as it is stored
     */
    async replace(before: VialWithLedger, after: VialWithLedger, slot: string): Promise<VialWithLedger> {
      const { id, userId } = before;
      const { $set = {}, ...ledger } = ledgerUpdate(before, after) as { $set?: object };
      const place = isFinal(after) ? id : slot;
      const single = after.components === undefined && before.components !== undefined;
      const update = {
        $set: { ...toColumns(after), ...$set, slot: place },
        $inc: { version: 1 },
        ...ledger,
        ...(single && { $unset: { components: 1 } }),
      };
      const options = { returnDocument: 'after', projection: { updatedAt: 1 } } as const;
      const row = await model.findOneAndUpdate({ userId, _id: id }, update, options).lean();
      await stockChecks.mark(userId);
      return { ...after, updatedAt: row?.updatedAt };
    },

    async delete(userId: string, id: string): Promise<void> {
      await model.deleteOne({ userId, _id: id });
      await stockChecks.mark(userId);
    },
  };
}
