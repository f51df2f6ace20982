import type { Document } from '../values/types.ts';

/** `database.collection`; the database ends at the first dot. */
export type Namespace = string;

/** Where log lines of the storage layer go. */
export type StoreLog = (level: 'info' | 'warn' | 'error', message: string, fields?: Document) => void;

/** What `createIndexes` accepts for one index; the names are MongoDB's. */
export interface IndexSpec {
  key: Document;
  name?: string;
  unique?: boolean;
  expireAfterSeconds?: number;
  v?: number;
}

/** One index as the catalog holds it. `fields` is `key` in order, with numeric directions. */
export interface IndexInfo extends IndexSpec {
  indexId: number;
  name: string;
  unique: boolean;
  fields: { path: string; direction: 1 | -1 }[];
}

/** One collection as the catalog holds it. */
export interface CollectionInfo {
  ns: Namespace;
  db: string;
  name: string;
  collId: number;
  /** 16 bytes; goes to clients as binary subtype 4. */
  uuid: Uint8Array;
  /** As given to `create`. */
  options: Document;
  /** `_id_` first, the rest in order of creation. */
  indexes: IndexInfo[];
}

/** A read: what to select, in which order, by which index. */
export interface Query {
  filter?: Document;
  sort?: Document;
  skip?: number;
  /** 0 or absent: all. */
  limit?: number;
  /** An index's name, its key pattern, or `{ $natural: 1 | -1 }`. */
  hint?: string | Document;
}

/** Which way a query went, in the words of `explain`, and what it looked at. */
export interface PlanSummary {
  /** `{ stage: 'IXSCAN', indexName, … }`, `COLLSCAN` or `EOF`; where that gives no order as its input: `{ stage: 'SORT', inputStage }`. */
  winningPlan: Document;
  keysExamined: number;
  docsExamined: number;
  nReturned: number;
}

/** Sizes for `collStats`, `dbStats` and `listDatabases`, in bytes. */
export interface CollectionStats {
  count: number;
  size: number;
  indexSizes: Record<string, number>;
}

/** The record ids a query led to, to be changed later. */
export interface Choice {
  /** The collection as it was; null when there was none. */
  collId: number | null;
  ids: readonly number[];
}

/** The outcome of a full check; `problems` holds at most 100 sentences, `problemCount` all. */
export interface VerifyReport {
  ok: boolean;
  formatVersion: number;
  collections: number;
  documents: number;
  indexEntries: number;
  problemCount: number;
  problems: string[];
}

/** What a backup wrote, or a restore read. */
export interface ArchiveSummary {
  collections: number;
  documents: number;
  bytes: number;
}

/** Bytes of the data file, and those of them that hold nothing and are used again for what comes. */
export interface StorageSize {
  fileBytes: number;
  freeBytes: number;
}

/** The data file before and after a compaction. */
export interface CompactReport {
  before: StorageSize;
  after: StorageSize;
}

export interface StoreOptions {
  dir: string;
  onLog?: StoreLog;
  /** Told once when nothing more can be written until the store is opened anew; reading may still work. */
  onBroken?: (error: Error) => void;
  /** Bytes; LMDB grows its map by itself, this is only where it begins. */
  mapSize?: number;
  /** How long a snapshot may live, in milliseconds; 10 minutes. */
  snapshotMaxAgeMs?: number;
}
