import { randomBytes } from 'node:crypto';
import type { TestEvent, World } from './state.server.ts';

/** The version whose shapes the test Stripe speaks. */
const API_VERSION = '2026-10-28.endive';

/** Oldest events and answers are forgotten beyond this many. */
const MOST_KEPT = 500;

/** One step in the world of the test Stripe. */
export interface Scene {
  world: World;
  /** Unix seconds. */
  now: number;
  newId(prefix: string): string;
  /** Puts an event into the outbox. */
  emit(type: string, object: object, previous?: object): void;
  /** Lets a second pass: events from here on come after those before. */
  wait(): void;
}

/** Begins a step. Its events share a second, as Stripe's do, and come after those of the step before. */
export function sceneOf(world: World, at: Date): Scene {
  const now = Math.floor(at.getTime() / 1000);
  let second = Math.max(now, world.lastEvent + 1);
  const newId = (prefix: string) => `${prefix}_test_${randomBytes(12).toString('hex')}`;
  return {
    world,
    now,
    newId,
    emit(type, object, previous) {
      world.lastEvent = second;
      const event: TestEvent = {
        id: newId('evt'),
        object: 'event',
        api_version: API_VERSION,
        created: second,
        type,
        livemode: false,
        // A copy: the object goes on changing, the event does not.
        data: structuredClone({ object, ...(previous ? { previous_attributes: previous } : {}) }),
      };
      world.outbox = [...world.outbox, { event, attempts: 0 }].slice(-MOST_KEPT);
    },
    wait() {
      if (world.lastEvent === second) second += 1;
    },
  };
}

/** Keeps an answer for a key, and forgets the oldest ones. */
export function keepAnswer(world: World, key: string, answer: World['answers'][string]): void {
  const kept = Object.entries({ ...world.answers, [key]: answer });
  world.answers = Object.fromEntries(kept.slice(-MOST_KEPT));
}
