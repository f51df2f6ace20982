export type * from './types.ts';
export type { Found } from './found.ts';
export { checkNamespace } from './write/collections.ts';
export { openStore, type Store } from './store.ts';
export type { ReadView } from './view/read-view.ts';
export type { Snapshot } from './view/snapshot.ts';
export type { WriteView } from './view/write-view.ts';
export type { Transaction } from './write/transaction.ts';
