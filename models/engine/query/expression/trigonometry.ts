import { unsupported } from '../../errors.ts';
import { makeDouble, toDouble } from '../../values/arithmetic.ts';
import { T, isNumeric, typeOf } from '../../values/types.ts';
import { ofDouble } from './rounding.ts';
import { binary, check, isNullish, nameOf, operators } from './types.ts';

/** The bounds MongoDB sets for an argument, inclusive. */
const within =
  (low: number, high: number) =>
  (x: number, op: string): void =>
    check(
      Number.isNaN(x) || (x >= low && x <= high),
      50989,
      () => `cannot apply ${op} to ${x}, value must be in [${low},${high}]`,
    );

const finiteOnly = (x: number, op: string): void =>
  check(Math.abs(x) !== Infinity, 50989, () => `cannot apply ${op} to ${x}, value must be in (-inf,inf)`);

function arcTangent2(y: unknown, x: unknown, op: string): unknown {
  if (isNullish(y) || isNullish(x)) return null;
  check(isNumeric(y), 51044, () => `${op} only supports numeric types, not ${nameOf(y)} and ${nameOf(x)}`);
  check(isNumeric(x), 51045, () => `${op} only supports numeric types, not ${nameOf(y)} and ${nameOf(x)}`);
  if (typeOf(y) === T.decimal || typeOf(x) === T.decimal) {
    throw unsupported(`${op} for decimals`);
  }
  return makeDouble(Math.atan2(toDouble(y), toDouble(x)));
}

/** Angles, in double precision. */
export const trigonometryOperators = operators({
  $sin: ofDouble(Math.sin, finiteOnly),
  $cos: ofDouble(Math.cos, finiteOnly),
  $tan: ofDouble(Math.tan, finiteOnly),
  $asin: ofDouble(Math.asin, within(-1, 1)),
  $acos: ofDouble(Math.acos, within(-1, 1)),
  $atan: ofDouble(Math.atan),
  $atan2: binary((y, x, _c, op) => arcTangent2(y, x, op)),
  $sinh: ofDouble(Math.sinh),
  $cosh: ofDouble(Math.cosh),
  $tanh: ofDouble(Math.tanh),
  $asinh: ofDouble(Math.asinh),
  $acosh: ofDouble(Math.acosh, within(1, Infinity)),
  $atanh: ofDouble(Math.atanh, within(-1, 1)),
  $degreesToRadians: ofDouble((x) => x * (Math.PI / 180)),
  $radiansToDegrees: ofDouble((x) => x * (180 / Math.PI)),
});
