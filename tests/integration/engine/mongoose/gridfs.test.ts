import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { GridFSBucket } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { failureOf, useEngine } from '#tests/support/engine.ts';

const engine = useEngine();
const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

describe('files stored through GridFS', () => {
  it('come back byte for byte, in whole and in part', async () => {
    const bucket = new GridFSBucket(engine.db(), { chunkSizeBytes: 100_000 });
    const bytes = randomBytes(1_234_567);
    const upload = bucket.openUploadStream('vial.jpg', { metadata: { kind: 'photo' } });
    await pipeline(Readable.from(bytes), upload);
    const back = Buffer.concat(await bucket.openDownloadStream(upload.id).toArray());
    expect(hash(back)).toBe(hash(bytes));
    const part = Buffer.concat(
      await bucket.openDownloadStream(upload.id, { start: 99_990, end: 300_010 }).toArray(),
    );
    expect(hash(part)).toBe(hash(bytes.subarray(99_990, 300_010)));
    expect(await bucket.find({ 'metadata.kind': 'photo' }).toArray()).toMatchObject([
      { filename: 'vial.jpg', length: bytes.length },
    ]);
  });

  it('are renamed and deleted', async () => {
    const bucket = new GridFSBucket(engine.db());
    const upload = bucket.openUploadStream('a');
    await pipeline(Readable.from(Buffer.from('text')), upload);
    await bucket.rename(upload.id, 'b');
    expect(Buffer.concat(await bucket.openDownloadStreamByName('b').toArray()).toString()).toBe('text');
    await bucket.delete(upload.id);
    expect((await failureOf(bucket.openDownloadStream(upload.id).toArray())).message).toContain(
      'FileNotFound',
    );
  });
});
