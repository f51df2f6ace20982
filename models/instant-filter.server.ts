import { trusted } from 'mongoose';
import type { InstantRange } from '#app/domain/time/days.ts';

/** The filter for rows whose instant in `field` lies in a range; an open range filters nothing. */
export function during<F extends string>(field: F, range: InstantRange): { [K in F]?: never } {
  const bounds = { ...(range.from && { $gte: range.from }), ...(range.before && { $lt: range.before }) };
  // An operator where the row has a value: mongoose's filter types know it, this function's callers need not.
  const filter = Object.keys(bounds).length === 0 ? {} : { [field]: trusted(bounds) };
  return filter as unknown as { [K in F]?: never };
}
