import type { Sealed } from './encryption.ts';

/** Whose store it is. Names nobody by itself: address and everything else are in sealed items. */
export interface Owner {
  userId: string;
  /** The sign-in whose secret made the key. */
  sessionId: string;
  key: CryptoKey;
  salt: Uint8Array<ArrayBuffer>;
}

/** Something that waits to be sent, by its place in the line. */
export interface Waiting {
  place: number;
  sealed: Sealed;
}

/** Signs that outlive the data: a sign-out that the server does not know of yet. */
export type Flag = 'sign-out-pending';

/** Where sealed things are put down. Every method rejects when the browser gives no storage, or no more. */
export interface DeviceStore {
  readOwner(): Promise<Owner | undefined>;
  /** At once: the new owner, what waits sealed for them, and no items of before. */
  changeOwner(owner: Owner, waiting: readonly Waiting[]): Promise<void>;
  readItem(name: string): Promise<Sealed | undefined>;
  writeItem(name: string, sealed: Sealed): Promise<void>;
  removeItem(name: string): Promise<void>;
  /** Removes all items; what waits stays. */
  removeItems(): Promise<void>;
  /** In the order in which it was added. */
  listWaiting(): Promise<Waiting[]>;
  addWaiting(sealed: Sealed): Promise<number>;
  /** Does nothing when it is gone meanwhile. */
  replaceWaiting(place: number, sealed: Sealed): Promise<void>;
  removeWaiting(place: number): Promise<void>;
  /** Removes owner, items and what waits. Flags stay. */
  wipe(): Promise<void>;
  hasFlag(flag: Flag): Promise<boolean>;
  setFlag(flag: Flag, on: boolean): Promise<void>;
}
