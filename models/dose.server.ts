import { trusted, type Connection, type Model, type QueryFilter } from 'mongoose';
import { doseSchema, STATUS_INDEX, type DoseRow, type DoseStatus } from './dose.model.server.ts';
import { isDuplicateKey } from './duplicate-key.server.ts';
import { modelOf } from './model-of.server.ts';

/** A dose. */
export interface DoseRecord extends Omit<DoseRow, '_id' | 'userId' | 'remindClaim'> {
  id: string;
}

/** What may change about a dose; identity and version may not. */
export type DoseChanges = Partial<Omit<DoseRecord, 'id' | 'scheduleId' | 'version'>>;

/** Which of an owner's doses are asked for. Instants: from (included) to the end (excluded). */
export interface DoseSelection {
  from?: Date;
  before?: Date;
  status?: DoseStatus | readonly DoseStatus[];
  scheduleId?: string;
  limit?: number;
  /** The latest first; else the earliest. */
  latestFirst?: boolean;
}

/** A stored row as the record that the rest of the program knows. */
export function toDoseRecord({
  _id,
  userId: _owner,
  remindClaim: _mark,
  importId: _import,
  ...rest
}: DoseRow): DoseRecord {
  return { id: _id, ...rest };
}

function selectionFilter(userId: string, chosen: DoseSelection): QueryFilter<DoseRow> {
  const { from, before, status, scheduleId } = chosen;
  const due = { ...(from && { $gte: from }), ...(before && { $lt: before }) };
  const states = status === undefined ? [] : [status].flat();
  return {
    userId,
    ...(scheduleId !== undefined && { scheduleId }),
    ...(states.length > 1 && { status: trusted({ $in: states }) }),
    ...(states.length === 1 && { status: states[0] }),
    ...(Object.keys(due).length > 0 && { dueDate: trusted(due) }),
  };
}

/** Whether the index by status is the one to use: it is for doses of one status of all schedules. */
const isByStatus = ({ status, scheduleId }: DoseSelection): boolean =>
  scheduleId === undefined && status !== undefined && [status].flat().length === 1;

/** True when all that went wrong with an unordered insert is that rows were there already. */
function onlyDuplicates(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const failures: unknown = 'writeErrors' in error ? error.writeErrors : undefined;
  if (!Array.isArray(failures) || failures.length === 0) return isDuplicateKey(error);
  return failures.every((failure: unknown) => isDuplicateKey(failure));
}

const reading = (model: Model<DoseRow>) => ({
  async findOne(userId: string, id: string): Promise<DoseRecord | null> {
    const row = await model.findOne({ userId, _id: id }).lean();
    return row === null ? null : toDoseRecord(row);
  },

  /** The chosen doses by their due date. */
  async list(userId: string, chosen: DoseSelection): Promise<DoseRecord[]> {
    const order = chosen.latestFirst ? -1 : 1;
    const query = model.find(selectionFilter(userId, chosen)).sort({ dueDate: order, _id: order });
    if (isByStatus(chosen)) query.hint({ ...STATUS_INDEX });
    if (chosen.limit !== undefined) query.limit(chosen.limit);
    return (await query.lean()).map(toDoseRecord);
  },

  /** All doses due from an instant (included) to another (excluded), the earliest first. */
  async listBetween(userId: string, from: Date, before: Date): Promise<DoseRecord[]> {
    const rows = await model
      .find(selectionFilter(userId, { from, before }))
      .sort({ dueDate: 1, _id: 1 })
      .lean();
    return rows.map(toDoseRecord);
  },

  /** Pending doses due from an instant (included) to another (excluded), the earliest first. */
  async futureOf(userId: string, from: Date, before: Date): Promise<DoseRecord[]> {
    const filter = selectionFilter(userId, { from, before, status: 'pending' });
    const query = model
      .find(filter)
      .sort({ dueDate: 1, _id: 1 })
      .hint({ ...STATUS_INDEX });
    return (await query.lean()).map(toDoseRecord);
  },
});

const writing = (model: Model<DoseRow>) => ({
  /** Adds those that are not there yet, by id; what is there stays as it is. */
  async insertMany(userId: string, doses: readonly DoseRecord[]): Promise<void> {
    if (doses.length === 0) return;
    const rows = doses.map(({ id, ...rest }) => ({ _id: id, userId, ...rest }));
    try {
      await model.insertMany(rows, { ordered: false, throwOnValidationError: true });
    } catch (error) {
      if (!onlyDuplicates(error)) throw error;
    }
  },

  /**
   * Removes a schedule's pending doses that are due after an instant; without one all pending ones.
   * @param keepRevision doses made by this revision of the schedule stay
   */
  async removeFuturePending(
    userId: string,
    scheduleId: string,
    after: Date | null,
    keepRevision?: number,
  ): Promise<void> {
    await model.deleteMany({
      userId,
      scheduleId,
      status: 'pending',
      ...(after !== null && { dueDate: trusted({ $gt: after }) }),
      ...(keepRevision !== undefined && { scheduleRevision: trusted({ $ne: keepRevision }) }),
    });
  },

  /**
   * Changes a dose if nobody changed it since it was read; one atomic update.
   * @param version as it was read; it goes up by one
   * @returns the dose as it is now, or null when it is gone or has another version
   */
  async compareAndSet(
    userId: string,
    id: string,
    version: number,
    changes: DoseChanges,
  ): Promise<DoseRecord | null> {
    const row = await model
      .findOneAndUpdate(
        { userId, _id: id, version },
        { $set: changes, $inc: { version: 1 } },
        { returnDocument: 'after' },
      )
      .lean();
    return row === null ? null : toDoseRecord(row);
  },
});

/** Doses, always of one owner. */
export function createDoseRepository(connection: Connection) {
  const model = modelOf<DoseRow>(connection, 'Dose', doseSchema);
  return { ...reading(model), ...writing(model) };
}

export type DoseRepository = ReturnType<typeof createDoseRepository>;
