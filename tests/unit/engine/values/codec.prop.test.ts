import { deserialize, serialize } from 'bson';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EngineError } from '#models/engine/errors.ts';
import { decode, decodeFields } from '#models/engine/values/decode.ts';
import { encode } from '#models/engine/values/encode.ts';
import { cloneDocument } from '#models/engine/values/clone.ts';
import { anyDocument } from './arbitrary.ts';

describe('the codec', () => {
  it('writes the bytes the bson package writes', () => {
    fc.assert(
      fc.property(anyDocument, (doc) => {
        expect(Buffer.from(encode(doc)).equals(serialize(doc))).toBe(true);
      }),
    );
  });

  it('loses nothing: bytes, document, bytes', () => {
    fc.assert(
      fc.property(anyDocument, (doc) => {
        const bytes = encode(doc);
        expect(Buffer.from(encode(decode(bytes))).equals(bytes)).toBe(true);
      }),
    );
  });

  it('reads what the bson package reads', () => {
    fc.assert(
      fc.property(anyDocument, (doc) => {
        const bytes = encode(doc);
        expect(serialize(deserialize(bytes, { promoteValues: false }))).toEqual(serialize(decode(bytes)));
      }),
    );
  });

  it('refuses damaged bytes with an engine error, or reads something it can write', () => {
    fc.assert(
      fc.property(anyDocument, fc.nat(), fc.integer({ min: 0, max: 255 }), (doc, where, byte) => {
        const bytes = Uint8Array.from(encode(doc));
        bytes[where % bytes.length] = byte;
        try {
          encode(decode(bytes));
        } catch (error) {
          expect(error).toBeInstanceOf(EngineError);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('refuses every truncated document', () => {
    fc.assert(
      fc.property(anyDocument, fc.nat(), (doc, where) => {
        const bytes = encode(doc);
        expect(() => decode(bytes.subarray(0, where % bytes.length))).toThrow(EngineError);
      }),
    );
  });

  it('reads selected fields like those of the whole document', () => {
    const expected = fc.oneof(anyDocument, fc.constant({})).map((doc) => Object.keys(doc));
    fc.assert(
      fc.property(anyDocument, expected, fc.nat(), (doc, others, which) => {
        const names = new Set([...Object.keys(doc).filter((_, at) => (which >> (at % 30)) & 1), ...others]);
        const part = Object.fromEntries(Object.entries(doc).filter(([name]) => names.has(name)));
        const bytes = encode(doc);
        expect(Buffer.from(encode(decodeFields(bytes, names))).equals(encode(part))).toBe(true);
      }),
    );
  });

  it('copies documents deeply and equally', () => {
    fc.assert(
      fc.property(anyDocument, (doc) => {
        const copy = cloneDocument(doc);
        expect(copy).not.toBe(doc);
        expect(Buffer.from(encode(copy)).equals(encode(doc))).toBe(true);
      }),
    );
  });
});
