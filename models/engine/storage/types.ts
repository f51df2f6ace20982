import type { Budget, Pause, Pausing, Steps } from '../budget.ts';
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
  sparse?: boolean;
  expireAfterSeconds?: number;
  v?: number;
}

/** One index as the catalog holds it. `fields` is `key` in order, with numeric directions. */
export interface IndexInfo extends IndexSpec {
  indexId: number;
  name: string;
  unique: boolean;
  sparse: boolean;
  fields: { path: string; direction: 1 | -1 }[];
  /** True once a document with an array under one of the paths was indexed. */
  multikey: boolean;
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

/** A stored document. `doc` is decoded at the first access and then kept. */
export interface Found {
  readonly recordId: number;
  /** The BSON as stored. */
  readonly bytes: Uint8Array;
  readonly doc: Document;
}

/** Which way a query went, in the words of `explain`. */
export interface PlanSummary {
  namespace: Namespace;
  /** Stages as MongoDB nests them: `{ stage: 'FETCH', filter?, inputStage: { stage: 'IXSCAN', indexName, keyPattern, … } }`. */
  winningPlan: Document;
  /** `'COLLSCAN'`, `'IXSCAN { email: 1 }'`, `'IDHACK'`, `'COUNT_SCAN { … }'`, `'EOF'`. */
  planSummary: string;
  indexName: string | null;
  keysExamined: number;
  docsExamined: number;
  nReturned: number;
  executionTimeMillis: number;
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

/**
 * Reads of one consistent state. Iterators must be used within the call that made them, except those of a `Snapshot`.
 * What can take long is there twice: at once, and in steps that pause (see `budget.ts`).
 */
export interface ReadView {
  listDatabases(): string[];
  /** Sorted by name. */
  listCollections(db: string): CollectionInfo[];
  collection(ns: Namespace): CollectionInfo | null;
  /** Lazily, in the order asked for. Throws EngineError 2 (bad hint), 292 (sort over 100 MB), and what `compileFilter` throws. */
  find(ns: Namespace, query: Query): IterableIterator<Found>;
  /** The first of `find`, or null. */
  findOne(ns: Namespace, query: Query): Found | null;
  /** Without a filter from the stored count, with one from the index alone where that is exact. */
  count(ns: Namespace, query: Query): number;
  /** Distinct values under a path, arrays unwound, in BSON order. */
  distinct(ns: Namespace, field: string, query: Query): unknown[];
  /** Plans, and runs the query when `execute` is true (the default), so that the counters are real. */
  explain(ns: Namespace, query: Query, options?: { execute?: boolean; count?: boolean }): PlanSummary;
  stats(ns: Namespace): CollectionStats;
  /** `find` with pauses. */
  search(ns: Namespace, query: Query): Pausing<Found>;
  findOneSteps(ns: Namespace, query: Query): Steps<Found | null>;
  /** What `find` would give, without keeping the documents. */
  choose(ns: Namespace, query: Query): Steps<Choice>;
  countSteps(ns: Namespace, query: Query): Steps<number>;
  distinctSteps(ns: Namespace, field: string, query: Query): Steps<unknown[]>;
  explainSteps(
    ns: Namespace,
    query: Query,
    options?: { execute?: boolean; count?: boolean },
  ): Steps<PlanSummary>;
  statsSteps(ns: Namespace): Steps<CollectionStats>;
  /** A small value of the layer above, such as the reply of a retryable write. */
  getMeta(key: string): Uint8Array | null;
}

/** A read view that lives on while writes go on. Throws EngineError 239 (SnapshotTooOld) once closed for its age. */
export interface Snapshot extends ReadView {
  readonly closed: boolean;
  close(): void;
}

/** Reads and writes inside one statement; reads see the statement's own writes. */
export interface WriteView extends ReadView {
  /** Those of the documents chosen before that are there and match the query still. */
  recheck(ns: Namespace, query: Query, choice: Choice): Generator<Found | Pause>;
  /**
   * Creates the collection when absent. The document must have an `_id`. `bytes`, when given, are its BSON, stored as
   * they are. Throws 11000, 10334 (too large), 171; then nothing was written.
   */
  insert(ns: Namespace, doc: Document, bytes?: Uint8Array): void;
  /** Throws 66 when `_id` changes, and as `insert`. Returns false when nothing changed. */
  replace(ns: Namespace, found: Found, doc: Document): boolean;
  remove(ns: Namespace, found: Found): void;
  /** Throws 48 (NamespaceExists), 73 (InvalidNamespace). */
  createCollection(ns: Namespace, options?: Document): CollectionInfo;
  /** False when there was none. */
  dropCollection(ns: Namespace): boolean;
  dropDatabase(db: string): string[];
  /** Throws 67, 85, 86, 11000. Creates the collection when absent. */
  createIndexes(ns: Namespace, specs: IndexSpec[]): { before: number; after: number; created: string[] };
  createIndexesSteps(
    ns: Namespace,
    specs: IndexSpec[],
  ): Steps<{ before: number; after: number; created: string[] }>;
  /** `'*'` for all but `_id_`, names, or one key pattern. Throws 26, 27 (IndexNotFound), 72. Returns how many there were. */
  dropIndexes(ns: Namespace, which: string | string[] | Document): number;
  putMeta(key: string, value: Uint8Array): void;
  removeMeta(key: string): void;
  /** Removes up to `limit` metas with this prefix whose value the test accepts; returns how many. */
  sweepMeta(prefix: string, test: (value: Uint8Array) => boolean, limit: number): number;
  /** Runs a part that can fail alone: a throw undoes what `fn` wrote, and only that, then goes on to the caller. */
  attempt<T>(fn: () => T): T;
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

/** An open LMDB environment with its catalog, indexes and write queue. */
export interface Store {
  readonly dir: string;
  /** Runs on the newest state, other processes' writes included. Nothing lazy may leave `fn`. */
  read<T>(fn: (view: ReadView) => T): T;
  snapshot(): Snapshot;
  /**
   * Queues a statement. It runs in a group with its neighbours; a throw undoes it alone and rejects.
   * Resolves after its group is on disk. Rejects with 14031 (OutOfDiskSpace) when it could not be stored.
   */
  write<T>(fn: (txn: WriteView) => T): Promise<T>;
  /**
   * Queues a statement that pauses; reads go on meanwhile, writes wait. One that takes longer than a group may is undone
   * and begun again alone, so `fn` must do nothing but write. Used up, the budget undoes it.
   */
  change<T>(fn: (txn: WriteView) => Steps<T>, budget?: Budget): Promise<T>;
  /** Deletes expired documents every `everyMs`; returns the function that stops it. */
  startTtl(everyMs: number): () => void;
  /** One sweep; returns how many documents were removed. */
  sweepTtl(now?: Date): Promise<number>;
  verify(onProgress?: (documents: number) => void): Promise<VerifyReport>;
  /** A consistent backup as a stream of bytes, while writes go on. */
  backup(): AsyncIterable<Uint8Array>;
  /** Reads a backup into this store, which must be empty. Checks everything first; refused whole otherwise. */
  restore(open: () => AsyncIterable<Uint8Array>): Promise<ArchiveSummary>;
  size(): StorageSize;
  /**
   * Writes what counts into a new file, without what was deleted, while everybody reads and writes on. Throws 117
   * (ConflictingOperationInProgress) while another process does, 14031 without room for the copy.
   */
  compact(budget?: Budget): Promise<CompactReport>;
  /** Undoes the write that is under way: for a thread that has to end, whose locks would be held for ever otherwise. */
  giveUp(): Promise<void>;
  /** Waits for queued writes, then closes. */
  close(): Promise<void>;
}
