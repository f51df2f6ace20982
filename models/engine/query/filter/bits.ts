import { EngineError } from '../../errors.ts';
import { exactLong } from '../../values/integers.ts';
import { showValue } from '../../values/show.ts';
import { Binary, T, isNumeric, typeOf } from '../../values/types.ts';
import type { ValueTest } from './walk.ts';

/** The bit operators of the query language. */
export type BitOperator = '$bitsAllSet' | '$bitsAllClear' | '$bitsAnySet' | '$bitsAnyClear';

type HasBit = (position: number) => boolean;

function bitsOfBytes(bytes: Uint8Array): HasBit {
  return (position) => (((bytes[position >> 3] ?? 0) >> (position & 7)) & 1) === 1;
}

function bitsOfLong(n: bigint): HasBit {
  return (position) => ((n >> BigInt(Math.min(position, 63))) & 1n) === 1n;
}

function positionsOfMask(mask: bigint): number[] {
  const positions: number[] = [];
  for (let i = 0; i < 63; i++) if ((mask >> BigInt(i)) & 1n) positions.push(i);
  return positions;
}

function positionsOfBytes(bytes: Uint8Array): number[] {
  const has = bitsOfBytes(bytes);
  return Array.from({ length: bytes.length * 8 }, (_, i) => i).filter(has);
}

function positionFrom(op: string, value: unknown): number {
  const position = exactLong(value);
  if (position === undefined) {
    throw new EngineError(
      'BadValue',
      `Failed to parse bit position. Expected an integer: ${op}: ${showValue(value)}`,
    );
  }
  if (position < 0n) {
    throw new EngineError('BadValue', `bit positions must be >= 0 but got: ${showValue(value)}`);
  }
  if (position > 2147483647n) {
    throw new EngineError(
      'BadValue',
      `bit positions cannot be represented as a 32-bit signed integer: ${showValue(value)}`,
    );
  }
  return Number(position);
}

function positionsFrom(op: string, spec: unknown): number[] {
  if (Array.isArray(spec)) return spec.map((value) => positionFrom(op, value));
  if (typeOf(spec) === T.binData)
    return positionsOfBytes(spec instanceof Binary ? spec.value() : (spec as Uint8Array));
  if (!isNumeric(spec)) {
    throw new EngineError(
      'BadValue',
      `${op} takes an Array, a number, or a BinData but received: ${op}: ${showValue(spec)}`,
    );
  }
  const mask = exactLong(spec);
  if (mask === undefined) throw new EngineError('BadValue', `Expected an integer: ${op}: ${showValue(spec)}`);
  if (mask < 0n)
    throw new EngineError('FailedToParse', `Expected a non-negative number in: ${op}: ${showValue(spec)}`);
  return positionsOfMask(mask);
}

function bitsOf(value: unknown): HasBit | undefined {
  const type = typeOf(value);
  if (type === T.binData) return bitsOfBytes(value instanceof Binary ? value.value() : (value as Uint8Array));
  if (type !== T.int && type !== T.long && type !== T.double) return undefined;
  const whole = exactLong(value);
  return whole === undefined ? undefined : bitsOfLong(whole);
}

/** The test of a bit operator: integers in two's complement with the sign extended, binary data little end first. */
export function bitTest(op: BitOperator, spec: unknown): ValueTest {
  const positions = positionsFrom(op, spec);
  return (value) => {
    const has = bitsOf(value);
    if (!has) return false;
    switch (op) {
      case '$bitsAllSet':
        return positions.every(has);
      case '$bitsAllClear':
        return !positions.some(has);
      case '$bitsAnySet':
        return positions.some(has);
      case '$bitsAnyClear':
        return !positions.every(has);
    }
  };
}
