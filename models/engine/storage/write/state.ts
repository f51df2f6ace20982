import type { WritableCatalog } from '../catalog/catalog.ts';
import type { Counters } from '../catalog/counters.ts';
import type { WritableKv } from '../kv.ts';
import type { Journal } from './journal.ts';

/** What the parts of one group of writes share. */
export interface WriteState {
  kv: WritableKv;
  catalog: WritableCatalog;
  counters: Counters;
  /** Set inside a multi-document transaction: what must be done again, for true, at its commit. */
  journal: Journal | null;
}
