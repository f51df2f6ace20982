import { showValue } from '../../values/show.ts';
import type { Document } from '../../values/types.ts';

/** `{_id: 1}`, the way messages name a document. */
export function idText(doc: Document): string {
  return Object.hasOwn(doc, '_id') ? `{_id: ${showValue(doc['_id'])}}` : '{no id}';
}

/** The last part of a dotted path. */
export function lastPart(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1);
}
