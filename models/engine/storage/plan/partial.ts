import { compareValues, equalValues, type Bound } from '../../query/index.ts';
import { T, TYPE_NAMES, isDocument, typeOf, type Document } from '../../values/types.ts';
import type { StoredIndex } from '../catalog/record.ts';

/** True when a filter with this bound can only accept documents that have the field, and not as null. */
export function excludesMissing(bound: Bound | undefined): boolean {
  if (!bound) return false;
  const values = bound.points ?? [bound.min, bound.max].filter((value) => value !== undefined);
  return (
    values.length > 0 &&
    values.every((value) => {
      const type = typeOf(value);
      return (
        type !== T.null &&
        type !== T.missing &&
        type !== T.undefined &&
        type !== T.minKey &&
        type !== T.maxKey &&
        type !== T.regex
      );
    })
  );
}

function allPoints(bound: Bound, test: (value: unknown) => boolean): boolean {
  return bound.points !== undefined && bound.points.length > 0 && bound.points.every(test);
}

function sameType(a: unknown, b: unknown): boolean {
  return compareValues(a, b) !== 0 ? typeOf(a) === typeOf(b) : true;
}

function above(bound: Bound, limit: unknown, inclusive: boolean): boolean {
  const beyond = (value: unknown): boolean => {
    const order = compareValues(value, limit);
    return sameType(value, limit) && (order > 0 || (inclusive && order === 0));
  };
  if (bound.points) return allPoints(bound, beyond);
  if (bound.min === undefined) return false;
  const order = compareValues(bound.min, limit);
  return (
    sameType(bound.min, limit) && (order > 0 || (order === 0 && (inclusive || bound.minInclusive !== true)))
  );
}

function below(bound: Bound, limit: unknown, inclusive: boolean): boolean {
  const beneath = (value: unknown): boolean => {
    const order = compareValues(value, limit);
    return sameType(value, limit) && (order < 0 || (inclusive && order === 0));
  };
  if (bound.points) return allPoints(bound, beneath);
  if (bound.max === undefined) return false;
  const order = compareValues(bound.max, limit);
  return (
    sameType(bound.max, limit) && (order < 0 || (order === 0 && (inclusive || bound.maxInclusive !== true)))
  );
}

function isOfType(bound: Bound, wanted: unknown): boolean {
  const matches = (value: unknown): boolean =>
    typeOf(value) === wanted || TYPE_NAMES.get(typeOf(value)) === wanted;
  if (bound.points) return allPoints(bound, matches);
  const sample: unknown = bound.min ?? bound.max;
  return (
    sample !== undefined && typeOf(sample) !== T.minKey && typeOf(sample) !== T.maxKey && matches(sample)
  );
}

/** True when the bound makes one operator of the index's filter hold. */
function impliesOperator(bound: Bound, operator: string, operand: unknown): boolean {
  switch (operator) {
    case '$eq':
      return allPoints(bound, (value) => equalValues(value, operand));
    case '$in':
      return allPoints(bound, (value) => (operand as unknown[]).some((other) => equalValues(value, other)));
    case '$exists':
      return Boolean(operand) && excludesMissing(bound);
    case '$gt':
      return above(bound, operand, false);
    case '$gte':
      return above(bound, operand, true);
    case '$lt':
      return below(bound, operand, false);
    case '$lte':
      return below(bound, operand, true);
    case '$type':
      return !Array.isArray(operand) && isOfType(bound, operand);
    default:
      return false;
  }
}

function impliesPath(filter: Document, bound: Bound | undefined, path: string, wanted: unknown): boolean {
  if (filter[path] !== undefined && equalValues(filter[path], wanted)) return true;
  if (!bound) return false;
  const operators =
    isDocument(wanted) && Object.keys(wanted).some((key) => key.startsWith('$')) ? wanted : { $eq: wanted };
  return Object.entries(operators).every(([operator, operand]) => impliesOperator(bound, operator, operand));
}

function impliesAll(filter: Document, bounds: Map<string, Bound>, wanted: Document): boolean {
  return Object.entries(wanted).every(([path, value]) => {
    if (path === '$and') return (value as Document[]).every((part) => impliesAll(filter, bounds, part));
    return !path.startsWith('$') && impliesPath(filter, bounds.get(path), path, value);
  });
}

/**
 * True when every document the filter accepts is certain to be in a partial or sparse index.
 */
export function holdsAllMatches(index: StoredIndex, filter: Document, bounds: Map<string, Bound>): boolean {
  const wanted = index.partialFilterExpression;
  if (wanted && !impliesAll(filter, bounds, wanted)) return false;
  return !index.sparse || index.fields.some((field) => excludesMissing(bounds.get(field.path)));
}
