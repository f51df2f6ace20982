import type { WritableCatalog } from '../catalog/catalog.ts';
import type { Counters } from '../catalog/counters.ts';
import type { WritableKv } from '../kv.ts';

/** State shared by one group of writes. */
export interface WriteState {
  kv: WritableKv;
  catalog: WritableCatalog;
  counters: Counters;
}
