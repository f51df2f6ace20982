import { exactLong } from '../../values/integers.ts';
import { Long, isDocument, typeNameOf, type Document } from '../../values/types.ts';
import { compileOperand } from '../expression/compile.ts';
import { fieldPathParts } from '../expression/paths.ts';
import { check } from '../expression/types.ts';
import { ValueMap, ValueSet } from '../value-map.ts';
import { joinFilter, joinValues } from './lookup.ts';
import { withPath } from './unwind.ts';
import { mapping, type BuildStage, type StageContext } from './types.ts';

interface GraphSpec {
  from: string;
  as: string[];
  connectFrom: string;
  connectTo: string;
  depthField: string[] | undefined;
  maxDepth: number;
  restrict: Document | undefined;
}

const OPTIONS = new Set([
  ...['from', 'startWith', 'connectFromField', 'connectToField', 'as'],
  ...['maxDepth', 'depthField', 'restrictSearchWithMatch'],
]);

function requiredText(spec: Document, key: string): string {
  const value = spec[key];
  check(
    value !== undefined,
    40105,
    () =>
      `$graphLookup requires 'from', 'as', 'startWith', 'connectFromField', and 'connectToField' to be specified.`,
  );
  check(
    typeof value === 'string',
    40103,
    () => `expected string as argument for ${key}, found: ${typeNameOf(value)}`,
  );
  return value;
}

function readSpec(spec: Document): GraphSpec {
  for (const key of Object.keys(spec)) {
    check(OPTIONS.has(key), 40104, () => `Unknown argument to $graphLookup: ${key}`);
  }
  const { maxDepth, depthField, restrictSearchWithMatch: restrict } = spec;
  const depth = maxDepth === undefined ? Infinity : exactLong(maxDepth);
  check(depth !== undefined, 40102, () => 'maxDepth could not be represented as a long long');
  check(Number(depth) >= 0, 40101, () => `maxDepth requires a nonnegative argument, found: ${String(depth)}`);
  check(
    restrict === undefined || isDocument(restrict),
    40185,
    () => `restrictSearchWithMatch must be an object, found ${typeNameOf(restrict)}`,
  );
  return {
    from: requiredText(spec, 'from'),
    as: fieldPathParts(requiredText(spec, 'as')),
    connectFrom: requiredText(spec, 'connectFromField'),
    connectTo: requiredText(spec, 'connectToField'),
    depthField: depthField === undefined ? undefined : fieldPathParts(requiredText(spec, 'depthField')),
    maxDepth: Number(depth),
    restrict,
  };
}

function search(g: GraphSpec, c: StageContext, start: unknown): Document[] {
  const found = new ValueMap<Document>();
  const asked = new ValueSet(c.expressions.collation);
  let frontier: unknown[] = Array.isArray(start) ? start : [start ?? null];
  for (let depth = 0; depth <= g.maxDepth && frontier.length > 0; depth++) {
    const fresh = frontier.filter((value) => asked.add(value));
    if (fresh.length === 0) break;
    const filter = joinFilter(g.connectTo, fresh);
    frontier = [];
    for (const doc of c.find(g.from, g.restrict ? { $and: [filter, g.restrict] } : filter)) {
      if (found.has(doc['_id'])) continue;
      found.getOrMake(doc['_id'], () =>
        g.depthField ? withPath(doc, g.depthField, Long.fromNumber(depth)) : doc,
      );
      frontier.push(...joinValues(doc, g.connectFrom));
    }
  }
  return Array.from(found.entries(), ([, doc]) => doc);
}

/** `$graphLookup`: all documents of a collection that can be reached from one by following fields. */
export const graphLookupStage: BuildStage = (spec, c) => {
  check(
    isDocument(spec),
    'FailedToParse',
    () => `the $graphLookup stage specification must be an object, but found ${typeNameOf(spec)}`,
  );
  const g = readSpec(spec);
  check(
    Object.hasOwn(spec, 'startWith'),
    40105,
    () =>
      `$graphLookup requires 'from', 'as', 'startWith', 'connectFromField', and 'connectToField' to be specified.`,
  );
  const start = compileOperand(spec['startWith'], c.expressions);
  return mapping((doc, bindings) => withPath(doc, g.as, search(g, c, start({ root: doc, bindings }))));
};
