import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Framer } from '#models/engine/wire/framer.ts';
import { WireError } from '#models/engine/wire/message.ts';
import { message } from './messages.ts';

function cut(bytes: Buffer, sizes: number[]): Buffer[] {
  const chunks: Buffer[] = [];
  let at = 0;
  for (const size of sizes) {
    chunks.push(bytes.subarray(at, at + size));
    at += size;
  }
  chunks.push(bytes.subarray(at));
  return chunks.filter((chunk) => chunk.length > 0);
}

describe('the framer', () => {
  it('returns the same messages however the stream is split', () => {
    fc.assert(
      fc.property(
        fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 8 }),
        fc.array(fc.integer({ min: 1, max: 30 })),
        (payloads, sizes) => {
          const messages = payloads.map((payload) => message(2013, payload));
          const framer = new Framer();
          const got = cut(Buffer.concat(messages), sizes).flatMap((chunk) =>
            [...framer.push(chunk)].map((bytes) => Buffer.from(bytes)),
          );
          expect(got).toEqual(messages);
          expect(framer.pending).toBe(0);
        },
      ),
    );
  });

  it.each([-1, 0, 15, 48_000_001, 0x7fffffff])(
    'refuses a message that claims %i bytes before it has them',
    (size) => {
      const head = Buffer.alloc(4);
      head.writeInt32LE(size);
      expect(() => [...new Framer().push(head)]).toThrow(WireError);
    },
  );

  it('takes a message of the largest allowed size', () => {
    const head = Buffer.alloc(16);
    head.writeInt32LE(48_000_000);
    const framer = new Framer();
    expect([...framer.push(head)]).toEqual([]);
    expect(framer.pending).toBe(16);
  });

  it('returns complete messages before it refuses the next one', () => {
    const good = message(2013, Buffer.from('abc'));
    const bad = Buffer.alloc(16, 0xff);
    const seen: Buffer[] = [];
    const read = () => {
      for (const bytes of new Framer().push(Buffer.concat([good, bad]))) seen.push(Buffer.from(bytes));
    };
    expect(read).toThrow(WireError);
    expect(seen).toEqual([good]);
  });
});
