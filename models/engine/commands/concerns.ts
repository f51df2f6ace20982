import { unsupported } from '../errors.ts';
import { isDocument, type Document } from '../values/types.ts';
import { typeMismatch } from './fields.ts';
import { toNumber } from './numbers.ts';

const READ_LEVELS = new Set<unknown>([undefined, 'local', 'available', 'majority', 'linearizable']);

/**
 * Checks what a command says of the copies that a read or write has to have reached. One node that answers only what is on
 * the disk gives everything but a read of the past, and a second copy.
 * @throws EngineError 14, and 115 for what one node cannot give
 */
export function checkConcerns({ readConcern = {}, writeConcern = {} }: Document): void {
  if (!isDocument(readConcern)) throw typeMismatch('readConcern', readConcern, 'object');
  if (!READ_LEVELS.has(readConcern['level']))
    throw unsupported(`the read concern ${String(readConcern['level'])}`);
  if (!isDocument(writeConcern)) throw typeMismatch('writeConcern', writeConcern, 'object');
  const { w = 1 } = writeConcern;
  if (w !== 'majority' && !(toNumber(w) <= 1)) throw unsupported(`the write concern ${String(w)}`);
}
