import { EngineError } from '../errors.ts';
import { BsonUndefined, getField, isDocument, type Document } from '../values/types.ts';

/** The values under the paths of one index, one row per array element; a missing value is `undefined`. */
export interface Extracted {
  rows: unknown[][];
  /** Per path: whether an array was met on it. */
  arrays: boolean[];
}

/** Where the walk along one path stands: at `node`, with `parts[next…]` still to go. */
interface Place {
  node: unknown;
  next: number;
}

const POSITION = /^\d+$/;

/** Goes along a path until its end or until an array spreads it out. */
function walk(place: Place, parts: string[]): Place {
  let { node, next } = place;
  while (next < parts.length) {
    const part = parts[next] as string;
    if (Array.isArray(node)) {
      if (!POSITION.test(part)) return { node, next };
      node = node[Number(part)];
    } else {
      node = isDocument(node) ? getField(node, part) : undefined;
    }
    next += 1;
  }
  return { node, next };
}

function parallel(first: string, second: string): EngineError {
  return new EngineError('CannotIndexParallelArrays', `cannot index parallel arrays [${second}] [${first}]`);
}

/** Takes the index rows out of documents, spreading arrays as MongoDB does: one array per document and key. */
export class Extractor {
  private readonly parts: string[][];

  constructor(private readonly paths: string[]) {
    this.parts = paths.map((path) => path.split('.'));
  }

  /** @throws EngineError 171 when two paths lead into different arrays. */
  extract(doc: Document): Extracted {
    const out: Extracted = { rows: [], arrays: this.paths.map(() => false) };
    this.spread(
      this.parts.map(() => ({ node: doc, next: 0 })),
      out,
    );
    return out;
  }

  private spread(from: Place[], out: Extracted): void {
    const places = from.map((place, i) => this.step(place, i));
    let shared: unknown[] | null = null;
    let sharedAt = 0;
    for (let i = 0; i < places.length; i++) {
      const { node, next } = places[i] as Place;
      if (next < 0 || !Array.isArray(node)) continue;
      if (shared !== null && shared !== node)
        throw parallel(this.paths[sharedAt] as string, this.paths[i] as string);
      shared = node;
      sharedAt = i;
      out.arrays[i] = true;
    }
    if (shared === null) out.rows.push(places.map((place) => place.node));
    else this.spreadOver(shared, places, out);
  }

  /** A place with `next` -1 has its final value. */
  private step(place: Place, i: number): Place {
    return place.next < 0 ? place : walk(place, this.parts[i] as string[]);
  }

  private spreadOver(array: unknown[], places: Place[], out: Extracted): void {
    if (array.length === 0) {
      const row = places.map(({ node, next }, i) => {
        if (next < 0 || node !== array) return node;
        return next === this.parts[i]?.length ? BsonUndefined.instance : undefined;
      });
      out.rows.push(row);
      return;
    }
    for (const item of array) {
      const inner = places.map(({ node, next }, i): Place => {
        if (next < 0 || node !== array) return { node, next: -1 };
        if (next === this.parts[i]?.length) return { node: item, next: -1 };
        return isDocument(item) ? { node: item, next } : { node: undefined, next: -1 };
      });
      this.spread(inner, out);
    }
  }
}
