import type { WritableCatalog } from '../catalog/catalog.ts';
import type { Counters } from '../catalog/counters.ts';
import type { WritableKv } from '../kv.ts';

/** What the parts of one group of writes share. */
export interface WriteState {
  kv: WritableKv;
  catalog: WritableCatalog;
  counters: Counters;
}
