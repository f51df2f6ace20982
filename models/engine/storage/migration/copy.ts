import { EngineError } from '../../errors.ts';
import { decode } from '../../values/decode.ts';
import { Catalog, newCatalogCache } from '../catalog/catalog.ts';
import { indexIdOf, KIND, readRecordId } from '../keys/layout.ts';
import { allRecords, COLLECTION_IDS, type WritableKv } from '../kv.ts';
import { builderOf, putEntry } from '../write/entries.ts';
import type { LmdbEntry } from './lmdb-file.ts';
import { readEarlierCollection } from './records.ts';

/** Changes that a compaction noted. */
const NOTE = 0x6a;
/** The last format that used LMDB. */
const EARLIER_FORMAT = 1;
/** Values about the LMDB file itself. */
const ABOUT_THE_FILE = new Set(['format', 'home', 'followed', 'moved', 'compacting']);

/** What the catalog knows; everything else remains of dropped collections and indexes. */
interface Known {
  collections: Set<number>;
  indexes: Set<number>;
  cut: Set<number>;
}

function otherProgram(): EngineError {
  return new EngineError(
    'UnsupportedFormat',
    'The directory contains a database of another program. Choose another directory.',
  );
}

/** @throws EngineError for what is not in a finished database of the earlier versions */
function checkOwn(name: string, value: Buffer): void {
  if (name === 'restoring')
    throw new EngineError(
      'InternalError',
      'A restore into this directory was interrupted. Move the directory away and restore the backup again.',
    );
  if (name === 'format' && decode(value)['version'] !== EARLIER_FORMAT)
    throw new EngineError(
      'UnsupportedFormat',
      'The database is damaged or an incomplete copy: the file with the data is missing, and only one that stands in for it is there. Restore a backup, or copy the directory again.',
    );
}

function addCollection(kv: WritableKv, known: Known, key: Buffer, value: Buffer): void {
  const { collId, indexIds, cut, record } = readEarlierCollection(value);
  for (const id of [collId, ...indexIds])
    if (id >= COLLECTION_IDS)
      throw new EngineError('UnsupportedFormat', 'The database has had too many collections and indexes.');
  known.collections.add(collId);
  for (const id of indexIds) known.indexes.add(id);
  for (const id of cut) known.cut.add(id);
  kv.put(key, record);
}

/** Copies one entry. Collections come first, because their keys do. */
function copyEntry(kv: WritableKv, known: Known, key: Buffer, value: Buffer): void {
  switch (key[0]) {
    case KIND.collection:
      return addCollection(kv, known, key, value);
    case KIND.document: {
      const collId = key.readUInt32BE(1);
      if (known.collections.has(collId)) kv.putDocument(collId, readRecordId(key, 5), value);
      return;
    }
    case KIND.index: {
      const id = indexIdOf(key);
      if (known.indexes.has(id) && !known.cut.has(id)) kv.put(key, value);
      return;
    }
    case KIND.own: {
      const name = key.toString('utf8', 1);
      checkOwn(name, value);
      if (!ABOUT_THE_FILE.has(name)) kv.put(key, value);
      return;
    }
    case KIND.counter:
    case KIND.meta:
      return kv.put(key, value);
    case KIND.garbage:
    case NOTE:
      return;
    default:
      throw otherProgram();
  }
}

/** Writes the entries of indexes whose keys were cut. */
function fillCut(kv: WritableKv, { cut }: Known): void {
  const catalog = new Catalog(kv, newCatalogCache());
  for (const coll of catalog.databases().flatMap((db) => catalog.list(db)))
    for (const index of coll.indexes.filter(({ indexId }) => cut.has(indexId)))
      for (const { recordId, bytes } of kv.documents(allRecords(coll.collId)))
        putEntry(kv, index, builderOf(index).build(decode(bytes)), recordId);
}

/**
 * Copies a database of the earlier versions.
 * @throws EngineError when it is unfinished, of another program, or has what this version does not support
 */
export function copyEarlier(entries: Iterable<LmdbEntry>, kv: WritableKv): void {
  const known: Known = { collections: new Set(), indexes: new Set(), cut: new Set() };
  let hasFormat = false;
  let count = 0;
  for (const { key, value } of entries) {
    const bytes = Buffer.from(key.buffer, key.byteOffset, key.byteLength);
    copyEntry(kv, known, bytes, Buffer.from(value.buffer, value.byteOffset, value.byteLength));
    hasFormat ||= bytes.toString('latin1') === 'mformat';
    count += 1;
  }
  if (count > 0 && !hasFormat) throw otherProgram();
  fillCut(kv, known);
}
