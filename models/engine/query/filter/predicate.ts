import { atPath, type Leaf, type Node, type ValueTest } from './walk.ts';

/** A compiled condition: asked of a document it follows its path, asked of one value it looks at just that value. */
export interface Predicate {
  onDocument: Node;
  onElement: ValueTest;
}

/** A test of the values a path leads to. */
export function leaf(path: string, test: ValueTest, arrays: Leaf = 'elements-and-array'): Predicate {
  return { onDocument: atPath(path, test, arrays), onElement: test };
}

/** Holds when the inner condition does not; tells nothing about positions. */
export function not(inner: Predicate): Predicate {
  return { onDocument: (doc) => !inner.onDocument(doc), onElement: (value) => !inner.onElement(value) };
}

function allNodes(nodes: readonly Node[]): Node {
  return (doc, details) => {
    for (const node of nodes) {
      if (node(doc, details)) continue;
      if (details) delete details.index;
      return false;
    }
    return true;
  };
}

/** All must hold. Of what they tell about the position of a match the last word counts, as in MongoDB. */
export function all(inner: readonly Predicate[]): Predicate {
  const [only] = inner;
  if (only && inner.length === 1) return only;
  return {
    onDocument: allNodes(inner.map((p) => p.onDocument)),
    onElement: allNodes(inner.map((p) => p.onElement)),
  };
}

/** One must hold; tells nothing about positions. */
export function any(inner: readonly Predicate[]): Predicate {
  return {
    onDocument: (doc) => inner.some((p) => p.onDocument(doc)),
    onElement: (value) => inner.some((p) => p.onElement(value)),
  };
}

/** The same answer for every document. */
export function always(result: boolean): Predicate {
  return { onDocument: () => result, onElement: () => result };
}
