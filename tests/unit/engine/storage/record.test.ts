import { describe, expect, it } from 'vitest';
import { decodeCollection } from '#models/engine/storage/catalog/record.ts';
import { encode } from '#models/engine/values/encode.ts';
import { Binary, type Document } from '#models/engine/values/types.ts';

const record = (spec: Document, multikey = false) =>
  encode({
    collId: 1,
    uuid: new Binary(new Uint8Array(16), 4),
    options: {},
    indexes: [
      { indexId: 2, multikey: [multikey], cut: false, spec: { v: 2, key: { a: 1 }, name: 'a_1', ...spec } },
    ],
  });

describe('the record of a collection that an earlier version wrote', () => {
  it('is refused, with advice, when an index covers only some documents', () => {
    expect(() => decodeCollection('a.x', record({ partialFilterExpression: { b: 1 } }))).toThrow(
      'The index a_1 is partial, which this version does not support. Drop it with the version that created it.',
    );
  });

  it.each([
    ['is sparse', record({ sparse: true })],
    ['holds arrays', record({}, true)],
  ])('is refused with what to do when an index %s', (kind, bytes) => {
    expect(() => decodeCollection('a.x', bytes)).toThrow(
      `The index a_1 ${kind}, which this version does not support. Drop it with the version that created it.`,
    );
  });

  it('is read when an index was hidden, and the index is used again', () => {
    expect(decodeCollection('a.x', record({ hidden: true })).indexes).toMatchObject([{ name: 'a_1' }]);
  });
});
