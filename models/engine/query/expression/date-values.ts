import { Timestamp, ObjectId } from '../../values/types.ts';
import { valueOf } from './named-arguments.ts';
import { UTC, timeZone, type TimeZone } from './time-zone.ts';
import { check, isNullish, nameOf, type Expr, type Scope } from './types.ts';

/** Named arguments, compiled. */
export type Arguments = ReadonlyMap<string, Expr>;

/** A value taken as a date: dates, timestamps and ObjectIds. */
export function dateFrom(value: unknown): Date {
  const date = asDate(value);
  check(date !== undefined, 16006, () => `can't convert from BSON type ${nameOf(value)} to Date`);
  return date;
}

/** A date, or what stands for one; undefined for anything else. */
export function asDate(value: unknown): Date | undefined {
  if (value instanceof Date) return value;
  if (value instanceof Timestamp) return new Date(value.t * 1000);
  return value instanceof ObjectId ? value.getTimestamp() : undefined;
}

/** The zone an operator was given; `undefined` when that is null. */
export function zoneOf(args: Arguments, scope: Scope): TimeZone | undefined {
  if (!args.has('timezone')) return UTC;
  const id = valueOf(args, 'timezone', scope);
  if (isNullish(id)) return undefined;
  check(typeof id === 'string', 40517, () => `timezone must evaluate to a string, found ${nameOf(id)}`);
  return timeZone(id);
}
