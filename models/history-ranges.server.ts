import { trusted } from 'mongoose';
import type { HistorySort } from '#app/domain/calculator/history-schema.ts';
import { SORT_INDEXES } from './calculation.model.server.ts';

/** The values of one row that its place in a sort depends on. */
export interface HistoryPosition {
  createdAt: Date;
  id: string;
  /** By name: the name key. By concentration: mg/ml. By date: null. */
  key: string | number | null;
}

type Direction = 1 | -1;
type Field = 'nameKey' | 'concentration' | 'createdAt' | '_id';

const FIELDS: Record<HistorySort, readonly (readonly [Field, Direction])[]> = {
  date: [
    ['createdAt', -1],
    ['_id', -1],
  ],
  name: [
    ['nameKey', 1],
    ['createdAt', -1],
    ['_id', -1],
  ],
  concentration: [
    ['concentration', -1],
    ['createdAt', -1],
    ['_id', -1],
  ],
};

function valueOf(position: HistoryPosition, field: Field): string | number | Date | null {
  if (field === 'createdAt') return position.createdAt;
  return field === '_id' ? position.id : position.key;
}

/** The sort of a list, the other way round when it is read backwards; its index is the hint. */
export function sortOf(sort: HistorySort, backwards: boolean): Record<string, Direction> {
  return Object.fromEntries(
    FIELDS[sort].map(([field, direction]) => [
      field,
      backwards ? ((direction * -1) as Direction) : direction,
    ]),
  );
}

/** The index that holds a sort in order. */
export function indexOf(sort: HistorySort): Record<string, Direction> {
  return { ...SORT_INDEXES[sort] };
}

/**
 * The rows that stand after a place in a sorted list (before it, backwards), as filters to ask one after the other:
 * first the rows that differ in the last sort field only, then those that differ earlier. Each is one unbroken piece
 * of the index, so a deep page costs what the first does, however many rows share a name.
 */
export function rangesAfter(
  position: HistoryPosition,
  sort: HistorySort,
  backwards: boolean,
): Record<string, unknown>[] {
  const fields = FIELDS[sort];
  return fields
    .map((_, depth) => {
      const filter: Record<string, unknown> = {};
      fields.slice(0, depth).forEach(([field]) => (filter[field] = valueOf(position, field)));
      const [field, direction] = fields[depth] as readonly [Field, Direction];
      const upwards = (direction === 1) !== backwards;
      filter[field] = trusted({ [upwards ? '$gt' : '$lt']: valueOf(position, field) });
      return filter;
    })
    .reverse();
}
