import { trusted, type Connection } from 'mongoose';
import type { AuditRecord } from './audit.server.ts';
import { auditSchema, type AuditRow } from './audit.model.server.ts';
import { directed } from './keyset.server.ts';
import { modelOf } from './model-of.server.ts';

/** Which rows are asked for: one name at most, which an index begins with, and a span of time. */
export interface AuditFilter {
  name?: { by: 'subjectId' | 'actor' | 'action'; value: string };
  /** The first instant, and the first that is too late. */
  from?: Date | undefined;
  before?: Date | undefined;
}

/** Where in the trail a row stands. */
export type AuditPlace = Pick<AuditRecord, 'at' | 'id'>;

type Bound = '$gt' | '$lt';

/** The span of time, with the place in place of the bound that it is beyond. */
function span({ from, before }: AuditFilter, beyond: Partial<Record<Bound, Date>>) {
  const bounds = {
    ...(from !== undefined && beyond.$gt === undefined ? { $gte: from } : {}),
    ...(before !== undefined && beyond.$lt === undefined ? { $lt: before } : {}),
    ...beyond,
  };
  return Object.keys(bounds).length === 0 ? {} : { at: trusted(bounds) };
}

/** The audit trail for administrators. Nothing here changes it. */
export function createAuditListRepository(connection: Connection) {
  const model = modelOf<AuditRow>(connection, 'Audit', auditSchema);
  return {
    /** Rows from a place on, the newest first; backwards the newer ones before it, the nearest first. */
    async read(
      filter: AuditFilter,
      place: AuditPlace | null,
      { backwards, limit }: { backwards: boolean; limit: number },
    ): Promise<AuditRecord[]> {
      const { name } = filter;
      const where = name === undefined ? {} : { [name.by]: name.value };
      const bound: Bound = backwards ? '$gt' : '$lt';
      const rest = { ...where, ...span(filter, place === null ? {} : { [bound]: place.at }) };
      const same = place && { ...where, at: place.at, _id: trusted({ [bound]: place.id }) };
      const sort = directed(
        [
          ['at', -1],
          ['_id', -1],
        ],
        backwards,
      );
      const found: AuditRecord[] = [];
      for (const query of same === null ? [rest] : [same, rest]) {
        if (found.length === limit) break;
        const rows = await model
          .find(query)
          .sort(sort)
          .limit(limit - found.length)
          .lean();
        found.push(...rows.map(({ _id, ...row }) => ({ id: _id, ...row })));
      }
      return found;
    },

    /** How many rows say that, in a span of time. */
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
