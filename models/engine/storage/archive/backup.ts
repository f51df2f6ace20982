import { createHash } from 'node:crypto';
import { pipeline, Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import type { Document } from '../../values/types.ts';
import type { Namespace } from '../types.ts';
import { ARCHIVE_VERSION, FrameWriter } from './format.ts';

const BATCH_BYTES = 256 * 1024;

/** What a backup reads from. */
export interface ArchiveSource {
  /** Each with `ns`, `uuid`, `options` and `indexes`. */
  collections(): (Document & { ns: Namespace })[] | Promise<(Document & { ns: Namespace })[]>;
  documents(ns: Namespace): Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
  close(): void;
}

async function* documentFrames(
  writer: FrameWriter,
  documents: ReturnType<ArchiveSource['documents']>,
): AsyncGenerator<Buffer, number> {
  const hash = createHash('sha256');
  let batch: Uint8Array[] = [];
  let bytes = 0;
  let count = 0;
  for await (const document of documents) {
    hash.update(document);
    batch.push(document);
    bytes += document.length;
    count += 1;
    if (bytes < BATCH_BYTES) continue;
    yield writer.frame('D', Buffer.concat(batch));
    batch = [];
    bytes = 0;
  }
  if (batch.length > 0) yield writer.frame('D', Buffer.concat(batch));
  yield writer.record('E', { documents: count, sha256: hash.digest('hex') });
  return count;
}

/** All frames, uncompressed. */
async function* frames(source: ArchiveSource): AsyncGenerator<Buffer> {
  const writer = new FrameWriter();
  yield writer.record('H', { format: 'vialbook-archive', version: ARCHIVE_VERSION, created: new Date() });
  let collections = 0;
  let documents = 0;
  for (const coll of await source.collections()) {
    yield writer.record('C', coll);
    documents += yield* documentFrames(writer, source.documents(coll.ns));
    collections += 1;
  }
  yield writer.end({ collections, documents });
}

/** A compressed archive of a source, which is opened when the first byte is read and closed at the end. */
export async function* archive(take: () => ArchiveSource): AsyncGenerator<Uint8Array> {
  const source = take();
  const gzip = createGzip();
  // On a failure, `pipeline` destroys the compressor, which ends the loop below with that error.
  pipeline(Readable.from(frames(source)), gzip, () => undefined);
  try {
    for await (const chunk of gzip) yield chunk as Uint8Array;
  } finally {
    gzip.destroy();
    source.close();
  }
}
