import type { Catalog } from '../catalog/catalog.ts';
import { readCounter } from '../catalog/counters.ts';
import type { StoredCollection, StoredIndex } from '../catalog/record.ts';
import { FORMAT_VERSION } from '../env/schema.ts';
import { Found } from '../found.ts';
import { entryKey, entryRecordId } from '../keys/entry.ts';
import { indexIdOf, indexPrefix, indexRange, KIND, readRecordId } from '../keys/layout.ts';
import { allRecords, type Kv } from '../kv.ts';
import type { VerifyReport } from '../types.ts';
import { builderOf } from '../write/entries.ts';
import { garbageIn } from './garbage.ts';

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

  /** `structure` checks the file itself, and returns what is wrong with it. */
  constructor(
    private readonly kv: Kv,
    private readonly catalog: Catalog,
    private readonly structure: () => Promise<string | null>,
    onProgress?: (documents: number) => void,
  ) {
    this.onProgress = onProgress;
  }

  async verify(): Promise<VerifyReport> {
    const damage = await this.structure();
    if (damage !== null) this.problem(`the file is damaged: ${damage}`);
    const known = { [KIND.document]: new Set<number>(), [KIND.index]: new Set<number>() };
    for (const { kind, id } of garbageIn(this.kv)) known[kind].add(id);
    for (const coll of this.collections()) {
      this.report.collections += 1;
      known[KIND.document].add(coll.collId);
      for (const index of coll.indexes) known[KIND.index].add(index.indexId);
      await this.checkCollection(coll).catch((error: unknown) =>
        this.problem(`${coll.ns}: the file is damaged: ${String(error)}`),
      );
    }
    this.checkStrayDocuments(known[KIND.document]);
    this.checkStrayEntries(known[KIND.index]);
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
    let count = 0;
    let size = 0;
    for (const { recordId, bytes } of this.kv.documents(allRecords(coll.collId))) {
      count += 1;
      size += bytes.length;
      this.checkDocument(coll, new Found(recordId, bytes));
      if (count % PAUSE_EVERY === 0) {
        this.onProgress?.(this.report.documents + count);
        await pause();
      }
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
        this.checkEntry(index, builderOf(index).build(found.doc), found.recordId, where);
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
    const actual = this.kv.count(indexRange(index.indexId));
    this.report.indexEntries += actual;
    if (actual === documents) return;
    this.problem(`${coll.ns} index ${index.name}: ${actual} entries, but there should be ${documents}`);
    await this.findStrayEntries(coll, index);
  }

  private async findStrayEntries(coll: StoredCollection, index: StoredIndex): Promise<void> {
    let seen = 0;
    for (const entry of this.kv.entries(indexRange(index.indexId))) {
      const recordId = entryRecordId(index, entry);
      const bytes = this.kv.document(coll.collId, recordId);
      if (!bytes)
        this.problem(
          `${coll.ns} index ${index.name}: an entry points to record ${recordId}, which does not exist`,
        );
      else if (!this.callsFor(index, new Found(recordId, bytes), entry.key))
        this.problem(`${coll.ns} index ${index.name}: record ${recordId} should not have one of its entries`);
      seen += 1;
      if (seen % PAUSE_EVERY === 0) await pause();
    }
  }

  private callsFor(index: StoredIndex, found: Found, key: Buffer): boolean {
    try {
      return entryKey(index, builderOf(index).build(found.doc), found.recordId).equals(key);
    } catch {
      return true;
    }
  }

  /** Reports documents of collections that are not in the catalog. */
  private checkStrayDocuments(known: Set<number>): void {
    for (let id = this.kv.collectionFrom(0); id !== null; id = this.kv.collectionFrom(id + 1))
      if (!known.has(id)) this.problem(`documents of an unknown collection (number ${id})`);
  }

  /** Reports entries of indexes that are not in the catalog. */
  private checkStrayEntries(known: Set<number>): void {
    const { end } = indexRange(0xffffffff);
    let [first] = this.kv.keys({ start: indexPrefix(0), end });
    while (first) {
      const id = indexIdOf(first);
      if (!known.has(id)) this.problem(`entries of an unknown index (number ${id})`);
      [first] = this.kv.keys({ start: indexRange(id).end, end });
    }
  }
}
