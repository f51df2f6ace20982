import type { Catalog } from '../catalog/catalog.ts';
import { readCounter } from '../catalog/counters.ts';
import type { StoredCollection, StoredIndex } from '../catalog/record.ts';
import { FORMAT_VERSION } from '../env/environment.ts';
import { Found } from '../found.ts';
import { entryKey, entryRecordId } from '../keys/entry.ts';
import {
  documentKey,
  documentPrefix,
  ID_PREFIX_BYTES,
  indexPrefix,
  KIND,
  prefixEnd,
  readRecordId,
} from '../keys/layout.ts';
import type { Kv } from '../kv.ts';
import type { VerifyReport } from '../types.ts';
import { builderOf } from '../write/entries.ts';
import { garbagePrefixes } from './garbage.ts';

const MAX_PROBLEMS = 100;
/** Documents after which other work of the process gets its turn. */
const PAUSE_EVERY = 500;

function pause(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** One full check over a snapshot: every document against every index, and back. */
export class Verifier {
  private readonly onProgress: ((documents: number) => void) | undefined;
  private readonly report: VerifyReport = {
    ok: true,
    formatVersion: FORMAT_VERSION,
    collections: 0,
    documents: 0,
    indexEntries: 0,
    problemCount: 0,
    problems: [],
  };

  constructor(
    private readonly kv: Kv,
    private readonly catalog: Catalog,
    onProgress?: (documents: number) => void,
  ) {
    this.onProgress = onProgress;
  }

  async verify(): Promise<VerifyReport> {
    const known = new Set(garbagePrefixes(this.kv).map((prefix) => prefix.toString('hex')));
    for (const coll of this.collections()) {
      this.report.collections += 1;
      known.add(documentPrefix(coll.collId).toString('hex'));
      for (const index of coll.indexes) known.add(indexPrefix(index.indexId).toString('hex'));
      await this.checkCollection(coll).catch((error: unknown) =>
        this.problem(`${coll.ns}: the file is damaged: ${String(error)}`),
      );
    }
    this.checkStrays(KIND.document, known);
    this.checkStrays(KIND.index, known);
    this.report.ok = this.report.problemCount === 0;
    return this.report;
  }

  private problem(text: string): void {
    this.report.problemCount += 1;
    if (this.report.problems.length < MAX_PROBLEMS) this.report.problems.push(text);
  }

  private collections(): StoredCollection[] {
    try {
      return this.catalog.databases().flatMap((db) => this.catalog.list(db));
    } catch (error) {
      this.problem(`the catalog cannot be read: ${String(error)}`);
      return [];
    }
  }

  private async checkCollection(coll: StoredCollection): Promise<void> {
    const start = documentPrefix(coll.collId);
    const scan = this.kv.scan({ start, end: prefixEnd(start) as Buffer });
    let count = 0;
    let size = 0;
    try {
      for (const { key, value } of scan) {
        count += 1;
        size += value.length;
        this.checkDocument(coll, new Found(readRecordId(key, start.length), value));
        if (count % PAUSE_EVERY === 0) {
          this.onProgress?.(this.report.documents + count);
          await pause();
        }
      }
    } finally {
      scan.return();
    }
    this.report.documents += count;
    this.checkCounter(coll, count, size);
    for (const index of coll.indexes) await this.checkIndex(coll, index, count);
  }

  private checkCounter(coll: StoredCollection, count: number, size: number): void {
    const counter = readCounter(this.kv, coll.collId);
    if (counter.count !== count)
      this.problem(`${coll.ns}: ${count} documents, but the stored count is ${counter.count}`);
    if (counter.size !== size)
      this.problem(`${coll.ns}: ${size} bytes of documents, but the stored size is ${counter.size}`);
  }

  private checkDocument(coll: StoredCollection, found: Found): void {
    const where = `${coll.ns} record ${found.recordId}`;
    try {
      if (found.doc['_id'] === undefined) this.problem(`${where}: has no _id`);
      for (const index of coll.indexes) {
        this.checkEntry(index, builderOf(index).build(found.doc).key, found.recordId, where);
      }
    } catch (error) {
      this.problem(`${where}: cannot be read: ${String(error)}`);
    }
  }

  private checkEntry(index: StoredIndex, key: Buffer, recordId: number, where: string): void {
    const value = this.kv.get(entryKey(index, key, recordId));
    if (value === undefined) this.problem(`${where}: has no entry in index ${index.name}`);
    else if (index.unique && readRecordId(value, 0) !== recordId)
      this.problem(`${where}: index ${index.name} points to record ${readRecordId(value, 0)}`);
  }

  /** Every document's entry has been found, so only surplus entries can still be wrong. */
  private async checkIndex(coll: StoredCollection, index: StoredIndex, documents: number): Promise<void> {
    const start = indexPrefix(index.indexId);
    const range = { start, end: prefixEnd(start) as Buffer };
    const actual = this.kv.count(range);
    this.report.indexEntries += actual;
    if (actual === documents) return;
    this.problem(`${coll.ns} index ${index.name}: ${actual} entries, but there should be ${documents}`);
    await this.findStrayEntries(coll, index);
  }

  private async findStrayEntries(coll: StoredCollection, index: StoredIndex): Promise<void> {
    const start = indexPrefix(index.indexId);
    const scan = this.kv.scan({ start, end: prefixEnd(start) as Buffer });
    let seen = 0;
    try {
      for (const { key, value } of scan) {
        const recordId = entryRecordId(index, key, index.unique ? value : null);
        const bytes = this.kv.get(documentKey(coll.collId, recordId));
        if (!bytes)
          this.problem(
            `${coll.ns} index ${index.name}: an entry points to record ${recordId}, which does not exist`,
          );
        else if (!this.callsFor(index, new Found(recordId, bytes), key))
          this.problem(
            `${coll.ns} index ${index.name}: record ${recordId} should not have one of its entries`,
          );
        seen += 1;
        if (seen % PAUSE_EVERY === 0) await pause();
      }
    } finally {
      scan.return();
    }
  }

  private callsFor(index: StoredIndex, found: Found, key: Buffer): boolean {
    try {
      return entryKey(index, builderOf(index).build(found.doc).key, found.recordId).equals(key);
    } catch {
      return true;
    }
  }

  /** Reports keys of collections and indexes that are not in the catalog. */
  private checkStrays(kind: typeof KIND.document | typeof KIND.index, known: Set<string>): void {
    const end = prefixEnd(Buffer.from([kind])) as Buffer;
    let start: Buffer | null = Buffer.from([kind]);
    while (start) {
      const scan = this.kv.scan({ start, end }, { keysOnly: true });
      const first = scan.next();
      scan.return();
      if (first.done) return;
      const prefix = Buffer.from(first.value.key.subarray(0, ID_PREFIX_BYTES));
      if (!known.has(prefix.toString('hex')))
        this.problem(
          `keys of an unknown ${kind === KIND.index ? 'index' : 'collection'} (number ${prefix.readUInt32BE(1)})`,
        );
      start = prefixEnd(prefix);
    }
  }
}
