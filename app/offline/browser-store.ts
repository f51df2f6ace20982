import { openDB, type DBSchema, type IDBPDatabase, type IDBPObjectStore, type StoreNames } from 'idb';
import type { Sealed } from './encryption.ts';
import type { Flag, Owner, DeviceStore } from './device-store.ts';

const NAME = 'vialbook';
const VERSION = 1;

interface Schema extends DBSchema {
  owner: { key: 'owner'; value: Owner };
  items: { key: string; value: Sealed };
  waiting: { key: number; value: Sealed };
  flags: { key: Flag; value: true };
}

type Database = IDBPDatabase<Schema>;

let opened: Promise<Database> | null = null;

/** Forgets a connection that was closed by the browser or another version; the next use opens a new one. */
const forget = () => {
  opened = null;
};

function open(): Promise<Database> {
  opened ??= openDB<Schema>(NAME, VERSION, {
    upgrade(database) {
      database.createObjectStore('owner');
      database.createObjectStore('items');
      database.createObjectStore('waiting', { autoIncrement: true });
      database.createObjectStore('flags');
    },
    blocking(_current, _blocked, event) {
      (event.target as IDBDatabase).close();
      forget();
    },
    terminated: forget,
  }).catch((error: unknown) => {
    forget();
    throw error;
  });
  return opened;
}

/** Retries once on a new connection if the old one was closed in the meantime, as clearing all storage does. */
async function withDatabase<Result>(run: (database: Database) => Promise<Result>): Promise<Result> {
  try {
    return await run(await open());
  } catch (error) {
    if (!(error instanceof DOMException) || error.name !== 'InvalidStateError') throw error;
    forget();
    return run(await open());
  }
}

/**
 * Reads one store. The browser may abort the transaction, for example when sign-out clears all storage. Awaiting `done` as
 * well passes that error to the caller, instead of leaving it unhandled.
 */
function readFrom<Name extends StoreNames<Schema>, Result>(
  name: Name,
  run: (store: IDBPObjectStore<Schema, [Name], Name>) => Promise<Result>,
): Promise<Result> {
  return withDatabase(async (database) => {
    const read = database.transaction(name);
    const [result] = await Promise.all([run(read.store), read.done]);
    return result;
  });
}

/** This browser's IndexedDB. Rejects if it is unavailable, such as with blocked cookies or a full disk. */
export const browserStore: DeviceStore = {
  readOwner: () => readFrom('owner', (owners) => owners.get('owner')),
  changeOwner: (owner, waiting) =>
    withDatabase(async (database) => {
      const change = database.transaction(['owner', 'items', 'waiting'], 'readwrite');
      await Promise.all([
        change.objectStore('items').clear(),
        change.objectStore('waiting').clear(),
        ...waiting.map(({ place, sealed }) => change.objectStore('waiting').put(sealed, place)),
        change.objectStore('owner').put(owner, 'owner'),
        change.done,
      ]);
    }),
  readItem: (name) => readFrom('items', (items) => items.get(name)),
  writeItem: (name, sealed) =>
    withDatabase(async (database) => void (await database.put('items', sealed, name))),
  removeItem: (name) => withDatabase((database) => database.delete('items', name)),
  removeItems: () => withDatabase((database) => database.clear('items')),
  listWaiting: () =>
    readFrom('waiting', async (store) => {
      const [places, all] = await Promise.all([store.getAllKeys(), store.getAll()]);
      return all.map((sealed, index) => ({ place: places[index] ?? 0, sealed }));
    }),
  addWaiting: (sealed) => withDatabase((database) => database.add('waiting', sealed)),
  replaceWaiting: (place, sealed) =>
    withDatabase(async (database) => {
      const change = database.transaction('waiting', 'readwrite');
      if ((await change.store.getKey(place)) !== undefined) await change.store.put(sealed, place);
      await change.done;
    }),
  removeWaiting: (place) => withDatabase((database) => database.delete('waiting', place)),
  wipe: () =>
    withDatabase(async (database) => {
      const change = database.transaction(['owner', 'items', 'waiting'], 'readwrite');
      const names = [...change.objectStoreNames];
      await Promise.all([...names.map((name) => change.objectStore(name).clear()), change.done]);
    }),
  hasFlag: (flag) => readFrom('flags', async (flags) => (await flags.get(flag)) === true),
  setFlag: (flag, on) =>
    withDatabase(async (database) => {
      if (on) await database.put('flags', true, flag);
      else await database.delete('flags', flag);
    }),
};
