import { Schema, trusted, type Connection, type Model } from 'mongoose';
import { modelOf } from '../store/model-of.server.ts';
import { removeInBatches } from '../store/writes.server.ts';
import { directed, readRanges, type SortFields } from '../store/queries.server.ts';

/**
 * A document of `audit`. People and their records appear by id only. Nothing in the program changes an
 * entry; one is removed only when it is older than the operator wants, see `AUDIT_KEEP_DAYS`.
 */
interface AuditRow {
  _id: string;
  at: Date;
  /** A user's id, or `cli:<os user>`. */
  actor: string;
  /** What was done, for example `user.suspend`. */
  action: string;
  /** The account affected. */
  subjectId: string;
  before: Record<string, unknown>;
  after: Record<string, unknown>;
  reason: string | null;
  /** Where it came from: a client's address, or `terminal`. */
  from: string;
}

const auditSchema = new Schema<AuditRow>(
  {
    _id: { type: String, required: true },
    at: { type: Date, required: true },
    actor: { type: String, required: true },
    action: { type: String, required: true },
    subjectId: { type: String, required: true },
    before: { type: Schema.Types.Mixed, required: true },
    after: { type: Schema.Types.Mixed, required: true },
    reason: { type: String, default: null },
    from: { type: String, required: true },
  },
  { collection: 'audit', minimize: false },
);

auditSchema.index({ subjectId: 1, at: -1, _id: -1 });
auditSchema.index({ at: -1, _id: -1 });
auditSchema.index({ actor: 1, at: -1, _id: -1 });
auditSchema.index({ action: 1, at: -1, _id: -1 });

/** One entry of the audit trail. */
export interface AuditRecord extends Omit<AuditRow, '_id'> {
  id: string;
}

/** Which entries to read: at most one of the indexed names, and a time range. */
export interface AuditFilter {
  name?: { by: 'subjectId' | 'actor' | 'action'; value: string };
  /** From, included, and before, excluded. */
  from?: Date | undefined;
  before?: Date | undefined;
}

/** An entry's position in the trail. */
export type AuditPlace = Pick<AuditRecord, 'at' | 'id'>;

type Bound = '$gt' | '$lt';

const NEWEST_FIRST: SortFields = [
  ['at', -1],
  ['_id', -1],
];

/** The time range, with the bound on the page's side replaced by its place. */
function span({ from, before }: AuditFilter, beyond: Partial<Record<Bound, Date>>) {
  const bounds = {
    ...(from !== undefined && beyond.$gt === undefined ? { $gte: from } : {}),
    ...(before !== undefined && beyond.$lt === undefined ? { $lt: before } : {}),
    ...beyond,
  };
  return Object.keys(bounds).length === 0 ? {} : { at: trusted(bounds) };
}

/** Rows from a place on, the newest first; backwards the newer ones before it, the nearest first. */
async function readTrail(
  model: Model<AuditRow>,
  filter: AuditFilter,
  place: AuditPlace | null,
  { backwards, limit }: { backwards: boolean; limit: number },
): Promise<AuditRecord[]> {
  const { name } = filter;
  const where = name === undefined ? {} : { [name.by]: name.value };
  const bound: Bound = backwards ? '$gt' : '$lt';
  const rest = { ...where, ...span(filter, place === null ? {} : { [bound]: place.at }) };
  const same = place && { ...where, at: place.at, _id: trusted({ [bound]: place.id }) };
  const sort = directed(NEWEST_FIRST, backwards);
  const rows = await readRanges(same === null ? [rest] : [same, rest], limit, (range, most) =>
    model.find(range).sort(sort).limit(most).lean(),
  );
  return rows.map(({ _id, ...row }) => ({ id: _id, ...row }));
}

/** The audit trail: entries are added and read. */
export function createAuditRepository(connection: Connection) {
  const model = modelOf<AuditRow>(connection, 'Audit', auditSchema);
  return {
    async append(entry: AuditRecord): Promise<void> {
      const { id, ...rest } = entry;
      await model.create({ _id: id, ...rest });
    },

    /** What was done to an account, newest first; with `after`, the entries behind that one. */
    listAbout(subjectId: string, limit: number, after?: AuditPlace): Promise<AuditRecord[]> {
      const about: AuditFilter = { name: { by: 'subjectId', value: subjectId } };
      return readTrail(model, about, after ?? null, { backwards: false, limit });
    },
  };
}

/** The audit trail as a whole. Nothing here changes an entry. */
export function createAuditListRepository(connection: Connection) {
  const model = modelOf<AuditRow>(connection, 'Audit', auditSchema);
  return {
    /** Rows from a place on, the newest first; backwards the newer ones before it, the nearest first. */
    list: (
      filter: AuditFilter,
      place: AuditPlace | null,
      page: { backwards: boolean; limit: number },
    ): Promise<AuditRecord[]> => readTrail(model, filter, place, page),

    /** Removes what is older than an instant. @returns how many entries */
    deleteBefore: (instant: Date): Promise<number> =>
      removeInBatches(model, { at: trusted({ $lt: instant }) }),

    /** The number of entries with these values in a time range. */
    async count(
      says: Partial<Record<'subjectId' | 'actor' | 'action', string>>,
      { from, before }: Pick<AuditFilter, 'from' | 'before'>,
    ): Promise<number> {
      if (Object.keys(says).length === 0 && from === undefined && before === undefined)
        return model.estimatedDocumentCount();
      return model.countDocuments({ ...says, ...span({ from, before }, {}) });
    },
  };
}
