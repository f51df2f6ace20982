import { type Store, type StoreOptions } from './types.ts';

export type * from './types.ts';

/**
 * Opens (or creates) the store in a directory. Several processes may have the same directory open.
 * Throws EngineError with a message that says what to do: newer format, damaged file, no permission, not a directory,
 * network file system, disk full.
 */
export declare function openStore(options: StoreOptions): Promise<Store>;
