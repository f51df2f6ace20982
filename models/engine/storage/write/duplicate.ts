import { EngineError } from '../../errors.ts';
import type { Document } from '../../values/types.ts';
import { Extractor } from '../../query/index.ts';
import { showDocument } from '../../values/show.ts';
import type { StoredIndex } from '../catalog/record.ts';
import type { Namespace } from '../types.ts';

/** The values of the row that collides, as the server lists them; missing ones are null. */
function collidingValues(index: StoredIndex, doc: Document, row: number): Document {
  const { rows } = new Extractor(index.fields.map((field) => field.path)).extract(doc);
  const values = rows[row] ?? rows[0] ?? [];
  return Object.fromEntries(index.fields.map((field, i) => [field.path, values[i] ?? null]));
}

/** E11000 in the server's shape, `keyPattern` and `keyValue` included. */
export function duplicateKey(ns: Namespace, index: StoredIndex, doc: Document, row: number): EngineError {
  const keyValue = collidingValues(index, doc, row);
  return new EngineError(
    'DuplicateKey',
    `E11000 duplicate key error collection: ${ns} index: ${index.name} dup key: ${showDocument(keyValue)}`,
    { extra: { keyPattern: index.key, keyValue } },
  );
}
