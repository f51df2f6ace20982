import type { Repositories } from '#models/index.server.ts';

/** A cached value that nearly every request reads and that rarely changes. */
export interface CachedValue<T> {
  name: string;
  /** The stored value, at most {@link KEPT_MS} old. */
  read(repos: Repositories): Promise<T>;
  /** Makes the next read query the database. */
  forget(repos: Repositories): void;
}

/** How old a cached value may be, in ms. Changes by other processes are visible after this time at the latest. */
export const KEPT_MS = 5_000;

interface Entry<T> {
  at: number;
  value: Promise<T>;
}

const all = new Map<string, CachedValue<unknown> & { isKept(repos: Repositories): boolean }>();

/**
 * Caches a value for a few seconds, by a monotonic clock. Concurrent readers share one query; a failed query is not cached.
 */
export function createCache<T>(name: string, load: (repos: Repositories) => Promise<T>): CachedValue<T> {
  const entries = new WeakMap<Repositories, Entry<T>>();
  const cache = {
    name,
    read(repos: Repositories): Promise<T> {
      const known = entries.get(repos);
      if (known !== undefined && performance.now() - known.at < KEPT_MS) return known.value;
      const value = load(repos);
      entries.set(repos, { at: performance.now(), value });
      value.catch(() => entries.delete(repos));
      return value;
    },
    forget: (repos: Repositories) => void entries.delete(repos),
    isKept: (repos: Repositories) => entries.has(repos),
  };
  all.set(name, cache);
  return cache;
}

/** Empties every cache of this process. @returns the names of those that were not empty */
export function emptyAllCaches(repos: Repositories): string[] {
  const held = [...all.values()].filter((cache) => cache.isKept(repos));
  for (const cache of held) cache.forget(repos);
  return held.map(({ name }) => name);
}
