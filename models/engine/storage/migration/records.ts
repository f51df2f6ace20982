import { EngineError } from '../../errors.ts';
import { decode } from '../../values/decode.ts';
import { encode } from '../../values/encode.ts';
import type { Document } from '../../values/types.ts';

/** A collection's record as the earlier versions wrote it. */
export interface EarlierCollection {
  collId: number;
  indexIds: number[];
  /** The indexes with keys that were cut, and so have to be computed again. */
  cut: number[];
  /** The record as it is written today. */
  record: Uint8Array;
}

/** @throws EngineError for an index without exactly one entry per document, as versions before those could create */
function requireWhole(spec: Document, holdsArrays: boolean): void {
  const kind = spec['partialFilterExpression']
    ? 'is partial'
    : spec['sparse']
      ? 'is sparse'
      : holdsArrays
        ? 'holds arrays'
        : null;
  if (kind === null) return;
  throw new EngineError(
    'UnsupportedFormat',
    `The index ${String(spec['name'])} ${kind}, which this version does not support. Drop it with the version that created it.`,
  );
}

export function readEarlierCollection(bytes: Uint8Array): EarlierCollection {
  const { indexes, ...rest } = decode(bytes) as Document & { indexes: Document[] };
  for (const { spec, multikey } of indexes)
    requireWhole(spec as Document, (multikey as boolean[]).includes(true));
  const idsOf = (some: Document[]) => some.map(({ indexId }) => indexId as number);
  return {
    collId: rest['collId'] as number,
    indexIds: idsOf(indexes),
    cut: idsOf(indexes.filter(({ cut }) => cut === true)),
    record: encode({ ...rest, indexes: indexes.map(({ indexId, spec }) => ({ indexId, spec })) }),
  };
}
