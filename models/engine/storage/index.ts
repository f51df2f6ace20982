export type * from './types.ts';
export { openStore } from './store.ts';
