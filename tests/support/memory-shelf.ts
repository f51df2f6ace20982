import type { Sealed } from '#app/offline/store/encryption.ts';
import type { Flag, Owner, Shelf } from '#app/offline/store/store.ts';

/** A shelf in memory, with its contents open to look at and to spoil. */
export interface MemoryShelf extends Shelf {
  owner: Owner | undefined;
  items: Map<string, Sealed>;
  waiting: Map<number, Sealed>;
}

/** @param room how many more things can be put down before the browser refuses */
export function memoryShelf(room = Number.POSITIVE_INFINITY): MemoryShelf {
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
  const shelf: MemoryShelf = {
    owner: undefined,
    items: new Map(),
    waiting: new Map(),
    readOwner: () => done(() => shelf.owner),
    changeOwner: (owner, waiting) =>
      done(() => {
        take();
        shelf.owner = owner;
        shelf.items = new Map();
        shelf.waiting = new Map(waiting.map(({ place, sealed }) => [place, sealed]));
      }),
    readItem: (name) => done(() => shelf.items.get(name)),
    writeItem: (name, sealed) =>
      done(() => {
        take();
        shelf.items.set(name, sealed);
      }),
    removeItem: (name) => done(() => void shelf.items.delete(name)),
    removeItems: () => done(() => shelf.items.clear()),
    listWaiting: () => done(() => [...shelf.waiting].map(([place, sealed]) => ({ place, sealed }))),
    addWaiting: (sealed) =>
      done(() => {
        take();
        last += 1;
        shelf.waiting.set(last, sealed);
        return last;
      }),
    replaceWaiting: (place, sealed) =>
      done(() => {
        if (shelf.waiting.has(place)) shelf.waiting.set(place, sealed);
      }),
    removeWaiting: (place) => done(() => void shelf.waiting.delete(place)),
    wipe: () =>
      done(() => {
        shelf.owner = undefined;
        shelf.items.clear();
        shelf.waiting.clear();
      }),
    hasFlag: (flag) => done(() => flags.has(flag)),
    setFlag: (flag, on) => done(() => void (on ? flags.add(flag) : flags.delete(flag))),
  };
  return shelf;
}
