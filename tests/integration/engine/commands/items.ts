import type { Collection, ObjectId, Timestamp } from 'mongodb';
import { beforeEach } from 'vitest';
import { useEngine, type EngineFixture } from '#tests/support/engine.ts';

/** A document of the collection most command tests work on. */
export interface Item {
  _id: number | string | ObjectId;
  x?: number;
  y?: number;
  text?: string;
  key?: string;
  at?: Timestamp;
  list?: { n: number; seen?: boolean }[];
  made?: boolean;
  big?: boolean;
}

/** An engine with a fresh collection of five documents before each test. */
export function useItems(): { engine: EngineFixture; readonly items: Collection<Item> } {
  const engine = useEngine();
  let items: Collection<Item>;
  beforeEach(async () => {
    items = engine.db().collection<Item>('items');
    await items.insertMany([11, 22, 33, 44, 55].map((x, index) => ({ _id: index + 1, x })));
  });
  return {
    engine,
    get items() {
      return items;
    },
  };
}
