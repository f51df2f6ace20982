import { PAUSE } from '../../budget.ts';
import { unknownHere } from '../../errors.ts';
import { isDocument, setField, type Document } from '../../values/types.ts';
import { ACCUMULATORS, type Accumulator } from '../expression/accumulators.ts';
import { compileOperand } from '../expression/compile.ts';
import { check, type Expr, type ExprContext } from '../expression/types.ts';
import { ValueMap } from '../value-map.ts';
import type { BuildStage, Stage } from './types.ts';

/** One computed field of a group: what it takes of each document, and how a group's accumulator is made. */
interface GroupField {
  name: string;
  input: Expr;
  make(): Accumulator;
}

function simpleField(name: string, op: string, spec: unknown, c: ExprContext): GroupField {
  const make = ACCUMULATORS.get(op);
  if (!make) throw unknownHere(15952, `unknown group operator '${op}'`);
  check(!Array.isArray(spec), 40237, () => `The ${op} accumulator is a unary operator`);
  return { name, input: compileOperand(spec, c), make: () => make() };
}

function countField(name: string, spec: unknown): GroupField {
  check(
    isDocument(spec) && Object.keys(spec).length === 0,
    'TypeMismatch',
    () => '$count takes no arguments, i.e. $count:{}',
  );
  return { name, input: () => 1, make: () => (ACCUMULATORS.get('$sum') as () => Accumulator)() };
}

/** Reads one field of a `$group`: `{ $operator: argument }`. */
function groupField(name: string, spec: unknown, c: ExprContext): GroupField {
  check(!name.includes('.'), 40235, () => `The field name '${name}' cannot contain '.'`);
  check(!name.startsWith('$'), 40236, () => `The field name '${name}' cannot be an operator name`);
  check(isDocument(spec), 40234, () => `The field '${name}' must be an accumulator object`);
  const keys = Object.keys(spec);
  check(keys.length === 1, 40238, () => `The field '${name}' must specify one accumulator`);
  const [op = ''] = keys;
  if (op === '$count') return countField(name, spec[op]);
  return simpleField(name, op, spec[op], c);
}

interface Group {
  key: unknown;
  accumulators: Accumulator[];
}

function groupDocument(fields: readonly GroupField[], group: Group): Document {
  const doc: Document = { _id: group.key };
  group.accumulators.forEach((accumulator, i) => {
    setField(doc, (fields[i] as GroupField).name, accumulator.result() ?? null);
  });
  return doc;
}

/** Groups documents by a key; groups come in the order in which they were first met. */
function grouping(key: Expr, fields: readonly GroupField[]): Stage {
  return function* (input, bindings) {
    const groups = new ValueMap<Group>();
    for (const root of input) {
      if (root === PAUSE) {
        yield PAUSE;
        continue;
      }
      const scope = { root, bindings };
      const id = key(scope) ?? null;
      const group = groups.getOrMake(id, () => ({
        key: id,
        accumulators: fields.map((field) => field.make()),
      }));
      fields.forEach((field, i) => (group.accumulators[i] as Accumulator).add(field.input(scope)));
    }
    for (const [, group] of groups.entries()) yield groupDocument(fields, group);
  };
}

/** `$group`. */
export const groupStage: BuildStage = (spec, { expressions }) => {
  check(isDocument(spec), 15947, () => "a group's fields must be specified in an object");
  check(Object.hasOwn(spec, '_id'), 15955, () => 'a group specification must include an _id');
  const fields = Object.keys(spec)
    .filter((name) => name !== '_id')
    .map((name) => groupField(name, spec[name], expressions));
  return grouping(compileOperand(spec['_id'], expressions), fields);
};
