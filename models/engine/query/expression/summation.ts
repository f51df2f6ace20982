import {
  fitsLong,
  makeDouble,
  makeInteger,
  toBigInt,
  toDecimal,
  toDouble,
  widerType,
} from '../../values/arithmetic.ts';
import { addDecimals, divideDecimals } from '../../values/decimal-arithmetic.ts';
import {
  decimalFromBigInt,
  decimalFromDouble,
  packDecimal,
  unpackDecimal,
  type Decimal,
} from '../../values/decimal.ts';
import { T, typeOf } from '../../values/types.ts';

/**
 * A sum in the precision of two doubles, which keeps what each addition would lose, so that integers stay exact and the
 * order of addends hardly matters; decimals are summed by themselves (Knuth, The Art of Computer Programming, 4.2.2).
 */
export class Summation {
  private high = 0;
  private low = 0;
  /** Follows infinities and NaN, which the compensated sum cannot. */
  private plain = 0;
  private decimal: Decimal | undefined;
  private type: number = T.int;
  count = 0;

  /** Adds a number. */
  add(value: unknown): void {
    this.count++;
    const type = typeOf(value);
    this.type = widerType(this.type, type);
    if (type === T.decimal) {
      const sum = addDecimals(this.decimal ?? decimalFromBigInt(0n), toDecimal(value));
      this.decimal = unpackDecimal(packDecimal(sum));
    } else if (type === T.long) this.addLong(toBigInt(value));
    else this.addDouble(toDouble(value));
  }

  private addLong(n: bigint): void {
    const high = Number(n);
    this.addDouble(high);
    const rest = Number(n - BigInt(high));
    if (rest !== 0) this.addDouble(rest);
  }

  private addDouble(x: number): void {
    this.plain += x;
    const sum = this.high + x;
    const back = sum - this.high;
    const lost = this.high - (sum - back) + (x - back);
    const low = this.low + lost;
    this.high = sum + low;
    this.low = low - (this.high - sum);
  }

  private get exactInteger(): bigint | undefined {
    if (!Number.isInteger(this.high) || !Number.isInteger(this.low)) return undefined;
    const n = BigInt(this.high) + BigInt(this.low);
    return fitsLong(n) ? n : undefined;
  }

  private get asDouble(): number {
    return Number.isFinite(this.high) ? this.high + this.low : this.plain;
  }

  private get asDecimal(): Decimal {
    const binary = Number.isFinite(this.high)
      ? addDecimals(decimalFromDouble(this.high), decimalFromDouble(this.low))
      : decimalFromDouble(this.plain);
    return addDecimals(this.decimal ?? decimalFromBigInt(0n), binary);
  }

  /** The sum, in the widest type added: an int becomes a long, and a long a double, when it does not fit. */
  get total(): unknown {
    if (this.type === T.decimal) return packDecimal(this.asDecimal);
    const whole = this.type === T.double ? undefined : this.exactInteger;
    return whole === undefined ? makeDouble(this.asDouble) : makeInteger(whole, this.type);
  }

  /** The mean, a double or a decimal; null of nothing. */
  get mean(): unknown {
    if (this.count === 0) return null;
    if (this.type !== T.decimal) return makeDouble(this.asDouble / this.count);
    return packDecimal(
      divideDecimals(unpackDecimal(packDecimal(this.asDecimal)), decimalFromBigInt(BigInt(this.count))),
    );
  }
}

/** Mean and spread of numbers, updated one by one (Welford's method). */
export class Spread {
  private count = 0;
  private mean = 0;
  private squares = 0;

  add(x: number): void {
    this.count++;
    const delta = x - this.mean;
    if (delta === 0) return;
    this.mean += delta / this.count;
    this.squares += delta * (x - this.mean);
  }

  /** The standard deviation of a population, or of a sample; null when there are too few. */
  deviation(sample: boolean): unknown {
    const divisor = sample ? this.count - 1 : this.count;
    return divisor <= 0 ? null : makeDouble(Math.sqrt(this.squares / divisor));
  }
}
