import { createHash, type Hash } from 'node:crypto';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { EngineError } from '../../errors.ts';
import { isDocument, type Document } from '../../values/types.ts';
import type { ArchiveSummary, Namespace } from '../types.ts';
import { checkNamespace } from '../write/collections.ts';
import { ARCHIVE_VERSION, badArchive, documentsIn, readFrames, readRecord } from './format.ts';

/** A collection as an archive describes it. */
export interface ArchivedCollection {
  ns: Namespace;
  options: Document;
  /** Not checked yet. */
  indexes: Document[];
}

/** The target of a restore. */
export interface ArchiveTarget {
  collection(coll: ArchivedCollection): Promise<void>;
  documents(ns: Namespace, documents: Buffer[]): Promise<void>;
}

async function* unzipped(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip();
  pipeline(Readable.from(source), gunzip, () => undefined);
  try {
    for await (const chunk of gunzip) yield chunk as Uint8Array;
  } catch (error) {
    if (error instanceof EngineError) throw error;
    throw badArchive(`it cannot be decompressed (${(error as Error).message})`);
  } finally {
    gunzip.destroy();
  }
}

/** Runs a check and refuses the archive if it fails. */
export function orBadArchive<T>(what: string, check: () => T): T {
  try {
    return check();
  } catch (error) {
    throw badArchive(`${what} (${(error as Error).message})`);
  }
}

/**
 * Reads a collection's description from a frame. Its checksums show that a file is complete, not that it can be
 * trusted: whoever writes a file also writes the checksums.
 */
function collectionOf({ ns, options, indexes }: Document): ArchivedCollection {
  if (typeof ns !== 'string') throw badArchive('a collection has no name');
  orBadArchive('a collection has an invalid name', () => checkNamespace(ns));
  if (!isDocument(options) || !Array.isArray(indexes) || !indexes.every(isDocument))
    throw badArchive(`the description of ${ns} is damaged`);
  return { ns, options, indexes };
}

/** Decodes a document completely. */
export function checkDocument(bytes: Buffer): void {
  if (readRecord(bytes)['_id'] === undefined) throw badArchive('a document has no id');
}

/** Reads an archive's frames and checks them against their checksums and counts. */
class Reading {
  private current: { coll: ArchivedCollection; documents: number; hash: Hash } | null = null;
  private begun = false;
  private readonly seen = new Set<Namespace>();
  readonly summary: ArchiveSummary = { collections: 0, documents: 0, bytes: 0 };

  header(payload: Buffer): void {
    const header = readRecord(payload);
    if (this.begun || header['format'] !== 'vialbook-archive')
      throw badArchive('it is not a backup of this program');
    if ((header['version'] as number) > ARCHIVE_VERSION)
      throw badArchive(
        `it has version ${String(header['version'])}, this program reads up to ${ARCHIVE_VERSION}`,
      );
    this.begun = true;
  }

  collection(payload: Buffer): ArchivedCollection {
    if (!this.begun || this.current) throw badArchive('its parts are in disorder');
    const coll = collectionOf(readRecord(payload));
    if (this.seen.has(coll.ns)) throw badArchive(`it contains ${coll.ns} twice`);
    this.seen.add(coll.ns);
    this.current = { coll, documents: 0, hash: createHash('sha256') };
    return coll;
  }

  documents(payload: Buffer): { ns: Namespace; documents: Buffer[] } {
    if (!this.current) throw badArchive('its parts are in disorder');
    const documents = [...documentsIn(payload)];
    this.current.documents += documents.length;
    this.current.hash.update(payload);
    this.summary.bytes += payload.length;
    return { ns: this.current.coll.ns, documents };
  }

  endCollection(payload: Buffer): void {
    if (!this.current) throw badArchive('its parts are in disorder');
    const end = readRecord(payload);
    const { coll, documents, hash } = this.current;
    if (end['documents'] !== documents || end['sha256'] !== hash.digest('hex'))
      throw badArchive(`the checksum of ${coll.ns} is wrong`);
    this.summary.collections += 1;
    this.summary.documents += documents;
    this.current = null;
  }

  end(payload: Buffer): void {
    const end = readRecord(payload);
    const { collections, documents } = this.summary;
    if (this.current || end['collections'] !== collections || end['documents'] !== documents)
      throw badArchive('its contents do not match its summary');
  }
}

/**
 * Reads a whole archive and passes its contents to `target` (null: only checks it, including every document).
 * @throws EngineError 2 when anything about it is wrong.
 */
export async function readArchive(
  source: AsyncIterable<Uint8Array>,
  target: ArchiveTarget | null,
): Promise<ArchiveSummary> {
  const reading = new Reading();
  for await (const { type, payload } of readFrames(unzipped(source))) {
    if (type === 'H') reading.header(payload);
    else if (type === 'C') {
      const coll = reading.collection(payload);
      await target?.collection(coll);
    } else if (type === 'D') {
      const { ns, documents } = reading.documents(payload);
      if (target) await target.documents(ns, documents);
      else documents.forEach(checkDocument);
    } else if (type === 'E') reading.endCollection(payload);
    else reading.end(payload);
  }
  return reading.summary;
}
