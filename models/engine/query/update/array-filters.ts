import { EngineError } from '../../errors.ts';
import { isDocument, type Document } from '../../values/types.ts';
import { compileDocument, type FilterContext, type Node } from '../filter/compile.ts';

const IDENTIFIER = /^[a-z][a-zA-Z0-9]*$/;

/** The first parts of all paths a filter speaks of. */
function topLevelNames(filter: Document): string[] {
  return Object.keys(filter).flatMap((key) => {
    const value = filter[key];
    if (key !== '$and' && key !== '$or' && key !== '$nor')
      return key.startsWith('$') ? [] : [key.split('.')[0] ?? ''];
    return Array.isArray(value) ? value.filter(isDocument).flatMap(topLevelNames) : [];
  });
}

function identifierOf(filter: Document): string {
  const names = [...new Set(topLevelNames(filter))];
  const [name, other] = names;
  if (name === undefined) {
    throw new EngineError(
      'FailedToParse',
      'Cannot use an expression without a top-level field name in arrayFilters',
    );
  }
  if (other !== undefined) {
    throw new EngineError(
      'FailedToParse',
      `Error parsing array filter :: caused by :: Expected a single top-level field name, found '${name}' and '${other}'`,
    );
  }
  if (!IDENTIFIER.test(name)) {
    throw new EngineError(
      'BadValue',
      `Error parsing array filter :: caused by :: The top-level field name must be an alphanumeric string beginning with a lowercase letter, found '${name}'`,
    );
  }
  return name;
}

/**
 * Compiles array filters by their identifiers.
 * @throws EngineError FailedToParse, BadValue
 */
export function compileArrayFilters(filters: readonly Document[], c: FilterContext): Map<string, Node> {
  const compiled = new Map<string, Node>();
  for (const filter of filters) {
    const name = identifierOf(filter);
    if (compiled.has(name)) {
      throw new EngineError(
        'FailedToParse',
        `Found multiple array filters with the same top-level field name ${name}`,
      );
    }
    compiled.set(name, compileDocument(filter, c).onDocument);
  }
  return compiled;
}
