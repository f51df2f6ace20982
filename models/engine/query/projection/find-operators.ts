import { EngineError } from '../../errors.ts';
import { truncateToLong } from '../../values/integers.ts';
import { isDocument, isNumeric, setField, type Document } from '../../values/types.ts';
import type { Node } from '../filter/walk.ts';

/** Changes what is left of a document after the fields have been chosen. */
export type Finish = (result: Document, original: Document) => Document;

/** `skip` and `limit` of a `$slice` of find, `undefined` when the argument is an expression's. */
export function sliceArguments(spec: unknown): { skip: number; limit: number } | undefined {
  const toInt = (value: unknown): number => Number(truncateToLong(value) ?? 0n);
  if (isNumeric(spec)) {
    const n = toInt(spec);
    return n < 0 ? { skip: n, limit: -n } : { skip: 0, limit: n };
  }
  if (!Array.isArray(spec) || spec.length !== 2 || !isNumeric(spec[0]) || !isNumeric(spec[1]))
    return undefined;
  const limit = toInt(spec[1]);
  if (limit <= 0) {
    throw new EngineError(28724, 'First argument to $slice must be an array, but is of type: int');
  }
  return { skip: toInt(spec[0]), limit };
}

function sliceArray(array: unknown[], skip: number, limit: number): unknown[] {
  const start = skip < 0 ? Math.max(0, array.length + skip) : skip;
  return array.slice(start, start + limit);
}

function changeAt(value: unknown, parts: readonly string[], change: (array: unknown[]) => unknown): unknown {
  if (parts.length === 0) return Array.isArray(value) ? change(value) : value;
  if (Array.isArray(value))
    return value.map((item) => (isDocument(item) ? changeAt(item, parts, change) : item));
  if (!isDocument(value)) return value;
  const [name = '', ...rest] = parts;
  if (!Object.hasOwn(value, name)) return value;
  const copy = { ...value };
  setField(copy, name, changeAt(value[name], rest, change));
  return copy;
}

/** `$slice` of find: a part of the array at a path. */
export function sliceAt(parts: readonly string[], skip: number, limit: number): Finish {
  return (result) => changeAt(result, parts, (array) => sliceArray(array, skip, limit)) as Document;
}

/** The first array on the way along a path gives way to its element at an index. */
function firstArrayTo(
  value: unknown,
  parts: readonly string[],
  pick: (array: unknown[]) => unknown[],
): unknown {
  if (Array.isArray(value)) return pick(value);
  const [name = '', ...rest] = parts;
  if (parts.length === 0 || !isDocument(value) || !Object.hasOwn(value, name)) return value;
  const copy = { ...value };
  setField(copy, name, firstArrayTo(value[name], rest, pick));
  return copy;
}

/** The positional projection: of the array at a path only the element that the query matched. */
export function positionalAt(parts: readonly string[], matches: Node): Finish {
  return (result, original) => {
    const details: { index?: number } = {};
    matches(original, details);
    return firstArrayTo(result, parts, (array) => {
      const { index } = details;
      if (index === undefined) {
        throw new EngineError(
          51246,
          "Executor error during find command :: caused by :: positional operator '.$' couldn't find a matching element in the array",
        );
      }
      if (index >= array.length) {
        throw new EngineError(
          51247,
          "Executor error during find command :: caused by :: positional operator '.$' element mismatch",
        );
      }
      return [array[index]];
    }) as Document;
  };
}
