import { EngineError } from '../../errors.ts';
import { makeInteger, toBigInt, widerType } from '../../values/arithmetic.ts';
import { showDocument, showValue } from '../../values/show.ts';
import { T, isDocument, typeNameOf, typeOf } from '../../values/types.ts';
import type { ReadModifier } from './modifier.ts';
import { idText, lastPart } from './messages.ts';

type Step = { op: 'and' | 'or' | 'xor'; operand: unknown };

function isInteger(value: unknown): boolean {
  return typeOf(value) === T.int || typeOf(value) === T.long;
}

function readSteps(argument: unknown, path: string): Step[] {
  if (!isDocument(argument)) {
    throw new EngineError(
      'BadValue',
      `The $bit modifier is not compatible with a ${typeNameOf(argument)}. It must be an Object, e.g. {$bit: {field: {and/or/xor: #}}}: {${path}: ${showValue(argument)}}`,
    );
  }
  const steps = Object.keys(argument).map((op): Step => {
    if (op !== 'and' && op !== 'or' && op !== 'xor') {
      throw new EngineError(
        'BadValue',
        `The $bit modifier only supports 'and', 'or', and 'xor', not '${op}' which is an unknown operator: {${op}: ${showValue(argument[op])}}`,
      );
    }
    if (!isInteger(argument[op])) {
      throw new EngineError(
        'BadValue',
        `The $bit modifier field must be an Integer(32/64 bit); a '${typeNameOf(argument[op])}' is not supported here: {${op}: ${showValue(argument[op])}}`,
      );
    }
    return { op, operand: argument[op] };
  });
  if (steps.length === 0) {
    throw new EngineError(
      'BadValue',
      `You must pass in at least one bitwise operation. The format is: {$bit: {field: {and/or/xor: #}}}: ${showDocument(argument)}`,
    );
  }
  return steps;
}

function apply(value: unknown, { op, operand }: Step): unknown {
  const [a, b] = [toBigInt(value), toBigInt(operand)];
  const result = op === 'and' ? a & b : op === 'or' ? a | b : a ^ b;
  return makeInteger(result, widerType(typeOf(value), typeOf(operand)));
}

/** `$bit`: and, or, xor, one after the other; a missing field counts as 0. */
export const bit: ReadModifier = (argument, path) => {
  const steps = readSteps(argument, path);
  return {
    change(value, site) {
      if (isInteger(value)) return steps.reduce(apply, value);
      throw new EngineError(
        'BadValue',
        `Cannot apply $bit to a value of non-integral type.${idText(site.doc)} has the field ${lastPart(site.path)} of non-integer type ${typeNameOf(value)}`,
      );
    },
    create: () => steps.reduce<unknown>(apply, 0),
  };
};
