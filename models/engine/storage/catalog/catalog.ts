import { EngineError } from '../../errors.ts';
import { collectionKey, garbageKey, ownKey, prefixEnd, type Garbage, KIND } from '../keys/layout.ts';
import { COLLECTION_IDS, EMPTY_BYTES, type Kv, type WritableKv } from '../kv.ts';
import type { Namespace } from '../types.ts';
import { decodeCollection, encodeCollection, type StoredCollection } from './record.ts';

const VERSION = 'catalogVersion';
const LAST_ID = 'lastId';
const DOT = '.';
/** The character after the dot, so that `db/` follows all names that begin with `db.`. */
const AFTER_DOT = '/';

/** Reads one of the store's own numbers; 0 if it was never written. */
function readOwnNumber(kv: Kv, name: string): number {
  return kv.get(ownKey(name))?.readDoubleBE(0) ?? 0;
}

function writeOwnNumber(kv: WritableKv, name: string, value: number): void {
  const bytes = Buffer.allocUnsafeSlow(8);
  bytes.writeDoubleBE(value);
  kv.put(ownKey(name), bytes);
}

/** Decoded records of one catalog version, shared by all views of a process. */
export interface CatalogCache {
  version: number;
  records: Map<Namespace, StoredCollection | null>;
}

/** An empty cache. */
export function newCatalogCache(): CatalogCache {
  return { version: -1, records: new Map() };
}

function namesBetween(kv: Kv, start: string, end: string, limit: number): string[] {
  const names: string[] = [];
  for (const key of kv.keys({ start: collectionKey(start), end: collectionKey(end) })) {
    names.push(key.toString('utf8', 1));
    if (names.length === limit) break;
  }
  return names;
}

/**
 * The collections as one view sees them. Every change increments a version in the store, so that other views, including
 * those of other processes, know when their decoded records are stale.
 */
export class Catalog {
  private records: Map<Namespace, StoredCollection | null> | null = null;

  constructor(
    protected readonly kv: Kv,
    private readonly shared: CatalogCache,
  ) {}

  /** The shared cache if it has this view's version, otherwise a cache of the view's own. */
  private cache(): Map<Namespace, StoredCollection | null> {
    if (this.records) return this.records;
    const version = readOwnNumber(this.kv, VERSION);
    if (version > this.shared.version) {
      this.shared.version = version;
      this.shared.records = new Map();
    }
    this.records = version === this.shared.version ? this.shared.records : new Map();
    return this.records;
  }

  /** Drops cached records, for a view whose state is about to differ from what is committed. */
  protected detach(): void {
    this.records = new Map();
  }

  get(ns: Namespace): StoredCollection | null {
    const cache = this.cache();
    const known = cache.get(ns);
    if (known !== undefined) return known;
    const bytes = this.kv.get(collectionKey(ns));
    const record = bytes ? decodeCollection(ns, bytes) : null;
    cache.set(ns, record);
    return record;
  }

  /** Sorted by name. */
  list(db: string): StoredCollection[] {
    return namesBetween(this.kv, db + DOT, db + AFTER_DOT, 0)
      .map((ns) => this.get(ns))
      .filter((record) => record !== null);
  }

  databases(): string[] {
    const found: string[] = [];
    const last = prefixEnd(Buffer.from([KIND.collection])) as Buffer;
    let start = collectionKey('');
    for (;;) {
      const [first] = this.kv.keys({ start, end: last });
      if (!first) return found.sort();
      const [db = ''] = first.toString('utf8', 1).split(DOT);
      found.push(db);
      start = collectionKey(db + AFTER_DOT);
    }
  }
}

/** The catalog of a view that may change it. */
export class WritableCatalog extends Catalog {
  private readonly store: WritableKv;
  private changed = false;

  constructor(kv: WritableKv, shared: CatalogCache) {
    super(kv, shared);
    this.store = kv;
  }

  /** A new id for a collection or an index; ids are never reused. */
  nextId(): number {
    const id = readOwnNumber(this.kv, LAST_ID) + 1;
    if (id >= COLLECTION_IDS)
      throw new EngineError('OperationFailed', 'The store has had too many collections and indexes');
    writeOwnNumber(this.store, LAST_ID, id);
    return id;
  }

  put(record: StoredCollection): void {
    this.change();
    this.store.put(collectionKey(record.ns), encodeCollection(record));
  }

  remove(ns: Namespace): void {
    this.change();
    this.store.remove(collectionKey(ns));
  }

  /** Marks a dropped range for removal in pieces. */
  discard(kind: Garbage['kind'], id: number): void {
    this.store.put(garbageKey(kind, id), EMPTY_BYTES);
  }

  /** Must be called after a part was rolled back, before the catalog is used again. */
  afterRollback(): void {
    if (this.changed) this.detach();
  }

  private change(): void {
    writeOwnNumber(this.store, VERSION, readOwnNumber(this.kv, VERSION) + 1);
    this.changed = true;
    this.detach();
  }
}
