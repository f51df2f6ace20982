import { bareNumber } from '../../values/numbers.ts';
import { BSONSymbol, Code, T, typeOf } from '../../values/types.ts';
import { check, nameOf } from './types.ts';

/** A double with 16 significant digits, as C's `%.16g` writes it. */
export function doubleText(x: number): string {
  if (Number.isNaN(x)) return 'NaN';
  if (!Number.isFinite(x)) return x < 0 ? '-Infinity' : 'Infinity';
  if (Object.is(x, -0)) return '-0';
  if (x === 0) return '0';
  const [digits = '', exponent = '0'] = x.toExponential(15).split('e');
  const power = Number(exponent);
  if (power >= -4 && power < 16) {
    const fixed = x.toFixed(Math.min(100, 15 - power));
    return fixed.includes('.') ? fixed.replace(/\.?0+$/, '') : fixed;
  }
  const mantissa = digits.replace(/\.?0+$/, '');
  return `${mantissa}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}

/** A number as text. */
export function numberText(value: unknown): string {
  const bare = bareNumber(value);
  return typeOf(value) === T.double ? doubleText(bare as number) : bare.toString();
}

/** What the string operators take a value for: numbers and dates as text, null and missing as empty. */
export function coerceToText(value: unknown): string {
  const type = typeOf(value);
  switch (type) {
    case T.string:
      return value as string;
    case T.int:
    case T.long:
    case T.double:
    case T.decimal:
      return numberText(value);
    case T.date:
      return (value as Date).toISOString();
    case T.missing:
    case T.null:
    case T.undefined:
      return '';
    default:
      if (value instanceof BSONSymbol) return value.value;
      if (value instanceof Code && type === T.javascript) return value.code;
      check(false, 16007, () => `can't convert from BSON type ${nameOf(value)} to String`);
  }
}
