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

/** One index in the catalog. `fields` is `key` in order, with numeric directions. */
export interface IndexInfo extends IndexSpec {
  indexId: number;
  name: string;
  unique: boolean;
  fields: { path: string; direction: 1 | -1 }[];
}

/** One collection in the catalog. */
export interface CollectionInfo {
  ns: Namespace;
  db: string;
  name: string;
  collId: number;
  /** 16 bytes; sent to clients as binary subtype 4. */
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

/** A query's plan in the format of `explain`, and what it read. */
export interface PlanSummary {
  /** `{ stage: 'IXSCAN', indexName, … }`, `COLLSCAN` or `EOF`; if that does not provide the order, as the input of `{ stage: 'SORT', inputStage }`. */
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

/** The record ids that a query found, to be changed later. */
export interface Choice {
  /** The collection's id at that time; null if it did not exist. */
  collId: number | null;
  ids: readonly number[];
}

/** The result of a full check; `problems` contains at most 100 messages, `problemCount` counts all. */
export interface VerifyReport {
  ok: boolean;
  formatVersion: number;
  collections: number;
  documents: number;
  indexEntries: number;
  problemCount: number;
  problems: string[];
}

/** Totals of what a backup wrote or a restore read. */
export interface ArchiveSummary {
  collections: number;
  documents: number;
  bytes: number;
}

/** The size of the data file in bytes, and how much of it is free and will be reused. */
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
  /** How long a snapshot may live, in milliseconds; 10 minutes. */
  snapshotMaxAgeMs?: number;
}
