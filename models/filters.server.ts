import { trusted } from 'mongoose';
import type { InstantRange } from '#app/domain/time/days.ts';

/** A filter for rows one of whose fields holds a text, capitals or not; every character stands for itself. */
export function containing(search: string, fields: readonly string[]): Record<string, unknown> {
  if (search === '') return {};
  const $regex = search.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
  return { $or: fields.map((field) => ({ [field]: trusted({ $regex, $options: 'i' }) })) };
}

/** The filter for rows whose instant in `field` lies in a range; an open range filters nothing. */
export function during<F extends string>(field: F, range: InstantRange): { [K in F]?: never } {
  const bounds = { ...(range.from && { $gte: range.from }), ...(range.before && { $lt: range.before }) };
  // An operator where the row has a value: mongoose's filter types know it, this function's callers need not.
  const filter = Object.keys(bounds).length === 0 ? {} : { [field]: trusted(bounds) };
  return filter as unknown as { [K in F]?: never };
}
