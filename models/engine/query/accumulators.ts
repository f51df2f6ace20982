import { fitsLong, makeDouble, makeInteger, toBigInt, toDouble, widerType } from '../values/numbers.ts';
import { T, isNumeric, typeOf } from '../values/types.ts';
import { compareValues } from './compare.ts';
import { isNullish } from './expression.ts';

/** Takes values one by one and returns one result; a missing result becomes null in a group. */
export interface Accumulator {
  add(value: unknown): void;
  result(): unknown;
}

/** Creates an accumulator for one group. */
export type MakeAccumulator = () => Accumulator;

/**
 * A compensated sum with the precision of two doubles, so that integers stay exact and the
 * order of addends hardly matters (Knuth, The Art of Computer Programming, 4.2.2).
 */
class Summation {
  private high = 0;
  private low = 0;
  /** Handles infinities and NaN, which the compensated sum cannot. */
  private plain = 0;
  private type: number = T.int;
  private count = 0;

  add(value: unknown): void {
    if (!isNumeric(value)) return;
    this.count++;
    this.type = widerType(this.type, typeOf(value));
    if (typeOf(value) !== T.long) return this.addDouble(toDouble(value));
    const exact = toBigInt(value);
    this.addDouble(Number(exact));
    this.addDouble(Number(exact - BigInt(Number(exact))));
  }

  private addDouble(x: number): void {
    this.plain += x;
    const sum = this.high + x;
    const back = sum - this.high;
    const low = this.low + (this.high - (sum - back) + (x - back));
    this.high = sum + low;
    this.low = low - (this.high - sum);
  }

  private get double(): number {
    return Number.isFinite(this.high) ? this.high + this.low : this.plain;
  }

  /** The sum in the widest type added; an int becomes a long, and a long a double, if it does not fit. */
  get total(): unknown {
    const isWhole = this.type !== T.double && Number.isInteger(this.high) && Number.isInteger(this.low);
    const exact = isWhole ? BigInt(this.high) + BigInt(this.low) : undefined;
    return exact !== undefined && fitsLong(exact) ? makeInteger(exact, this.type) : makeDouble(this.double);
  }

  /** The mean as a double; null without values. */
  get mean(): unknown {
    return this.count === 0 ? null : makeDouble(this.double / this.count);
  }
}

const summing =
  (read: (sum: Summation) => unknown): MakeAccumulator =>
  () => {
    const sum = new Summation();
    return { add: (value) => sum.add(value), result: () => read(sum) };
  };

const extreme =
  (sign: 1 | -1): MakeAccumulator =>
  () => {
    let best: unknown;
    return {
      add(value) {
        if (isNullish(value)) return;
        if (best === undefined || sign * compareValues(value, best) < 0) best = value;
      },
      result: () => best ?? null,
    };
  };

/** Accumulators by name. */
export const ACCUMULATORS: ReadonlyMap<string, MakeAccumulator> = new Map<string, MakeAccumulator>([
  ['$sum', summing((sum) => sum.total)],
  ['$avg', summing((sum) => sum.mean)],
  ['$min', extreme(1)],
  ['$max', extreme(-1)],
]);
