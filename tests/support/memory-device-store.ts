import type { Sealed } from '#app/offline/encryption.ts';
import type { Flag, Owner, DeviceStore } from '#app/offline/device-store.ts';

/** A device store in memory, whose contents tests can read and damage. */
export interface MemoryDeviceStore extends DeviceStore {
  owner: Owner | undefined;
  items: Map<string, Sealed>;
  waiting: Map<number, Sealed>;
}

/** @param room how many more items can be stored before the browser refuses */
export function memoryDeviceStore(room = Number.POSITIVE_INFINITY): MemoryDeviceStore {
  const flags = new Set<Flag>();
  let left = room;
  let last = 0;
  const take = () => {
    left -= 1;
    if (left < 0) throw new DOMException('The disk is full.', 'QuotaExceededError');
  };
  const done = <Result>(run: () => Result): Promise<Result> =>
    new Promise((resolve) => {
      resolve(run());
    });
  const store: MemoryDeviceStore = {
    owner: undefined,
    items: new Map(),
    waiting: new Map(),
    readOwner: () => done(() => store.owner),
    changeOwner: (owner, waiting) =>
      done(() => {
        take();
        store.owner = owner;
        store.items = new Map();
        store.waiting = new Map(waiting.map(({ place, sealed }) => [place, sealed]));
      }),
    readItem: (name) => done(() => store.items.get(name)),
    writeItem: (name, sealed) =>
      done(() => {
        take();
        store.items.set(name, sealed);
      }),
    removeItem: (name) => done(() => void store.items.delete(name)),
    removeItems: () => done(() => store.items.clear()),
    listWaiting: () => done(() => [...store.waiting].map(([place, sealed]) => ({ place, sealed }))),
    addWaiting: (sealed) =>
      done(() => {
        take();
        last += 1;
        store.waiting.set(last, sealed);
        return last;
      }),
    replaceWaiting: (place, sealed) =>
      done(() => {
        if (store.waiting.has(place)) store.waiting.set(place, sealed);
      }),
    removeWaiting: (place) => done(() => void store.waiting.delete(place)),
    wipe: () =>
      done(() => {
        store.owner = undefined;
        store.items.clear();
        store.waiting.clear();
      }),
    hasFlag: (flag) => done(() => flags.has(flag)),
    setFlag: (flag, on) => done(() => void (on ? flags.add(flag) : flags.delete(flag))),
  };
  return store;
}
