import { trusted, type Connection } from 'mongoose';
import type { StatusCount } from '#app/domain/doses/adherence-groups.ts';
import { doseSchema, type DoseRow, type DoseStatus } from './dose.model.server.ts';
import { modelOf } from './model-of.server.ts';

/** What doses are counted by. */
export type CountedBy = 'localDay' | 'scheduleId' | 'name';

/** Local days, both included. */
export interface DayRange {
  first: string;
  last: string;
}

/** Counts over doses, always of one owner. They cost as much as the doses of their days. */
export function createDoseCountRepository(connection: Connection) {
  const model = modelOf<DoseRow>(connection, 'Dose', doseSchema);
  return {
    /** How many doses whose time has come have which status, by their day, schedule or name. */
    async countBy(
      userId: string,
      { first, last }: DayRange,
      by: CountedBy,
      now: Date,
    ): Promise<StatusCount[]> {
      const due = { localDay: { $gte: first, $lte: last }, dueDate: { $lte: now } };
      const rows = await model.aggregate<{ _id: { key: string | null; status: DoseStatus }; count: number }>([
        { $match: { userId, ...due } },
        { $group: { _id: { key: `$${by}`, status: '$status' }, count: { $sum: 1 } } },
      ]);
      return rows.map(({ _id, count }) => ({ key: _id.key ?? '', status: _id.status, count }));
    },

    /** Statuses of the doses whose time has come, the latest first, at most so many. */
    async latestStatuses(userId: string, now: Date, limit: number): Promise<DoseStatus[]> {
      const filter = { userId, dueDate: trusted({ $lte: now }) };
      const rows = await model.find(filter, { status: 1 }).sort({ dueDate: -1, _id: -1 }).limit(limit).lean();
      return rows.map(({ status }) => status);
    },
  };
}
